import { beforeEach, describe, expect, it } from "vitest";
import { conversionsOf } from "../../../test/fiat/conversions.ts";
import { useLivePayments } from "../../../test/networks/live-payments.ts";
import { createWallet } from "../../../test/wallets/create-wallet.ts";
import { checkChainBalances } from "../networks/check-chain-balances.ts";

type Tenant = Parameters<typeof createWallet>[0];

const OTHER_ADDRESS = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const OTHER_HASH = `0x${"cd".repeat(32)}`;

describe("a live conversion", () => {
  const live = useLivePayments();
  const { harness, base } = live;
  const conversions = conversionsOf(harness);

  beforeEach(() => live.prepare());

  /** Creates a wallet with 100 USDC on the chain, and a verified bank account. */
  async function seed() {
    const { payer, wallet } = await live.seedPayer();
    const { tenant, walletId } = payer;
    const { body } = await conversions.banks.linkBank(tenant);
    await conversions.banks.advance();
    const account_id = body.account.account_id;
    return {
      payer,
      address: wallet.address as string,
      onRamp: (amount: string, more: object = {}) =>
        tenant.post("/fiat/on-ramp", { source_account_id: account_id, wallet_id: walletId, amount, ...more }),
      offRamp: (amount: string, more: object = {}) =>
        tenant.post("/fiat/off-ramp", { destination_account_id: account_id, wallet_id: walletId, amount, ...more }),
      read: async (id: string) => (await tenant.get(`/fiat/conversions/${id}`)).body,
    };
  }

  /** Lets the time of the vendor and the chain pass, and runs the jobs. */
  async function run(payer: Parameters<typeof live.run>[0], seconds = 6): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await conversions.advance(1);
      await live.run(payer);
    }
  }

  /** What the hourly comparison of the ledger with the chain has found. */
  async function differences(): Promise<string[]> {
    harness.clock.advanceSeconds(3_601);
    await live.watch();
    await checkChainBalances(harness.app);
    return harness.logLines.filter((line) => line.includes("differs from the ledger"));
  }

  it("into tokens is completed when Bridge's deposit is final, and credited once", async () => {
    const { payer, address, onRamp, read } = await seed();
    const { status, body } = await onRamp("25.00");
    expect([status, body.status]).toEqual([200, "awaiting_funds"]);

    await conversions.deposit(body);
    await run(payer);

    const done = await read(body.conversion_id);
    expect(done).toMatchObject({
      status: "completed",
      trace: { tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), tx_final: true },
    });
    expect(done.destination.amount).toBe("24.96");
    expect(await base.balanceOf(address)).toBe(124_960_000n);
    expect(await payer.balance()).toEqual({ total: 124_960_000n, held: 0n });
    expect(await differences()).toEqual([]);
  });

  it("into tokens is not completed by Bridge's word, nor by another deposit; an alarm after a day", async () => {
    const { payer, onRamp, read } = await seed();
    const { body: activity } = await payer.tenant.get(`/wallets/${payer.walletId}/activity`);
    const hashes = [OTHER_HASH, activity.data[0].tx_hash];
    const { body } = await onRamp("25.00");
    await conversions.deposit(body);
    for (const destinationTxHash of hashes) {
      live.changeTransfer((transfer) => ({
        ...transfer,
        receipt: transfer.receipt && { ...transfer.receipt, destinationTxHash },
      }));
      await run(payer);
      expect((await read(body.conversion_id)).status).toBe("payment_submitted");
    }
    harness.clock.advanceSeconds(2 * 24 * 3_600);
    await conversions.advance(1);
    expect(harness.logLines.join()).toContain("no deposit of an on-ramp has come: operator action required");
    // The deposit is in the wallet, whatever Bridge says.
    expect(await payer.balance()).toEqual({ total: 124_960_000n, held: 0n });

    live.changeTransfer((transfer) => transfer);
    harness.clock.advanceSeconds(3_600);
    await conversions.advance(1);
    expect((await read(body.conversion_id)).status).toBe("completed");
  });

  it("into dollars sends the tokens to Bridge's address, and is completed after a final block", async () => {
    const { payer, address, offRamp, read } = await seed();

    const { status, body } = await offRamp("40.00");
    expect([status, body.status]).toEqual([200, "awaiting_funds"]);
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 40_000_000n });
    await run(payer);

    const done = await read(body.conversion_id);
    expect(done).toMatchObject({ status: "completed", trace: { tx_hash: expect.any(String), tx_final: true } });
    const [operation] = await payer.operations();
    expect(done.trace.tx_hash).toBe(operation?.transactionHash);
    expect(await base.balanceOf(address)).toBe(60_000_000n);
    expect(await payer.balance()).toEqual({ total: 60_000_000n, held: 0n });
    expect(await differences()).toEqual([]);
  });

  it("into dollars that the bank returns is refunded by a deposit, and credited once", async () => {
    const { payer, address, offRamp, read } = await seed();
    const { body } = await offRamp("20.13");

    await run(payer, 12);
    expect((await read(body.conversion_id)).status).toBe("completed");
    // Without webhooks, a completed conversion is looked at once a day.
    harness.clock.advanceSeconds(24 * 3_600);
    await run(payer, 12);

    expect((await read(body.conversion_id)).status).toBe("refunded");
    expect(await base.balanceOf(address)).toBe(100_000_000n);
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 0n });
    expect(await differences()).toEqual([]);
  });

  it("into dollars of a wallet that is frozen before the tokens are sent is canceled, and its transfer deleted", async () => {
    const { payer, offRamp, read } = await seed();
    const { body } = await offRamp("40.00");
    await payer.tenant.post(`/wallets/${payer.walletId}/freeze`, { reason: "anomaly" });

    await run(payer, 12);

    expect((await read(body.conversion_id)).status).toBe("canceled");
    expect(await payer.operations()).toEqual([]);
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 0n });
  });

  it("into dollars whose tokens can never be sent has failed, and its hold is released", async () => {
    const { payer, address, offRamp, read } = await seed();
    await base.take(address, 80_000_000n);
    const { body } = await offRamp("40.00");

    await run(payer, 12);

    expect(await read(body.conversion_id)).toMatchObject({ status: "failed", failure: { code: "would_revert" } });
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 0n });
    const objects = await harness.sandbox.objects("bridge");
    expect(objects.filter(({ type }) => type === "transfer").at(-1)?.state).toBe("canceled");
  });

  it.each([
    ["a wallet of ours", async (tenant: Tenant) => String((await createWallet(tenant)).address)],
    ["the token", async () => base.usdc],
    ["with a wrong checksum", async () => "0x8Ba1f109551bD432803012645Ac136ddd64DBA72"],
    ["too short", async () => "0x12"],
  ])("into dollars is halted if the address that Bridge names is %s: no token leaves", async (_what, addressOf) => {
    const { payer, offRamp, read } = await seed();
    const address = await addressOf(payer.tenant);
    live.changeTransfer((transfer) => ({
      ...transfer,
      depositInstructions: transfer.depositInstructions && { ...transfer.depositInstructions, address },
    }));
    const { body } = await offRamp("40.00");

    await run(payer);

    expect((await read(body.conversion_id)).status).toBe("in_review");
    expect(harness.logLines.join()).toContain('"difference":"deposit_address"');
    expect(await payer.operations()).toEqual([]);
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 40_000_000n });
  });

  it("into dollars is halted if Bridge names another address later: the tokens are not sent twice", async () => {
    const { payer, offRamp, read } = await seed();
    live.changeBundler(() => ({ sendOperation: async () => Promise.reject(new Error("lost")) }));
    const { body } = await offRamp("40.00");
    live.changeTransfer((transfer) => ({
      ...transfer,
      depositInstructions: transfer.depositInstructions && { ...transfer.depositInstructions, address: OTHER_ADDRESS },
    }));

    await conversions.advance(6);

    expect(harness.logLines.join()).toContain('"difference":"deposit_address"');
    await live.send(payer).catch(() => {});
    expect(await payer.operations()).toEqual([]);
    expect((await read(body.conversion_id)).status).toBe("awaiting_funds");
  });

  it("needs keys of a bundler only to send tokens: into dollars 409", async () => {
    const { onRamp, offRamp } = await seed();
    const { bundlers } = harness.app;
    Object.assign(harness.app, { bundlers: { ...bundlers, operatorKey: null } });
    const [into, out] = [await onRamp("25.00"), await offRamp("25.00")];
    Object.assign(harness.app, { bundlers });
    expect([into.status, into.body.status]).toEqual([200, "awaiting_funds"]);
    expect([out.status, out.body.code]).toEqual([409, "provider_not_configured"]);
  });

  it("503: on a test network, where Bridge has none", async () => {
    const { payer, onRamp } = await seed();
    const { wallet_id } = await createWallet(payer.tenant, { network: "base-sepolia" });

    const { status, body } = await onRamp("25.00", { wallet_id });

    expect([status, body.code]).toEqual([503, "network_unavailable"]);
    expect(body.detail).toContain("only on main networks");
  });
});
