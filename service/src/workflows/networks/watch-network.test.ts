import { beforeEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { OPERATOR_KEYS, useLocalNetwork } from "../../../test/networks/local-network.ts";
import { auditOf, eventsOf } from "../../../test/project-seeds.ts";
import { createWallet } from "../../../test/wallets/create-wallet.ts";
import type { App } from "../../app.ts";
import { addressOfKey } from "../../crypto/guardian-transaction.ts";
import { runDueWork } from "../../due-work/run-due-work.ts";
import { requireEvmNetwork, resumeNetwork, stopNetwork, useNetwork } from "../../modules/networks/networks.ts";
import { networkCursorRows } from "../../modules/networks/queries.ts";
import { recordDeposits } from "../../modules/wallets/deposits/deposits.ts";
import { checkLedger } from "../check-ledger.ts";
import { checkChainBalances } from "./check-chain-balances.ts";
import { superviseNetworks } from "./supervise-networks.ts";
import { watchNetwork, watchNetworks } from "./watch-network.ts";

const CONFIRMATIONS = 7;
const FALSE_TOKEN = "0x00000000000000000000000000000000000fa15e";

describe("deposits on a chain", () => {
  const base = useLocalNetwork("base");
  const harness = useHarness({
    environment: {
      get PURSER_RPC_URLS() {
        return base.environment.PURSER_RPC_URLS;
      },
      PURSER_RPC_TIMEOUT_MS: "1000",
      PURSER_CONFIRMATIONS: String(CONFIRMATIONS),
      ...OPERATOR_KEYS,
    },
  });
  let app: App;

  beforeEach(async () => {
    app = harness.app;
    await useNetwork(app, "base");
    if ((await cursorOf()).stoppedAt !== null) await resumeNetwork(app, "base");
    await watch();
    harness.logLines.length = 0;
  });

  const cursorOf = () => networkCursorRows.get(app.db, { network: "base" });
  const alarms = () => harness.logLines.filter((line) => line.includes("operator action required"));

  /** Looks until nothing is new. */
  async function watch(): Promise<void> {
    for (let look = 0; look < 4; look += 1) await watchNetwork(app, "base");
  }

  async function seed() {
    const tenant = await harness.seedTenant();
    const wallet = await createWallet(tenant);
    const path = `/wallets/${wallet.wallet_id}`;
    const read = async () => {
      const [{ body }, activity] = [await tenant.get(path), await tenant.get(`${path}/activity`)];
      const items: Record<string, string>[] = activity.body.data.filter(
        ({ type }: { type: string }) => type === "deposit",
      );
      return {
        available: body.balances[0].available,
        deposits: items.map(({ status, amount }) => `${status} ${amount}`),
      };
    };
    return { tenant, wallet, path, read, mint: (micros: bigint) => base.mint(wallet.address, micros) };
  }

  it("a deposit is pending in the activity, and credited with the seventh block; an entry and an event", async () => {
    const { tenant, wallet, path, read, mint } = await seed();
    const { transactionHash } = await mint(12_500_000n);
    await watch();
    expect(await read()).toEqual({ available: "0.00", deposits: ["pending 12.50"] });
    await base.mine(CONFIRMATIONS - 2);
    await watch();
    expect(await read()).toEqual({ available: "0.00", deposits: ["pending 12.50"] });

    await base.mine(1);
    await watch();

    expect(await read()).toEqual({ available: "12.50", deposits: ["confirmed 12.50"] });
    const { body } = await tenant.get(`${path}/activity`);
    expect(body.data).toMatchObject([
      { type: "deposit", activity_id: expect.stringMatching(/^dep_/), tx_hash: transactionHash, payment_id: null },
    ]);
    expect((await tenant.get(`${path}/balance`)).body.balances[0]).toMatchObject({
      total: "12.50",
      available: "12.50",
    });
    const [, event] = await eventsOf(app, wallet.wallet_id);
    expect(event).toMatchObject({
      type: "wallet.deposit_received",
      data: { balances: [{ available: "12.50" }, {}, {}, {}] },
    });
    const [, entry] = await auditOf(app, wallet.wallet_id);
    expect(entry).toMatchObject({
      ...{ action: "wallet.deposit_received", actor: { type: "system" } },
      facts: { token: "USDC", amount: "12.50", transaction_hash: transactionHash },
    });
    await checkLedger(app);
    expect(alarms()).toEqual([]);
  });

  it("a deposit to a frozen wallet is credited, and one to a wallet of another network is not", async () => {
    const { tenant, path, read, mint } = await seed();
    await tenant.post(`${path}/freeze`, { reason: "anomaly" });
    const other = await createWallet(tenant, { network: "polygon" });
    await base.mint(other.address, 1_000_000n);
    await mint(1_000_000n);
    await base.mine(CONFIRMATIONS);

    await watch();

    expect((await read()).available).toBe("1.00");
    expect((await tenant.get(`/wallets/${other.wallet_id}`)).body.balances[0].available).toBe("0.00");
  });

  it("transfers of a false token and of zero are no deposits", async () => {
    const { wallet, read, mint } = await seed();
    const code = await base.local.publicClient.getCode({ address: base.usdc });
    await base.local.testClient.setCode({ address: FALSE_TOKEN, bytecode: code ?? "0x" });
    await base.mintInOneBlock([[wallet.address, 5_000_000n]], FALSE_TOKEN);
    await mint(0n);
    await base.mine(CONFIRMATIONS);

    await watch();

    expect(await read()).toEqual({ available: "0.00", deposits: [] });
  });

  it("each deposit is credited once: two in a block, four processes at the same time, blocks that are read again", async () => {
    const { wallet, read } = await seed();
    const before = await cursorOf();
    await base.mintInOneBlock([
      [wallet.address, 1_000_000n],
      [wallet.address, 2_000_000n],
    ]);
    await base.mine(CONFIRMATIONS);

    await Promise.all(Array.from({ length: 4 }, () => watchNetwork(app, "base")));
    await watch();
    expect(await read()).toEqual({ available: "3.00", deposits: ["confirmed 2.00", "confirmed 1.00"] });
    await app.db.updateTable("networkCursors").set(before).where("network", "=", "base").execute();
    await watch();

    expect(await read()).toEqual({ available: "3.00", deposits: ["confirmed 2.00", "confirmed 1.00"] });
    await checkLedger(app);
    expect(alarms()).toEqual([]);
  });

  it("the deposits of 510 blocks at once, and of two accounts in one block", async () => {
    const [one, other] = [await seed(), await seed()];
    await base.mintInOneBlock([
      [one.wallet.address, 1_000_000n],
      [other.wallet.address, 2_000_000n],
    ]);
    await base.mine(500);
    await one.mint(4_000_000n);
    await base.mine(CONFIRMATIONS);

    await watch();

    expect([(await one.read()).available, (await other.read()).available]).toEqual(["5.00", "2.00"]);
    expect((await cursorOf()).blockNumber).toBe(await base.local.publicClient.getBlockNumber({ cacheTime: 0 }));
  });

  it.each([1, 2, 3, 4, 5, 6])("a reorganisation of %d blocks takes a pending deposit away", async (depth) => {
    const { wallet, read, mint } = await seed();
    await mint(3_000_000n);
    await base.mine(depth - 1);
    await watch();
    expect((await read()).deposits).toEqual(["pending 3.00"]);

    await base.reorganize(depth);
    await watch();
    expect(await read()).toEqual({ available: "0.00", deposits: [] });
    await mint(2_000_000n);
    await base.mine(CONFIRMATIONS);
    await watch();

    expect(await read()).toEqual({ available: "2.00", deposits: ["confirmed 2.00"] });
    expect(await base.balanceOf(wallet.address)).toBe(2_000_000n);
    expect(alarms()).toEqual([]);
  });

  it("a deposit that was recorded before a crash, and whose block was then replaced, is forgotten", async () => {
    const { read, mint } = await seed();
    const { blockNumber } = await mint(3_000_000n);
    const blocks = { from: blockNumber, to: blockNumber };
    await recordDeposits(app, requireEvmNetwork(app, "base"), blocks);
    expect((await read()).deposits).toEqual(["pending 3.00"]);

    await base.reorganize(1);
    await base.mine(CONFIRMATIONS);
    await watch();

    expect(await read()).toEqual({ available: "0.00", deposits: [] });
  });

  it("a chain that replaces a final block stops the network: an alarm, no credit; an operator resumes it", async () => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await base.mine(CONFIRMATIONS);
    await watch();
    await mint(4_000_000n);
    await base.mine(1);
    await watch();

    // Also replaces the first deposit. Empty blocks alone could get the same hashes again.
    await base.reorganize(CONFIRMATIONS + 3);
    await watch();
    expect(alarms()).toEqual([expect.stringContaining("network is stopped")]);
    expect((await cursorOf()).stoppedAt).not.toBeNull();
    const { blockNumber } = await mint(2_000_000n);
    await base.mine(CONFIRMATIONS);
    await watch();
    expect((await read()).available).toBe("1.00");
    expect((await auditOf(app, "base")).at(-1)).toMatchObject({ action: "network.stopped" });

    expect(await resumeNetwork(app, "base")).toBe(true);
    expect(await resumeNetwork(app, "base")).toBe(false);
    await watch();

    expect((await cursorOf()).blockNumber).toBeGreaterThan(blockNumber);
    expect(await read()).toEqual({ available: "3.00", deposits: ["confirmed 2.00", "confirmed 1.00"] });
  });

  it("a node that has not read the newest blocks yet changes nothing", async () => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await watch();
    const before = await cursorOf();
    await base.rollBack(1);

    await watch();

    expect(await cursorOf()).toEqual({ ...before, readAt: expect.any(Date) });
    expect((await read()).deposits).toEqual(["pending 1.00"]);

    // The chain then goes on in another way.
    await base.mine(1);
    await watch();
    expect((await read()).deposits).toEqual([]);
  });

  it.each<[what: string, method: string, change: (result: never) => unknown]>([
    ["has another block", "eth_getBlockByNumber", (block: object) => ({ ...block, hash: `0x${"ab".repeat(32)}` })],
    ["has no log", "eth_getLogs", () => []],
    ["reports another amount", "eth_getLogs", ([log]: object[]) => [{ ...log, data: `0x${"5".padStart(64, "0")}` }]],
    [
      "reports another sender",
      "eth_getLogs",
      ([log]: Record<"topics", string[]>[]) => [
        { ...log, topics: [log?.topics[0], `0x${"1".padStart(64, "0")}`, log?.topics[2]] },
      ],
    ],
    [
      "reports another transaction",
      "eth_getLogs",
      ([log]: object[]) => [{ ...log, transactionHash: `0x${"cd".repeat(32)}` }],
    ],
  ])("nothing is credited while the second node %s; an alarm after five minutes", async (_what, method, change) => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await base.mine(CONFIRMATIONS);
    base.nodes[1]?.interceptResult(method, change as (result: unknown) => unknown);

    await watch();
    expect(await read()).toEqual({ available: "0.00", deposits: ["pending 1.00"] });
    await superviseNetworks(app);
    expect(alarms()).toEqual([]);
    harness.clock.advanceSeconds(301);
    await watch();
    await superviseNetworks(app);
    expect(alarms()).toEqual([expect.stringContaining("nodes of a network differ")]);
    base.nodes[1]?.reset();
    await watch();

    expect(await read()).toEqual({ available: "1.00", deposits: ["confirmed 1.00"] });
  });

  it("a deposit is not credited before both nodes have seven blocks", async () => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await base.mine(CONFIRMATIONS - 2);
    const head = await base.local.publicClient.getBlockNumber({ cacheTime: 0 });
    const block = (number: bigint) => ({
      number: `0x${number.toString(16)}`,
      hash: `0x${String(number).padStart(64, "a")}`,
      timestamp: "0x1",
    });
    base.nodes[0]?.interceptResult("eth_getBlockByNumber", (found, [tag]) => {
      if (tag === "latest") return block(head + 6n);
      return found ?? (BigInt(String(tag)) <= head + 6n ? block(BigInt(String(tag))) : null);
    });

    await watch();
    expect((await read()).available).toBe("0.00");
    base.nodes[0]?.reset();
    await watch();
    await base.mine(1);
    await watch();

    expect((await read()).available).toBe("1.00");
  });

  it("two reorganisations in a row that replace a final block stop the network", async () => {
    const { mint } = await seed();
    await mint(1_000_000n);
    await base.mine(CONFIRMATIONS);
    await watch();
    await base.reorganize(5);
    await mint(1n);
    await watch();
    expect((await cursorOf()).stoppedAt).toBeNull();

    await base.reorganize(CONFIRMATIONS + 5);
    await watch();

    expect((await cursorOf()).stoppedAt).not.toBeNull();
  });

  it("a reorganisation of one block just after the network was resumed does not stop it", async () => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await stopNetwork(app, await cursorOf());
    await resumeNetwork(app, "base");

    await base.reorganize(1);
    await base.mine(1);
    await watch();

    expect((await cursorOf()).stoppedAt).toBeNull();
    expect((await read()).deposits).toEqual([]);
  });

  it("600 transfers to one wallet in a block are credited", async () => {
    const { wallet, read } = await seed();
    await base.mintInOneBlock(Array.from({ length: 600 }, () => [wallet.address, 1_000n] as const));
    await base.mine(CONFIRMATIONS);
    await watch();
    expect((await read()).available).toBe("0.60");
  });

  it("nodes that limit the blocks of a call are asked for fewer", async () => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await base.mine(100);
    for (const node of base.nodes) {
      node.intercept(({ method, params }) => {
        const { fromBlock, toBlock } = Object(params[0]);
        const isTooMuch = method === "eth_getLogs" && BigInt(toBlock) - BigInt(fromBlock) >= 40n;
        return isTooMuch ? { status: 200, body: { error: { code: -32005, message: "too many blocks" } } } : undefined;
      });
    }

    for (let look = 0; look < 20; look += 1) await watchNetwork(app, "base").catch(() => {});

    expect((await read()).available).toBe("1.00");
  });

  it("a false log of the first node is never credited", async () => {
    const { wallet, read } = await seed();
    const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
    base.nodes[0]?.interceptResult("eth_getLogs", (_logs, [filter]) => [
      {
        ...{ address: base.usdc, topics: [Object(filter).topics[0], topic(FALSE_TOKEN), topic(wallet.address)] },
        ...{ data: `0x${"989680".padStart(64, "0")}`, logIndex: "0x0", transactionHash: `0x${"ef".repeat(32)}` },
        ...blockOf(filter),
      },
    ]);
    await base.mine(1);
    await watch();
    base.nodes[0]?.reset();
    await base.mine(CONFIRMATIONS);

    await watch();

    expect((await read()).available).toBe("0.00");
  });

  it.each(["silence", { status: 500, body: {} }] as const)(
    "while the nodes answer with %j nothing moves; an alarm after five minutes",
    async (answer) => {
      const { read, mint } = await seed();
      await mint(1_000_000n);
      await base.mine(CONFIRMATIONS);
      for (const node of base.nodes) node.intercept(() => answer);

      await expect(watchNetwork(app, "base")).rejects.toMatchObject({ failure: "unavailable" });
      harness.clock.advanceSeconds(301);
      await superviseNetworks(app);
      expect(alarms()).toEqual([expect.stringContaining("cannot be read")]);
      for (const node of base.nodes) node.reset();
      await watch();

      expect((await read()).available).toBe("1.00");
    },
  );

  it("the job looks every two seconds, also after a failure", async () => {
    const { read, mint } = await seed();
    await mint(1_000_000n);
    await base.mine(CONFIRMATIONS);
    for (const node of base.nodes) node.intercept(() => ({ status: 500, body: {} }));
    harness.clock.advanceSeconds(60);
    expect(await runDueWork(app, watchNetworks)).toBe(1);
    for (const node of base.nodes) node.reset();
    harness.clock.advanceSeconds(2);
    expect(await runDueWork(app, watchNetworks)).toBe(1);
    expect(await runDueWork(app, watchNetworks)).toBe(0);
    harness.clock.advanceSeconds(2);
    expect(await runDueWork(app, watchNetworks)).toBe(1);

    expect((await read()).available).toBe("1.00");
  });

  it("an alarm follows when a key of the operator or the paymaster can pay for few more transactions", async () => {
    const { testClient } = base.local;
    await superviseNetworks(app);
    expect(alarms()).toEqual([]);
    const addresses = [OPERATOR_KEYS.PURSER_FREEZER_KEY, OPERATOR_KEYS.PURSER_UNFREEZER_KEY].map(addressOfKey);
    const address = `0x${"a".repeat(40)}`;
    const auditAnchor = { ...app.auditAnchor, payer: { network: "base" as const, address } };
    for (const address of addresses) await testClient.setBalance({ address: address ?? "0x", value: 10n ** 12n });
    for (const node of base.nodes) {
      node.interceptResult("eth_feeHistory", (history) => ({
        ...Object(history),
        baseFeePerGas: ["0xffffffffffffff"],
      }));
    }

    await superviseNetworks({ ...app, auditAnchor });

    expect(alarms()).toEqual([
      expect.stringContaining("the freezer's balance pays for less than 20 transactions"),
      expect.stringContaining("the unfreezer's balance"),
      expect.stringContaining("the audit anchor's balance"),
      expect.stringContaining("the paymaster's deposit"),
    ]);
    expect(alarms().join()).not.toContain(OPERATOR_KEYS.PURSER_FREEZER_KEY);
  });

  it("in production, each network that has a node is in use from the start", async () => {
    const process = { ...app, networksInUse: new Set<"base">() };
    await superviseNetworks(process);
    expect(process.networksInUse).toEqual(new Set());

    await superviseNetworks({ ...process, settings: { ...app.settings, profile: "production" } });

    expect(process.networksInUse).toEqual(new Set(["base"]));
  });

  describe("the hourly comparison with the chain", () => {
    const alarmsAbout = ({ wallet_id }: { readonly wallet_id: string }) =>
      alarms().filter((line) => line.includes(wallet_id));

    it("finds no difference: a deposit that is pending, and one after the block that is compared", async () => {
      const { wallet, mint } = await seed();
      await mint(1_000_000n);
      await watch();
      const compare = async () => {
        harness.clock.advanceSeconds(3_600);
        await checkChainBalances(app);
        return alarmsAbout(wallet);
      };
      expect(await compare()).toEqual([]);
      const { finalNumber, finalHash } = await cursorOf();
      await base.mine(CONFIRMATIONS);
      await watch();
      expect(await compare()).toEqual([]);

      // As after a crash between the credit and the cursor.
      await app.db
        .updateTable("networkCursors")
        .set({ finalNumber, finalHash })
        .where("network", "=", "base")
        .execute();
      expect(await compare()).toEqual([]);
    });

    it("finds tokens that have left the wallet without a payment: an alarm and an entry, once an hour", async () => {
      const { wallet, mint } = await seed();
      await mint(2_000_000n);
      await base.mine(CONFIRMATIONS);
      await watch();
      await base.take(wallet.address, 500_000n);
      await base.mine(CONFIRMATIONS);
      await watch();
      harness.clock.advanceSeconds(3_600);

      await checkChainBalances(app);
      await checkChainBalances(app);

      expect(alarmsAbout(wallet)).toEqual([expect.stringContaining('"expected":"2.00","found":"1.50"')]);
      expect((await auditOf(app, wallet.wallet_id)).at(-1)).toMatchObject({ action: "wallet.chain_difference_found" });
      await base.mint(wallet.address, 500_000n);
    });
  });

  function blockOf(filter: unknown) {
    const { blockHash, fromBlock } = Object(filter);
    return { blockNumber: fromBlock ?? "0x1", blockHash: blockHash ?? `0x${"00".repeat(32)}` };
  }
});
