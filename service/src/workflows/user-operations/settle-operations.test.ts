import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { useLivePayments } from "../../../test/networks/live-payments.ts";
import { expectSumsToMatch } from "../../../test/payments/money-state.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { SignerKey } from "../../ports/wallet-signer.ts";
import { checkChainBalances } from "../networks/check-chain-balances.ts";

const CONFIRMATIONS = 7;
const PAYMENTS = 3;
const crash = async () => {
  throw new Error("the process was killed");
};

describe("live payments on a chain that replaces blocks", () => {
  const live = useLivePayments({ confirmations: CONFIRMATIONS });
  const { harness, base } = live;

  beforeEach(() => live.prepare());

  /** Sends what waits and lets the chain go on until nothing is under way. */
  async function finish(payer: Parameters<typeof live.send>[0]): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      harness.clock.advanceSeconds(15);
      await live.send(payer);
      await setTimeout(50);
      await base.mine(CONFIRMATIONS);
      await live.watch();
    }
  }

  it("a payment is submitted with its block, and confirmed with the seventh", async () => {
    const { payer } = await live.seedPayer();
    const { body } = await payer.pay();
    await live.send(payer);
    await untilMined(payer, body.payment_id);
    await base.mine(CONFIRMATIONS - 2);
    await live.watch();
    expect((await payer.read(body.payment_id)).body).toMatchObject({
      ...{ status: "submitted", paid_amount: null, receipt: null, settled_at: null },
      onchain: { tx_hash: expect.stringMatching(/^0x/), block_number: expect.any(Number), confirmations: 6 },
    });
    expect((await payer.balance()).total).toBe(100_000_000n);

    await base.mine(1);
    await live.watch();

    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "confirmed", paid_amount: "5.00" });
  });

  async function untilMined(payer: Awaited<ReturnType<typeof live.seedPayer>>["payer"], paymentId: string) {
    for (let look = 0; look < 200; look += 1) {
      await live.watch();
      if ((await payer.read(paymentId)).body.onchain?.block_number) return;
      await setTimeout(25);
    }
    throw new Error("The payment is in no block.");
  }

  it("a payment that a vendor signs too late stays in signing until a final block is later, and is dropped then", async () => {
    Object.assign(harness.app.walletSigners, { name: "turnkey" });
    const { payer } = await live.seedPayer({ signerKeys: harness.sandbox.turnkey.approvedCredentials });
    Object.assign(harness.app.walletSigners, { name: "local" });
    const { body } = await payer.pay();
    await live.send(payer);
    await base.local.testClient.increaseTime({ seconds: 601 });
    await base.mine(1);
    await live.watch();
    await harness.sandbox.turnkey.approve();
    await live.send(payer);
    expect((await payer.read(body.payment_id)).body.status).toBe("signing");

    await base.mine(CONFIRMATIONS);
    await live.watch();
    await live.send(payer);

    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "dropped", failure: { code: "expired" } });
  });

  it("a payment in a block whose logs a node does not show yet is not taken for replaced", async () => {
    const { payer } = await live.seedPayer();
    const { body } = await payer.pay();
    await live.send(payer);
    await untilMined(payer, body.payment_id);
    for (const node of base.nodes) node.interceptResult("eth_getLogs", () => []);
    await base.mine(CONFIRMATIONS - 1);
    await live.watch();
    expect((await payer.read(body.payment_id)).body.status).toBe("submitted");

    for (const node of base.nodes) node.reset();
    await base.mine(1);
    await live.watch();

    expect((await payer.read(body.payment_id)).body.status).toBe("confirmed");
  });

  it.each([1, 2, 3, 4, 5, 6])("%d replaced blocks: what was in them is sent again and paid once", async (depth) => {
    const { payer, wallet } = await live.seedPayer();
    const ids: string[] = [];
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      const { body } = await payer.pay({ amount: "1.00" });
      ids.push(body.payment_id);
      await live.send(payer);
      await untilMined(payer, ids[0] ?? "");
    }

    await base.reorganize(depth);
    await live.watch();
    await finish(payer);

    expect(await payer.statuses()).toEqual({ confirmed: PAYMENTS });
    expect(await base.balanceOf(wallet.address)).toBe(97_000_000n);
    expect(await payer.balance()).toEqual({ total: 97_000_000n, held: 0n });
    await expectSumsToMatch(harness.app, payer.tenantId);
    harness.clock.advanceSeconds(2 * 3_600);
    await checkChainBalances(harness.app);
    expect(harness.logLines.filter((line) => line.includes("differs from the ledger"))).toEqual([]);
  });
});

describe("live payments in races and after crashes", () => {
  const live = useLivePayments();
  const { harness, base } = live;

  beforeEach(() => live.prepare());

  it.each([
    ["before the operation is signed", { estimatePreVerificationGas: crash }],
    ["after its bytes were stored, before they are sent", { sendOperation: crash }],
  ])("a process that is killed %s: the next one pays, once", async (_when, change) => {
    const { payer, wallet } = await live.seedPayer();
    await payer.pay();
    live.changeBundler(() => change);
    await expect(live.send(payer)).rejects.toThrow("killed");

    live.changeBundler(() => ({}));
    harness.clock.advanceSeconds(15);
    await live.run(payer);

    expect(await payer.statuses()).toEqual({ confirmed: 1 });
    expect(await payer.operations()).toHaveLength(1);
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
  });

  it("a process that is killed after the bundler has taken the operation: it is paid once", async () => {
    const { payer, wallet } = await live.seedPayer();
    await payer.pay();
    live.changeBundler(({ sendOperation }) => ({
      sendOperation: async (operation) => {
        await sendOperation(operation);
        return crash();
      },
    }));
    await expect(live.send(payer)).rejects.toThrow("killed");

    live.changeBundler(() => ({}));
    harness.clock.advanceSeconds(15);
    await live.run(payer);

    expect(await payer.statuses()).toEqual({ confirmed: 1 });
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
  });

  it("a process whose simulation fails does not end what another process has sent meanwhile", async () => {
    const { payer, wallet } = await live.seedPayer();
    const { body } = await payer.pay();
    let isFirst = true;
    live.changeBundler(({ estimatePreVerificationGas }) => ({
      estimatePreVerificationGas: async (operation) => {
        if (isFirst) {
          isFirst = false;
          await live.send(payer);
          const failed = { result: [{ calls: [{ status: "0x0", returnData: "0x", logs: [] }] }] };
          for (const node of base.nodes) {
            node.intercept(({ method }) => (method === "eth_simulateV1" ? { status: 200, body: failed } : undefined));
          }
        }
        return estimatePreVerificationGas(operation);
      },
      sendOperation: async () => {
        throw new VendorError("unknown", { vendor: "pimlico", operation: "send" });
      },
    }));

    await live.send(payer);

    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "submitted", failure: null });
    expect((await payer.balance()).held).toBe(5_000_000n);
    for (const node of base.nodes) node.reset();
    live.changeBundler(() => ({}));
    harness.clock.advanceSeconds(15);
    await live.run(payer);
    expect(await payer.statuses()).toEqual({ confirmed: 1 });
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
  });

  it("100 queued, five processes and a freeze: none enters signing after its response, and nothing is held at the end", async () => {
    const { payer, wallet } = await live.seedPayer();
    await payer.pay({ amount: "1.00" });
    await live.run(payer);
    for (let payment = 0; payment < 100; payment += 1) await payer.pay({ amount: "0.10" });
    const sending = Array.from({ length: 5 }, () => live.send(payer).catch(() => {}));
    await setTimeout(20);

    const frozen = await payer.tenant.post(`/wallets/${wallet.wallet_id}/freeze`, { reason: "anomaly" });
    const begun = (await payer.operations()).length;
    await Promise.all(sending);
    await live.run(payer);

    expect(frozen.status).toBe(204);
    expect(await payer.operations()).toHaveLength(begun);
    const statuses = await payer.statuses();
    expect((statuses["confirmed"] ?? 0) + (statuses["canceled"] ?? 0) + (statuses["dropped"] ?? 0)).toBe(101);
    const { total, held } = await payer.balance();
    expect(held).toBe(0n);
    expect(await base.balanceOf(wallet.address)).toBe(total);
    await expectSumsToMatch(harness.app, payer.tenantId);
  });

  it("a payment that cannot be settled stops no other, and is settled later", async () => {
    const [first, second] = [await live.seedPayer(), await live.seedPayer()];
    await first.payer.pay();
    await second.payer.pay();
    const { signer } = harness.app;
    const { sign } = signer;
    let calls = 0;
    Object.assign(signer, {
      sign: (...given: Parameters<typeof sign>) => {
        calls += 1;
        if (calls === 1) throw new Error("no receipt can be signed");
        return sign(...given);
      },
    });
    await Promise.all([live.send(first.payer), live.send(second.payer)]);
    await base.mine(7);
    await live.watch();
    Object.assign(signer, { sign });

    expect(harness.logLines.join()).toContain("could not be settled");
    expect(await first.payer.statuses()).toEqual({ confirmed: 1 });
    expect(await second.payer.statuses()).toEqual({ confirmed: 1 });
  });

  it("a signature of another key is never sent", async () => {
    const { payer } = await live.seedPayer();
    await payer.pay();
    const { local } = harness.app.walletSigners;
    const { signDigest } = local;
    Object.assign(local, {
      signDigest: (key: SignerKey, digest: `0x${string}`, at: Date) =>
        signDigest(key, `0x${digest.slice(2).split("").reverse().join("")}`, at),
    });
    try {
      await expect(live.send(payer)).rejects.toThrow(VendorError);
    } finally {
      Object.assign(local, { signDigest });
    }
    expect(await payer.operations()).toMatchObject([{ signedOperation: null }]);
  });
});
