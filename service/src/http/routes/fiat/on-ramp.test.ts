import { describe, expect, it } from "vitest";
import { conversionsOf } from "../../../../test/fiat/conversions.ts";
import { useHarness } from "../../../../test/harness.ts";
import { eventsOf } from "../../../../test/project-seeds.ts";

describe("POST /fiat/on-ramp", () => {
  const harness = useHarness({ vendors: true });
  const conversions = conversionsOf(harness);

  it("200: deposit instructions; the tokens arrive after the dollars, minus the fee", async () => {
    const { onRamp, balance, read, walletId, accountId } = await conversions.seed();

    const { status, body } = await onRamp("100.00", { external_reference_id: "order-1", metadata: { a: "b" } });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "conversion",
      direction: "on_ramp",
      status: "awaiting_funds",
      source: {
        type: "fiat_account",
        account_id: accountId,
        amount: "100.00",
        currency: "usd",
        payment_rail: "ach_push",
      },
      destination: { type: "wallet", wallet_id: walletId, amount: "99.85", token: "usdc" },
      rate: "1.0000",
      fees: [
        { type: "provider", amount: "0.15", currency: "usd" },
        { type: "network", amount: "0.00", currency: "usd" },
      ],
      quote: null,
      deposit_instructions: { bank_name: "Sandbox Bank", reference: expect.stringMatching(/^BRG/) },
      ...{ provider: "bridge", failure: null, agent_id: null, payment_reserved: false },
      ...{ external_reference_id: "order-1", metadata: { a: "b" }, completed_at: null },
    });
    expect((await conversions.deposit(body)).status).toBe(200);
    await conversions.advance();

    const completed = await read(body.conversion_id);
    expect(completed).toMatchObject({
      status: "completed",
      deposit_instructions: null,
      trace: { tx_hash: expect.stringMatching(/^0x/), tx_final: true },
    });
    const statuses = completed.timeline.map(({ status: each }: { readonly status: string }) => each);
    // The job may find several new states at once. What it did not see is not invented.
    expect(statuses.slice(0, 2)).toEqual(["in_review", "awaiting_funds"]);
    expect(statuses.at(-1)).toBe("completed");
    expect(await balance()).toMatchObject({ available: "99.85", held: "0.00" });
    const events = await eventsOf(harness.app, body.conversion_id);
    expect(events.map(({ type }) => type)).toEqual(statuses.map((each: string) => `conversion.${each}`));
  });
});
