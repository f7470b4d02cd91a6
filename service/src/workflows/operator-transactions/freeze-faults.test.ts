import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { chainFreezesOf, DOWN } from "../../../test/networks/chain-freezes.ts";
import { useLivePayments } from "../../../test/networks/live-payments.ts";
import { OPERATOR_KEYS } from "../../../test/networks/local-network.ts";
import { createWallet } from "../../../test/wallets/create-wallet.ts";
import { addressOfKey, encodeFreeze } from "../../crypto/guardian-transaction.ts";
import { requireEvmNetwork } from "../../modules/networks/networks.ts";
import { isSigned } from "../../modules/operator-transactions/queries.ts";
import { recordReceipt } from "./record-receipt.ts";

const FROZEN = ["frozen", "confirmed", true];
const ACTIVE = ["active", "not_frozen", false];
const HOUR_SECONDS = 3_600;

describe("a freeze on a chain whose nodes fail, with three confirmations", () => {
  const live = useLivePayments({ confirmations: 3 });
  const { harness, base } = live;
  const { read, runJob, settle, seed, transactions } = chainFreezesOf(live);

  beforeEach(async () => {
    for (const node of base.nodes) node.reset();
    await base.local.testClient.setAutomine(true);
    await live.prepare();
  });

  const resetNodes = () => {
    for (const node of base.nodes) node.reset();
  };

  it("freeze, unfreeze, freeze, unfreeze without a block between them ends unfrozen in both places", async () => {
    const { freeze, unfreeze, state } = await seed();
    await freeze();
    await base.local.testClient.setAutomine(false);
    await unfreeze();
    await freeze({ reason: "anomaly" });
    await unfreeze();
    await base.mine(1);
    await settle();
    expect(await state()).toEqual(ACTIVE);
  });

  it("a freeze in Purser, while an unfreezing waits for a freeze that is in no block, stays true in both places", async () => {
    const { freeze, unfreeze, freezeHere, state } = await seed();
    await base.local.testClient.setAutomine(false);
    await freeze();
    await unfreeze();
    await freezeHere();
    await runJob();
    await settle();
    expect(await state()).toEqual(FROZEN);
    await unfreeze();
    await settle();
    expect(await state()).toEqual(ACTIVE);
  });

  it("a node that is behind does not make an account count as not frozen", async () => {
    const { freeze, unfreeze, state } = await seed();
    const old = new Map<string, unknown>();
    base.nodes[0]?.interceptResult("eth_call", (result, params) => {
      old.set(JSON.stringify(params), result);
      return result;
    });
    await freeze();
    base.nodes[0]?.interceptResult("eth_call", (result, params) => old.get(JSON.stringify(params)) ?? result);
    expect((await unfreeze()).status).toBe(503);
    resetNodes();
    await settle();
    expect(await state()).toEqual(ACTIVE);
  });

  it("a chain that replaces freeze and unfreeze, and takes the unfreeze first, ends unfrozen", async () => {
    const { freeze, unfreeze, state } = await seed();
    await freeze();
    expect((await unfreeze()).status).toBe(204);
    await base.reorganize(2);
    const frozen = (await transactions()).at(-2)?.signedTransaction;
    for (const node of base.nodes) {
      node.intercept(({ method, params }) =>
        method === "eth_sendRawTransaction" && params[0] === frozen ? DOWN : undefined,
      );
    }
    for (let run = 0; run < 3; run += 1) await runJob();
    resetNodes();
    await settle();
    await settle();
    expect(await state()).toEqual(ACTIVE);
  });

  it("409: a repeated request to unfreeze does not lift a freeze that came after the first", async () => {
    const { freeze, unfreeze, freezeHere, show } = await seed();
    const key = randomUUID();
    await freeze();
    await base.local.testClient.setAutomine(false);
    expect((await unfreeze({}, key)).status).toBe(503);
    await freezeHere();

    const repeated = await unfreeze({}, key);

    expect([repeated.status, repeated.body.code]).toEqual([409, "conflict"]);
    await settle();
    expect(await show()).toMatchObject({ status: "frozen", freeze: { reason: "legal_order" } });
  });

  it("a freeze by someone else during an unfreezing stays, with an alarm", async () => {
    const { freeze, unfreeze, state, address } = await seed();
    await freeze();
    await base.local.testClient.setAutomine(false);
    await unfreeze();
    const [from, to] = [
      addressOfKey(OPERATOR_KEYS.PURSER_FREEZER_KEY) as `0x${string}`,
      base.local.addresses.agentGuardian,
    ];
    await base.local.testClient.impersonateAccount({ address: from });
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n };
    const data = encodeFreeze({ address }, 7n);
    await base.local.walletClient.sendTransaction({ account: from, chain: null, to, data, gas: 200_000n, ...fees });
    await settle();
    expect(await state()).toEqual(FROZEN);
    expect(harness.logLines.join()).toContain("someone else has frozen an account");
  });

  it("unfreezes that the operator cannot pay for stop no freeze, and are reported after ten minutes", async () => {
    const { freeze, payer } = await seed({ isDeployed: false });
    const wallets = [];
    for (let count = 0; count < 16; count += 1) wallets.push(await createWallet(payer.tenant));
    const post = (id: string, verb: string, body: object) => payer.tenant.post(`/wallets/${id}/${verb}`, body);
    for (const { wallet_id } of wallets) await post(wallet_id, "freeze-on-chain", { reason: "anomaly" });
    const unfreezer = addressOfKey(OPERATOR_KEYS.PURSER_UNFREEZER_KEY) as `0x${string}`;
    await base.local.testClient.setBalance({ address: unfreezer, value: 0n });
    await Promise.all(wallets.map(({ wallet_id }) => post(wallet_id, "unfreeze", {})));
    await runJob();

    expect((await freeze()).body.onchain.status).toBe("confirmed");

    await runJob(600);
    expect(harness.logLines.join()).toContain("could not unfreeze an account on its network: operator action required");
    await base.local.testClient.setBalance({ address: unfreezer, value: 10n ** 20n });
    await settle();
    const shown = await Promise.all(wallets.map(({ wallet_id }) => payer.tenant.get(`/wallets/${wallet_id}`)));
    expect(new Set(shown.map(({ body }) => body.status))).toEqual(new Set(["active"]));
  });

  it("is not confirmed by the receipt of one node, nor ended by its head", async () => {
    const { freeze, state } = await seed();
    await base.local.testClient.setAutomine(false);
    base.nodes[0]?.interceptResult("eth_getTransactionReceipt", (_receipt, [hash]) => ({
      ...{ transactionHash: hash, blockNumber: "0x1", blockHash: `0x${"ab".repeat(32)}`, status: "0x1" },
    }));
    expect((await freeze()).body.onchain.status).toBe("pending");
    await runJob();
    expect((await state())[1]).toBe("pending");
    base.nodes[0]?.interceptResult("eth_getBlockByNumber", (block) => ({ ...Object(block), number: "0xffffff" }));
    await base.mine(1);
    await runJob();
    resetNodes();
    await base.reorganize(1);
    await settle();
    expect(await state()).toEqual(FROZEN);
  });

  it("one node that says that it has reverted costs no second transaction", async () => {
    const { freeze, address } = await seed();
    base.nodes[0]?.interceptResult(
      "eth_getTransactionReceipt",
      (receipt) => receipt && { ...Object(receipt), status: "0x0" },
    );
    await freeze();
    for (let run = 0; run < 5; run += 1) await runJob();
    resetNodes();
    await settle();
    expect(await read(address, "epoch")).toBe(1);
  });

  it("that reverts in a block that is then replaced leaves no gap in the nonces", async () => {
    const { freeze, state } = await seed();
    await base.local.testClient.setAutomine(false);
    for (const node of base.nodes) node.interceptResult("eth_estimateGas", () => "0x6000");
    await freeze();
    resetNodes();
    await base.mine(1);
    await runJob();
    await base.reorganize(1);
    await settle();
    await settle();
    expect(await state()).toEqual(FROZEN);
  });

  it("one node with a wrong count of transactions does no harm", async () => {
    const { freeze, state } = await seed();
    base.nodes[0]?.interceptResult("eth_getTransactionCount", (count) => `0x${(Number(count) + 50).toString(16)}`);
    await freeze();
    resetNodes();
    await settle();
    expect(await state()).toEqual(FROZEN);
  });

  it.each([
    ["a gas estimate", "eth_estimateGas", () => "0xfffffffff"],
    [
      "a price of gas that is 0",
      "eth_feeHistory",
      (history: unknown) => ({ ...Object(history), baseFeePerGas: ["0x0"] }),
    ],
  ])("%s that cannot be true delays it, and no other tenant's freeze for good", async (_what, method, change) => {
    const [first, second] = [await seed(), await seed()];
    await base.local.testClient.setAutomine(false);
    for (const node of base.nodes) node.interceptResult(method, change);
    await first.freeze();
    resetNodes();
    await second.freeze();
    for (let run = 0; run < 25; run += 1) await runJob(30);
    await settle();
    expect([await first.state(), await second.state()]).toEqual([FROZEN, FROZEN]);
  });

  it("that has ended is not forgotten by a process with an old look at it", async () => {
    const { freeze, state } = await seed();
    await freeze();
    const old = (await transactions()).at(-1);
    const chain = requireEvmNetwork(harness.app, "base");
    if (old === undefined || !isSigned(old)) throw new Error("unreachable");
    const behind = {
      ...chain,
      readAgreedReceipts: async (hashes: readonly string[]) => {
        await settle();
        return hashes.map(() => null);
      },
    };
    await recordReceipt(harness.app, behind, old);
    await settle();
    expect(await state()).toEqual(FROZEN);
  });

  it("nodes that hang do not delay the answer, however many freezes wait", async () => {
    const { freeze, payer } = await seed({ isDeployed: false });
    for (const node of base.nodes) node.intercept(() => DOWN);
    for (let count = 0; count < 24; count += 1) {
      const { wallet_id } = await createWallet(payer.tenant);
      await payer.tenant.post(`/wallets/${wallet_id}/freeze-on-chain`, { reason: "anomaly" });
    }
    for (const node of base.nodes) node.intercept(() => "silence");
    harness.clock.advanceSeconds(HOUR_SECONDS);
    const before = performance.now();

    const { body } = await freeze();

    expect(body.onchain.status).toBe("pending");
    expect(performance.now() - before).toBeLessThan(5_000);
    resetNodes();
    await settle();
  });
});
