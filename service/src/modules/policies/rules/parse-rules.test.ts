import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { AppError, type InvalidField } from "../../../foundation/errors.ts";
import { usdMicros } from "../../../foundation/money.ts";
import { compileValidator } from "../../../http/validation.ts";
import { compilePolicy } from "./compiled-policy.ts";
import { parsePolicy } from "./parse-rules.ts";
import { PolicyApprovals, type PolicyRule, PolicyRules } from "./rule-schema.ts";

const BODY = Type.Object(
  { rules: PolicyRules, approvals: Type.Optional(PolicyApprovals) },
  { additionalProperties: false },
);
const validate = compileValidator({ schema: BODY, httpPart: "body", method: "POST", url: "/" });

/** Returns the pointers and codes of all violations: of the schema, else of what the schema cannot say. */
function violations(body: { readonly rules: readonly object[]; readonly approvals?: object }) {
  const result = validate(structuredClone(body)) as true | { readonly error: AppError };
  if (result !== true) return result.error.errors.map(summaryOf);
  try {
    parsePolicy(body as Parameters<typeof parsePolicy>[0]);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("validation_error");
    return error.errors.map(summaryOf);
  }
}

const summaryOf = ({ pointer, code }: InvalidField) => `${pointer.replace("/body/", "")} ${code}`;

const ALLOW = { id: "all", effect: "allow" };
const when = (conditions: object) => ({ rules: [{ ...ALLOW, when: conditions }] });
const limit = (fields: object) => ({ rules: [{ id: "cap", effect: "limit", ...fields }] });
const manyValues = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

/** The example of the API's contract. */
const EXAMPLE: readonly PolicyRule[] = [
  { id: "tx_cap", effect: "deny", operation: "payment", when: { amount_usd: { gt: "25.00" } } },
  {
    id: "daily_cap",
    effect: "limit",
    operation: "*",
    budget: { max: "50.00", currency: "usd", period: "rolling_24h" },
  },
  {
    id: "velocity",
    effect: "limit",
    operation: "payment",
    count: { max: 20, period: "rolling_1h" },
  },
  {
    id: "payees",
    effect: "allow",
    operation: "payment",
    when: { payee: { in: ["0xabc", "api.example.com"] } },
  },
  { id: "new_payee", effect: "require_approval", when: { payee_first_seen: true } },
  { id: "hours", effect: "deny", when: { time_utc: { outside: "06:00-22:00" } } },
  {
    id: "svc",
    effect: "allow",
    operation: "service.add",
    when: { category: { in: ["database"] }, monthly_cost_usd: { lte: "20.00" } },
  },
];
const APPROVALS: PolicyApprovals = {
  threshold_usd: "20.00",
  approvers: ["role:owner"],
  required: 1,
  expires_in_seconds: 600,
};

describe("the rules of a policy", () => {
  it("accepts the example of the API and stores it unchanged", () => {
    expect(violations({ rules: EXAMPLE, approvals: APPROVALS })).toEqual([]);
    const parsed = parsePolicy({ rules: EXAMPLE, approvals: APPROVALS });
    expect(parsed.stored).toEqual({ rules: EXAMPLE, approvals: APPROVALS });
    expect(parsed).toMatchObject({ thresholdUsd: usdMicros(20_000_000n), expiresInSeconds: 600 });
  });

  it("stores amounts in one form, ids of the catalog in lowercase, and the defaults of approvals", () => {
    const rules: PolicyRule[] = [
      { id: "a", effect: "deny", when: { amount_usd: { gt: "25", lte: "30.500" } } },
      { id: "b", effect: "deny", when: { monthly_cost_usd: { eq: "0" }, plan: { eq: "Free" } } },
      { id: "c", effect: "limit", budget: { max: "5.000001", period: "per_tx" } },
    ];
    const { stored, thresholdUsd } = parsePolicy({ rules });
    expect(stored.rules).toEqual([
      { id: "a", effect: "deny", when: { amount_usd: { gt: "25.00", lte: "30.50" } } },
      { id: "b", effect: "deny", when: { monthly_cost_usd: { eq: "0.00" }, plan: { eq: "free" } } },
      { id: "c", effect: "limit", budget: { max: "5.000001", currency: "usd", period: "per_tx" } },
    ]);
    expect(stored.approvals).toEqual({
      approvers: ["role:owner"],
      required: 1,
      expires_in_seconds: 600,
    });
    expect(thresholdUsd).toBeUndefined();
    expect(parsePolicy(stored).stored).toEqual(stored);
    expect(compilePolicy(stored)).toEqual(parsePolicy({ rules }));
  });

  it("accepts no rules, and empty conditions", () => {
    expect(violations({ rules: [] })).toEqual([]);
    expect(violations(when({}))).toEqual([]);
  });

  it.each([
    ["unknown field", { rules: [{ ...ALLOW, extra: 1 }] }, "rules/0/extra additionalProperties"],
    ["no effect", { rules: [{ id: "all" }] }, "rules/0/effect required"],
    ["no id", { rules: [{ effect: "allow" }] }, "rules/0/id required"],
    ["unknown effect", { rules: [{ ...ALLOW, effect: "permit" }] }, "rules/0/effect enum"],
    ["unknown operation", { rules: [{ ...ALLOW, operation: "pay" }] }, "rules/0/operation enum"],
    ["malformed id", { rules: [{ ...ALLOW, id: "a b" }] }, "rules/0/id pattern"],
    ["long id", { rules: [{ ...ALLOW, id: "a".repeat(65) }] }, "rules/0/id pattern"],
    ["duplicate id", { rules: [ALLOW, { ...ALLOW, effect: "deny" }] }, "rules/1/id taken"],
    ...["default", "threshold", "project_cap", "provider_cap", "max_fee"].map(
      (id): [string, { rules: object[] }, string] => [
        `reserved id ${id}`,
        { rules: [{ ...ALLOW, id }] },
        "rules/0/id reserved",
      ],
    ),
    ["unknown fact", when({ color: { eq: "a" } }), "rules/0/when/color additionalProperties"],
    ["unknown operator", when({ payee: { gt: "1" } }), "rules/0/when/payee/gt additionalProperties"],
    ["no operator", when({ payee: {} }), "rules/0/when/payee minProperties"],
    ["empty list", when({ payee: { in: [] } }), "rules/0/when/payee/in minItems"],
    ["unknown level", when({ kya_level: { eq: "top" } }), "rules/0/when/kya_level/eq enum"],
    ["fact of another type", when({ payee_first_seen: "yes" }), "rules/0/when/payee_first_seen type"],
    ["control character", when({ payee: { eq: "a\u0000" } }), "rules/0/when/payee/eq pattern"],
    ["seven decimals", when({ amount_usd: { gt: "1.0000001" } }), "rules/0/when/amount_usd/gt pattern"],
    ["negative amount", when({ amount_usd: { gt: "-1" } }), "rules/0/when/amount_usd/gt pattern"],
    ["invalid time", when({ time_utc: { inside: "24:00-06:00" } }), "rules/0/when/time_utc/inside pattern"],
    ["time without a range", when({ time_utc: { outside: "06:00" } }), "rules/0/when/time_utc/outside pattern"],
    ["empty range", when({ time_utc: { inside: "06:00-06:00" } }), "rules/0/when/time_utc/inside empty_range"],
    ["limit without a maximum", limit({}), "rules/0 required"],
    [
      "limit with budget and count",
      limit({ budget: { max: "1", period: "per_tx" }, count: { max: 1, period: "rolling_1h" } }),
      "rules/0/count not_allowed",
    ],
    ["count per operation", limit({ count: { max: 1, period: "per_tx" } }), "rules/0/count/period enum"],
    ["unknown period", limit({ budget: { max: "1", period: "weekly" } }), "rules/0/budget/period enum"],
    [
      "other currency",
      limit({ budget: { max: "1", currency: "eur", period: "per_tx" } }),
      "rules/0/budget/currency enum",
    ],
    ["fraction of a count", limit({ count: { max: 1.5, period: "rolling_1h" } }), "rules/0/count/max type"],
    [
      "budget without limit",
      { rules: [{ ...ALLOW, budget: { max: "1", period: "per_tx" } }] },
      "rules/0/budget not_allowed",
    ],
    [
      "count without limit",
      { rules: [{ ...ALLOW, count: { max: 1, period: "rolling_1h" } }] },
      "rules/0/count not_allowed",
    ],
    ["shared without limit", { rules: [{ ...ALLOW, shared: false }] }, "rules/0/shared not_allowed"],
    ["two approvals", { rules: [], approvals: { required: 2 } }, "approvals/required maximum"],
    ["other approvers", { rules: [], approvals: { approvers: ["a@b.co"] } }, "approvals/approvers/0 enum"],
    ["short expiry", { rules: [], approvals: { expires_in_seconds: 59 } }, "approvals/expires_in_seconds minimum"],
    ["long expiry", { rules: [], approvals: { expires_in_seconds: 604_801 } }, "approvals/expires_in_seconds maximum"],
    ["201 rules", { rules: manyValues(201).map((id) => ({ ...ALLOW, id })) }, "rules maxItems"],
    ["1,001 values in one list", when({ plan: { in: manyValues(1_001) } }), "rules/0/when/plan/in maxItems"],
    [
      "1,001 values in several lists",
      when({ plan: { in: manyValues(500) }, network: { not_in: manyValues(501) } }),
      "rules too_many_values",
    ],
    [
      "more than 64 KiB",
      when({ payee: { in: manyValues(140).map((text) => text.padEnd(470, "x")) } }),
      "rules too_large",
    ],
  ])("422: %s", (_title, body, expected) => {
    expect(violations(body)).toEqual([expected]);
  });

  it("accepts the largest policy", () => {
    const rules = manyValues(200).map((id) => ({
      ...ALLOW,
      id,
      when: { plan: { in: manyValues(5) } },
    }));
    expect(violations({ rules })).toEqual([]);
    expect(violations(when({ plan: { in: manyValues(1_000) } }))).toEqual([]);
  });

  it("422 with all violations, at most 50", () => {
    const rules = manyValues(60).map((id) => ({ ...ALLOW, id, shared: true }));
    expect(violations({ rules: rules.slice(0, 3) })).toEqual([
      "rules/0/shared not_allowed",
      "rules/1/shared not_allowed",
      "rules/2/shared not_allowed",
    ]);
    expect(violations({ rules })).toHaveLength(50);
  });

  it("the pointer starts where the policy is", () => {
    const call = () => parsePolicy({ rules: [{ id: "default", effect: "deny" }] }, "/body/draft");
    expect(call).toThrow(
      expect.objectContaining({
        errors: [{ pointer: "/body/draft/rules/0/id", code: "reserved", detail: "is reserved" }],
      }),
    );
  });
});
