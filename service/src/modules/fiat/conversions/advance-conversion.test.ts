import { describe, expect, it, onTestFinished } from "vitest";
import { conversionsOf } from "../../../../test/fiat/conversions.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { asSuperuser, eventsOf } from "../../../../test/project-seeds.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";
import type { App } from "../../../app.ts";
import { runDueWork } from "../../../due-work/run-due-work.ts";
import type { ConversionId } from "../../../foundation/ids.ts";
import type { StablecoinRamp, Transfer } from "../../../ports/stablecoin-ramp.ts";
import { applyVendorEvents } from "../../../workflows/apply-vendor-events.ts";
import { advanceConversion, advanceConversions } from "./advance-conversion.ts";
import { cancelFrozenConversions } from "./end-conversion.ts";

const HOUR_SECONDS = 3_600;

/** Lets a test change what Bridge answers, and do something during its calls. */
function changeableRamp() {
  const change = {
    transfer: (transfer: Transfer): Transfer => transfer,
    beforeCreate: async (): Promise<void> => {},
    afterCreate: async (): Promise<void> => {},
    afterDelete: async (): Promise<void> => {},
  };
  const original = { ...change };
  const calls = { reads: 0 };
  const wrap = (ramp: StablecoinRamp): StablecoinRamp => ({
    ...ramp,
    createTransfer: async (transfer) => {
      await change.beforeCreate();
      const created = await ramp.createTransfer(transfer);
      await change.afterCreate();
      return change.transfer(created);
    },
    deleteTransfer: async (id) => {
      await ramp.deleteTransfer(id);
      await change.afterDelete();
    },
    listTransfers: async (search) => (await ramp.listTransfers(search)).map((one) => change.transfer(one)),
    readTransfer: async (id) => {
      calls.reads += 1;
      return change.transfer(await ramp.readTransfer(id));
    },
  });
  return {
    change,
    calls,
    /** Restores the ramp at the end of the test. */
    restoreLater: () => onTestFinished(() => void Object.assign(change, original)),
    replace: ({ ramp }: App): Partial<App> => ({ ramp: { ...ramp, open: (access) => wrap(ramp.open(access)) } }),
  };
}

describe("advanceConversion", () => {
  const ramp = changeableRamp();
  const harness = useHarness({ vendors: true, replace: ramp.replace, settings: { syncWaitMs: 5_000 } });
  const conversions = conversionsOf(harness);

  const transfersAt = async (reference: string) =>
    (await harness.sandbox.objects("bridge")).filter(
      ({ type, data }) => type === "transfer" && JSON.stringify(data).includes(reference),
    );
  const keyOf = (
    { tenant }: { readonly tenant: { readonly tenantId: string } },
    { conversion_id: id }: { readonly conversion_id: string },
  ) => ({ tenantId: tenant.tenantId, conversionId: id as ConversionId }) as Parameters<typeof advanceConversion>[1];
  const hasAlarm = (conversionId: string) =>
    harness.logLines.some((line) => line.includes("operator action required") && line.includes(conversionId));

  function rows(statement: string): Promise<Record<string, unknown>[]> {
    return asSuperuser(harness.database.superuserUrl, async (client) => (await client.query(statement)).rows);
  }

  it.each(["returned", "missing_return_policy", "refund_in_flight", "refund_failed"] as const)(
    "an off-ramp that has completed is shown as %s when Bridge says so, with an event",
    async (state) => {
      const seeded = await conversions.seed({ funds: "100" });
      const { body } = await seeded.offRamp("25.00");
      await conversions.advance(10);
      ramp.restoreLater();
      ramp.change.transfer = (transfer) => ({ ...transfer, state });

      await advanceConversion(harness.app, keyOf(seeded, body));

      expect((await seeded.read(body.conversion_id)).status).toBe(state);
      expect((await eventsOf(harness.app, body.conversion_id)).at(-1)?.type).toBe(`conversion.${state}`);
    },
  );

  describe.each(["onRamp", "offRamp"] as const)("%s", (direction) => {
    it.each(["timeout_applied", "timeout_lost", "error_applied", "duplicate", "rate_limited", "slow"] as const)(
      "createTransfer: %s: one transfer at Bridge, and the conversion completes",
      async (outcome) => {
        const seeded = await conversions.seed({ funds: "100" });
        harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome, times: 1 });

        const { status, body } = await seeded[direction]("25.00");
        await conversions.advance(40);
        const created = await seeded.read(body.conversion_id);
        if (direction === "onRamp") await conversions.deposit(created);
        await conversions.advance(10);

        expect(status).toBe(200);
        expect(await transfersAt(body.conversion_id)).toHaveLength(1);
        expect((await seeded.read(body.conversion_id)).status).toBe("completed");
        const available = direction === "onRamp" ? "124.96" : "75.00";
        expect(await seeded.balance()).toMatchObject({ available, held: "0.00" });
      },
    );

    it("createTransfer: refused: failed, and nothing stays held", async () => {
      const seeded = await conversions.seed({ funds: "100" });
      harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "refused", times: 1 });

      const { status, body } = await seeded[direction]("25.00");

      expect([status, body.status, body.failure?.code]).toEqual([200, "failed", "provider_error"]);
      expect(await seeded.balance()).toMatchObject({ available: "100.00", held: "0.00" });
    });

    it("two calls at the same time: one transfer, posted or credited once", async () => {
      const seeded = await conversions.seed({ funds: "100" });
      const { body } = await seeded[direction]("25.00");
      if (direction === "onRamp") await conversions.deposit(body);
      harness.clock.advanceSeconds(10);

      await Promise.all(Array.from({ length: 10 }, () => advanceConversion(harness.app, keyOf(seeded, body))));

      const available = direction === "onRamp" ? "124.96" : "75.00";
      expect(await seeded.balance()).toMatchObject({ available, held: "0.00" });
      expect((await seeded.read(body.conversion_id)).status).toBe("completed");
    });

    it.each([
      ["id", (transfer: Transfer) => ({ ...transfer, transferId: "another" })],
      ["reference", (transfer: Transfer) => ({ ...transfer, reference: "conv_another" })],
      ["customer", (transfer: Transfer) => ({ ...transfer, customerId: "another" })],
      ["amount", (transfer: Transfer) => ({ ...transfer, amount: "2500.00" })],
      ["fee", (transfer: Transfer) => ({ ...transfer, developerFee: "9.00" })],
      ["currency", (transfer: Transfer) => ({ ...transfer, source: { ...transfer.source, currency: "eur" } })],
      ["token", (transfer: Transfer) => ({ ...transfer, destination: { ...transfer.destination, currency: "usdt" } })],
      ["bank rail", (transfer: Transfer) => withRail(transfer, direction, "sepa")],
      ["network", (transfer: Transfer) => withNetwork(transfer, direction)],
      ["address", (transfer: Transfer) => withAddress(transfer, direction)],
    ])("Bridge answers with another %s: an alarm, and nothing moves", async (_what, lie) => {
      const seeded = await conversions.seed({ funds: "100" });
      const { body } = await seeded[direction]("25.00");
      if (direction === "onRamp") await conversions.deposit(body);
      const before = await seeded.balance();
      ramp.restoreLater();
      ramp.change.transfer = lie;

      harness.clock.advanceSeconds(10);
      await advanceConversion(harness.app, keyOf(seeded, body));

      expect(hasAlarm(body.conversion_id)).toBe(true);
      expect(await seeded.balance()).toEqual(before);
      expect((await seeded.read(body.conversion_id)).status).not.toBe("completed");
      const audit = `select 1 from audit_entries where action = 'conversion.difference_found' and subject ->> 'id' = '${body.conversion_id}'`;
      expect(await rows(audit)).toHaveLength(1);
    });

    it.each(["pending", "unknown"] as const)("Bridge answers with the state %s: nothing changes", async (state) => {
      const seeded = await conversions.seed({ funds: "100" });
      const { body } = await seeded[direction]("25.00");
      ramp.restoreLater();
      ramp.change.transfer = (transfer) => ({ ...transfer, state });
      const before = (await seeded.read(body.conversion_id)).status;

      harness.clock.advanceSeconds(10);
      await advanceConversion(harness.app, keyOf(seeded, body));

      expect((await seeded.read(body.conversion_id)).status).toBe(before);
    });

    it("a state that Bridge has had before changes nothing", async () => {
      const seeded = await conversions.seed({ funds: "100" });
      const { body } = await seeded[direction]("25.00");
      if (direction === "onRamp") await conversions.deposit(body);
      await conversions.advance(10);
      const completed = await seeded.read(body.conversion_id);
      ramp.restoreLater();

      for (const state of ["awaiting_funds", "in_review", "funds_received", "canceled", "error"] as const) {
        ramp.change.transfer = (transfer) => ({ ...transfer, state });
        await advanceConversion(harness.app, keyOf(seeded, body));
      }

      expect(await seeded.read(body.conversion_id)).toMatchObject({
        status: "completed",
        timeline: completed.timeline,
      });
    });

    it("quote_mismatch: Bridge would pay another amount; the transfer is deleted, and nothing stays held", async () => {
      const seeded = await conversions.seed({ funds: "100" });
      ramp.restoreLater();
      ramp.change.transfer = (transfer) => ({
        ...transfer,
        receipt: { finalAmount: "20.00", destinationTxHash: null, refundedAmount: null },
      });

      const { body } = await seeded[direction]("25.00");

      expect([body.status, body.failure?.code]).toEqual(["failed", "quote_mismatch"]);
      expect(await seeded.balance()).toMatchObject({ available: "100.00", held: "0.00" });
      expect(await transfersAt(body.conversion_id)).toMatchObject([{ state: "canceled" }]);
    });

    it("Bridge is silent for 23 hours: the transfer is looked for, and taken over or given up", async () => {
      const [found, lost] = [await conversions.seed({ funds: "100" }), await conversions.seed({ funds: "100" })];
      harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "error_applied", times: 1 });
      const applied = (await found[direction]("25.00")).body;
      harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "timeout_lost", times: 1 });
      const absent = (await lost[direction]("25.00")).body;

      harness.clock.advanceSeconds(23 * HOUR_SECONDS);
      await advanceConversion(harness.app, keyOf(found, applied));
      await advanceConversion(harness.app, keyOf(lost, absent));

      expect((await found.read(applied.conversion_id)).provider_reference).not.toBeNull();
      expect(await found.read(applied.conversion_id)).not.toMatchObject({ status: "failed" });
      expect(await lost.read(absent.conversion_id)).toMatchObject({
        status: "failed",
        failure: { code: "provider_unavailable" },
      });
      expect(await lost.balance()).toMatchObject({ available: "100.00", held: "0.00" });
    });

    it("Bridge's webhooks: a report 100 times, in any order, is what Bridge says; forged ones are 401", async () => {
      const seeded = await conversions.seed({ funds: "100" });
      harness.webhooks.length = 0;
      const { body } = await seeded[direction]("25.00");
      if (direction === "onRamp") await conversions.deposit(body);
      harness.clock.advanceSeconds(10);
      await expect.poll(() => harness.webhooks.length).toBeGreaterThan(0);
      const [report] = harness.webhooks;
      if (report === undefined) throw new Error("there is a webhook");

      const tampered = { ...report, body: report.body.replace(/awaiting_funds|funds_received/, "payment_processed ") };
      expect((await harness.deliver(tampered)).status).toBe(401);
      const answers = await Promise.all(Array.from({ length: 100 }, () => harness.deliver(report)));
      await runDueWork(harness.app, applyVendorEvents);

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await seeded.read(body.conversion_id)).status).toBe("completed");
      const available = direction === "onRamp" ? "124.96" : "75.00";
      expect(await seeded.balance()).toMatchObject({ available });
    });
  });

  it("is not credited on a webhook's word: Bridge reports a change while its transfer waits for dollars", async () => {
    const seeded = await conversions.seed();
    harness.webhooks.length = 0;
    const { body } = await seeded.onRamp("25.00");
    await expect.poll(() => harness.webhooks.length).toBeGreaterThan(0);

    for (const report of harness.webhooks.splice(0)) expect((await harness.deliver(report)).status).toBe(200);
    await runDueWork(harness.app, applyVendorEvents);

    expect((await seeded.read(body.conversion_id)).status).toBe("awaiting_funds");
    expect(await seeded.balance()).toMatchObject({ total: "0.00" });
  });

  it("an off-ramp whose wallet is frozen before Bridge has answered is canceled, and its transfer deleted", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    ramp.restoreLater();
    ramp.change.afterCreate = async () => {
      await seeded.tenant.post(`/wallets/${seeded.walletId}/freeze`, { reason: "compliance" });
    };

    const { body } = await seeded.offRamp("25.00");

    expect([body.status, body.failure?.code]).toEqual(["canceled", "wallet_frozen"]);
    expect(await transfersAt(body.conversion_id)).toMatchObject([{ state: "canceled" }]);
    expect(await seeded.balance()).toMatchObject({ available: "100.00", held: "0.00" });
  });

  it("an off-ramp that waits for Bridge while its wallet is frozen is canceled by the job", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "timeout_lost", times: 1 });
    const { body } = await seeded.offRamp("25.00");
    expect(body.status).toBe("in_review");
    await seeded.tenant.post(`/wallets/${seeded.walletId}/freeze`, { reason: "compliance" });

    await cancelFrozenConversions(harness.app);

    expect(await seeded.read(body.conversion_id)).toMatchObject({
      status: "canceled",
      failure: { code: "wallet_frozen" },
    });
    expect(await seeded.balance()).toMatchObject({ available: "100.00", held: "0.00" });
    expect(await transfersAt(body.conversion_id)).toMatchObject([{ state: "canceled" }]);
  });

  it("409: an off-ramp is canceled while Bridge is asked for its transfer", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    ramp.restoreLater();
    const canceled: ApiResponse[] = [];
    ramp.change.beforeCreate = async () => {
      ramp.change.beforeCreate = async () => {};
      const { data } = (await seeded.tenant.get("/fiat/conversions")).body;
      canceled.push(await seeded.tenant.post(`/fiat/conversions/${data[0].conversion_id}/cancel`));
    };

    const { body } = await seeded.offRamp("25.00");
    await conversions.advance(40);

    expect(canceled).toMatchObject([{ status: 409, body: { code: "conflict" } }]);
    expect((await seeded.read(body.conversion_id)).status).toBe("completed");
    expect(await seeded.balance()).toMatchObject({ available: "75.00", held: "0.00" });
  });

  it("Bridge's receipt shows another final amount once the money has moved: an alarm, and no credit", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    await conversions.deposit(body);
    harness.clock.advanceSeconds(10);
    ramp.restoreLater();
    ramp.change.transfer = (transfer) => ({
      ...transfer,
      receipt: { finalAmount: "24.00", destinationTxHash: null, refundedAmount: null },
    });

    await advanceConversion(harness.app, keyOf(seeded, body));

    expect(hasAlarm(body.conversion_id)).toBe(true);
    expect(await seeded.balance()).toMatchObject({ total: "0.00" });
  });

  it("a cancellation whose answer from Bridge is lost can be repeated, and the conversion is canceled", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    harness.sandbox.force({ vendor: "bridge", operation: "deleteTransfer", outcome: "error_applied", times: 1 });
    const cancel = () => seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/cancel`, {});

    expect((await cancel()).status).toBe(503);
    const { status, body: canceled } = await cancel();

    expect([status, canceled.status]).toEqual([200, "canceled"]);
  });

  it("a cancellation that Bridge reports before its own answer is stored is answered with 200", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    ramp.restoreLater();
    ramp.change.afterDelete = async () => void (await advanceConversion(harness.app, keyOf(seeded, body)));

    const { status, body: canceled } = await seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/cancel`, {});

    expect([status, canceled.status]).toEqual([200, "canceled"]);
  });

  it("an on-ramp that was canceled while Bridge was silent: the transfer that Bridge has made is deleted", async () => {
    const seeded = await conversions.seed();
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "error_applied", times: 1 });
    const { body } = await seeded.onRamp("25.00");
    const canceled = await seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/cancel`, {});

    await conversions.advance(10);

    expect(canceled.body.status).toBe("canceled");
    expect(await transfersAt(body.conversion_id)).toMatchObject([{ state: "canceled" }]);
  });

  it("an on-ramp that was canceled before Bridge has answered: its transfer is deleted", async () => {
    const seeded = await conversions.seed();
    ramp.restoreLater();
    ramp.change.afterCreate = async () => {
      ramp.change.afterCreate = async () => {};
      const { body } = await seeded.tenant.get("/fiat/conversions");
      await seeded.tenant.post(`/fiat/conversions/${body.data[0].conversion_id}/cancel`, {});
    };

    const { body } = await seeded.onRamp("25.00");

    expect(body.status).toBe("canceled");
    expect(await transfersAt(body.conversion_id)).toMatchObject([{ state: "canceled" }]);
  });

  it("an off-ramp whose tokens were sent goes on when its wallet is frozen", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    const { body } = await seeded.offRamp("25.00");
    await seeded.tenant.post(`/wallets/${seeded.walletId}/freeze`, { reason: "compliance" });

    await conversions.advance();

    expect((await seeded.read(body.conversion_id)).status).toBe("completed");
  });

  it("an on-ramp into a frozen wallet waits without asking Bridge, and goes on when it is unfrozen", async () => {
    const seeded = await conversions.seed();
    await seeded.tenant.post(`/wallets/${seeded.walletId}/freeze`, { reason: "compliance" });

    const { status, body } = await seeded.onRamp("25.00");
    await conversions.advance(5);

    expect([status, body.status, body.deposit_instructions]).toEqual([200, "in_review", null]);
    expect(await transfersAt(body.conversion_id)).toHaveLength(0);
    await seeded.tenant.post(`/wallets/${seeded.walletId}/unfreeze`, {});
    await conversions.advance(60);
    expect((await seeded.read(body.conversion_id)).status).toBe("awaiting_funds");
  });

  it("an on-ramp whose dollars arrive while the wallet is frozen is credited; the wallet cannot spend it", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    await seeded.tenant.post(`/wallets/${seeded.walletId}/freeze`, { reason: "compliance", mode: "full" });
    await conversions.deposit(body);
    await conversions.advance();

    expect((await seeded.read(body.conversion_id)).status).toBe("completed");
    expect(await seeded.balance()).toMatchObject({ total: "24.96" });
    expect((await seeded.offRamp("10.00")).body.code).toBe("wallet_frozen");
  });

  it("an on-ramp without dollars expires after 14 days, and Bridge deletes its transfer", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    harness.clock.advanceSeconds(14 * 24 * HOUR_SECONDS);

    await advanceConversion(harness.app, keyOf(seeded, body));

    expect((await seeded.read(body.conversion_id)).status).toBe("expired");
    expect(await transfersAt(body.conversion_id)).toMatchObject([{ state: "canceled" }]);
  });

  it("an on-ramp that expires after Bridge's answer to the deletion was lost", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    harness.clock.advanceSeconds(14 * 24 * HOUR_SECONDS);
    harness.sandbox.force({ vendor: "bridge", operation: "deleteTransfer", outcome: "error_applied", times: 1 });

    await expect(advanceConversion(harness.app, keyOf(seeded, body))).rejects.toThrow();
    await advanceConversion(harness.app, keyOf(seeded, body));

    expect((await seeded.read(body.conversion_id)).status).toBe("expired");
  });

  it("an on-ramp whose dollars arrive on the last day is credited, although the report was lost", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    harness.clock.advanceSeconds(14 * 24 * HOUR_SECONDS);
    await conversions.deposit(body);
    harness.clock.advanceSeconds(10);

    await advanceConversion(harness.app, keyOf(seeded, body));

    expect((await seeded.read(body.conversion_id)).status).toBe("completed");
    expect(await seeded.balance()).toMatchObject({ available: "24.96" });
  });

  it("a refund without an amount, or with too large a one, moves nothing and raises an alarm", async () => {
    for (const refundedAmount of [null, "25.01"]) {
      const seeded = await conversions.seed({ funds: "100" });
      const { body } = await seeded.offRamp("25.00");
      await conversions.advance();
      ramp.change.transfer = (transfer) => ({
        ...transfer,
        state: "refunded",
        receipt: { finalAmount: "24.96", destinationTxHash: null, refundedAmount },
      });
      await advanceConversion(harness.app, keyOf(seeded, body));
      ramp.change.transfer = (transfer) => transfer;

      expect(hasAlarm(body.conversion_id)).toBe(true);
      expect(await seeded.balance()).toMatchObject({ available: "75.00" });
    }
  });

  it("100 open conversions: at most one call a second to Bridge by the job", async () => {
    const seeded = await conversions.seed();
    for (let count = 0; count < 5; count += 1) await seeded.onRamp("25.00");
    harness.clock.advanceSeconds(10);
    const { reads } = ramp.calls;

    const tried = await runDueWork(harness.app, advanceConversions);

    expect(tried).toBe(1);
    expect(ramp.calls.reads).toBe(reads + 1);
  });

  it.each(["error", "canceled"] as const)(
    "an off-ramp whose transfer is %s at the first answer keeps its tokens",
    async (state) => {
      const seeded = await conversions.seed({ funds: "100" });
      ramp.restoreLater();
      ramp.change.transfer = (transfer) => ({ ...transfer, state });

      const { body } = await seeded.offRamp("25.00");

      expect(["failed", "canceled"]).toContain(body.status);
      expect(await seeded.balance()).toMatchObject({ available: "100.00", held: "0.00" });
    },
  );

  it("an off-ramp that is canceled while the outcome at Bridge is unknown is not both paid out and kept", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "error_applied", times: 1 });
    const { body } = await seeded.offRamp("25.00");
    harness.clock.advanceSeconds(10);

    const canceled = await seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/cancel`);
    await conversions.advance(40);

    const [transfer] = await transfersAt(body.conversion_id);
    const { available } = await seeded.balance();
    expect({
      cancel: canceled.status,
      bridge: transfer?.state,
      available,
      alarm: hasAlarm(body.conversion_id),
    }).not.toEqual({ cancel: 200, bridge: "payment_processed", available: "100.00", alarm: false });
  });

  it("a halted conversion cannot be canceled by its caller", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    ramp.restoreLater();
    ramp.change.transfer = (transfer) => ({ ...transfer, developerFee: "9.00" });
    const { body } = await seeded.offRamp("25.00");
    expect(hasAlarm(body.conversion_id)).toBe(true);

    const canceled = await seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/cancel`);
    ramp.change.transfer = (transfer) => transfer;
    await conversions.advance(40);

    const [transfer] = await transfersAt(body.conversion_id);
    const { held } = await seeded.balance();
    expect({ cancel: canceled.status, held, bridge: transfer?.state }).toMatchObject({ cancel: 409, held: "25.00" });
  });

  it("an on-ramp into a wallet that was frozen for two days goes on when it is unfrozen", async () => {
    const seeded = await conversions.seed();
    await seeded.tenant.post(`/wallets/${seeded.walletId}/freeze`, { reason: "compliance" });
    const { body } = await seeded.onRamp("25.00");
    harness.clock.advanceSeconds(48 * HOUR_SECONDS);
    await seeded.tenant.post(`/wallets/${seeded.walletId}/unfreeze`, {});

    await advanceConversion(harness.app, keyOf(seeded, body));

    expect((await seeded.read(body.conversion_id)).status).toBe("awaiting_funds");
  });

  it("an ended conversion whose money has moved at Bridge raises an alarm", async () => {
    const seeded = await conversions.seed();
    const { body } = await seeded.onRamp("25.00");
    await seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/cancel`);
    ramp.restoreLater();
    ramp.change.transfer = (transfer) => ({ ...transfer, state: "payment_processed" });

    await advanceConversion(harness.app, keyOf(seeded, body));

    expect(hasAlarm(body.conversion_id)).toBe(true);
  });

  it("a refusal after an unknown outcome does not release tokens that Bridge pays out", async () => {
    const seeded = await conversions.seed({ funds: "100" });
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "error_applied", times: 1 });
    const { body } = await seeded.offRamp("25.00");
    expect(body.status).toBe("in_review");
    // For example, the key was just replaced.
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "refused", times: 1 });
    await conversions.advance(40);

    const [transfer] = await transfersAt(body.conversion_id);
    harness.clock.advanceSeconds(40);
    await harness.sandbox.objects("bridge");
    const { status } = await seeded.read(body.conversion_id);
    const { available } = await seeded.balance();
    expect({ status, available, transfer: transfer?.state }).not.toMatchObject({
      status: "failed",
      available: "100.00",
    });
  });

  it("a quote from before the account was registered at Bridge is executed with its present id", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    harness.sandbox.force({ vendor: "bridge", operation: "createExternalAccount", outcome: "timeout_lost", times: 1 });
    const { body: linked } = await conversions.banks.linkBank(tenant);
    const wallet = await createWallet(tenant);
    await tenant.post(`/wallets/${wallet.wallet_id}/fund`, { amount: "100" });
    const ramp = { destination_account_id: linked.account.account_id, wallet_id: wallet.wallet_id, amount: "25.00" };
    const quote = await tenant.post("/fiat/off-ramp", { ...ramp, execute: false });
    await conversions.banks.advance();

    const { status, body } = await tenant.post(`/fiat/conversions/${quote.body.conversion_id}/execute`);

    expect([status, body.status, body.failure]).toEqual([200, "awaiting_funds", null]);
  });
});

function withRail(transfer: Transfer, direction: "onRamp" | "offRamp", paymentRail: string): Transfer {
  const side = direction === "onRamp" ? "source" : "destination";
  return { ...transfer, [side]: { ...transfer[side], paymentRail } };
}

function withAddress(transfer: Transfer, direction: "onRamp" | "offRamp"): Transfer {
  const side = direction === "onRamp" ? "destination" : "source";
  return { ...transfer, [side]: { ...transfer[side], address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" } };
}

function withNetwork(transfer: Transfer, direction: "onRamp" | "offRamp"): Transfer {
  return withRail(transfer, direction === "onRamp" ? "offRamp" : "onRamp", "polygon");
}
