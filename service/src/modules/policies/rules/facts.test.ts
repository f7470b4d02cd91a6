import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFacts } from "../../../../test/policies/any-policy.ts";
import { usdMicros } from "../../../foundation/money.ts";
import { factsOf, type PolicyFacts, storedFactsOf } from "./facts.ts";

describe("stored facts", () => {
  it("have the names of the API, and amounts as decimal texts", () => {
    const facts: PolicyFacts = {
      operation: "payment",
      at: new Date("2026-11-23T12:30:00.000Z"),
      amount_usd: usdMicros(5_000_001n),
      monthly_cost_usd: usdMicros(20_000_000n),
      payee: "0xAbc",
      kya_level: "basic",
      payee_first_seen: false,
      plan: undefined,
    };
    expect(storedFactsOf(facts)).toEqual({
      amount_usd: "5.000001",
      monthly_cost_usd: "20.00",
      payee: "0xAbc",
      kya_level: "basic",
      payee_first_seen: false,
    });
    expect(Object.keys(storedFactsOf(facts))).not.toContain("plan");
  });

  it("become the same facts again", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const stored = JSON.parse(JSON.stringify(storedFactsOf(facts)));
        expect(factsOf(facts.operation, facts.at, stored)).toEqual(facts);
      }),
    );
  });
});
