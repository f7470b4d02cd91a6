import { encodeFunctionData, erc20Abi } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { beforeEach, describe, expect, it } from "vitest";
import { TestClock } from "../../../test/clock.ts";
import { useLocalNetwork } from "../../../test/networks/local-network.ts";
import { addressOfKey, signTransaction } from "../../crypto/guardian-transaction.ts";
import type { HexText } from "../../crypto/user-operation.ts";
import type { EvmNetwork } from "../../ports/evm-network.ts";
import { createJsonRpcNetwork } from "./json-rpc-network.ts";

const ALICE = "0x52908400098527886E0F7030069857D2E4169EE7";
const BOB = "0x0000000000000000000000000000000000000B0b";
const HASH = /^0x[0-9a-f]{64}$/;
const OTHER_HASH = `0x${"ab".repeat(32)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TOPIC_OF_BOB = `0x${BOB.slice(2).toLowerCase().padStart(64, "0")}`;
const UNAVAILABLE = { failure: "unavailable", vendor: "base" };

describe("json-rpc network", () => {
  const local = useLocalNetwork("base");
  const wrongChains: bigint[] = [];
  let clock: TestClock;
  let network: EvmNetwork;

  beforeEach(() => {
    clock = new TestClock();
    wrongChains.length = 0;
    const urls = local.nodes.map(({ url }) => url);
    const onWrongChain = (chainId: bigint) => wrongChains.push(chainId);
    network = createJsonRpcNetwork({ network: "base", urls, timeoutMs: 1_500, clock, onWrongChain });
  });

  const node = (index: number) => {
    const found = local.nodes[index];
    if (found === undefined) throw new Error(`There is no node ${index}.`);
    return found;
  };
  const read = (owners: readonly string[] = [ALICE]) => network.readTokenBalances(local.usdc, owners, "latest");

  it("reads the balances of several owners with one call", async () => {
    await local.mint(ALICE, 5_000_000n);
    node(0).methods.length = 0;

    expect(await read([BOB, ALICE, BOB])).toEqual([0n, 5_000_000n, 0n]);
    expect(node(0).methods).toEqual(["eth_chainId", "eth_call"]);
  });

  it("reads those of 1,001 owners with three calls, in their order", async () => {
    const owners = Array.from({ length: 1_001 }, (_, index) => (index === 1_000 ? ALICE : BOB));
    const balances = await read(owners);
    expect(balances).toHaveLength(1_001);
    expect(balances.slice(0, 1_000).every((balance) => balance === 0n)).toBe(true);
    expect(balances[1_000]).toBeGreaterThan(0n);
    expect(node(0).methods.filter((method) => method === "eth_call")).toHaveLength(3);
  });

  it("reads no balance where the token's contract gives none", async () => {
    expect(await network.readTokenBalances(BOB, [ALICE], "latest")).toEqual([null]);
    expect(await network.readTokenBalances(local.local.addresses.agentAccountFactory, [ALICE], "latest")).toEqual([
      null,
    ]);
    expect(await read([])).toEqual([]);
  });

  it("asks a node for its chain once in ten seconds", async () => {
    await read();
    clock.advanceSeconds(9);
    await read();
    expect(node(0).methods).toEqual(["eth_chainId", "eth_call", "eth_call"]);
    clock.advanceSeconds(1);
    await read();
    expect(node(0).methods.slice(3)).toEqual(["eth_chainId", "eth_call"]);
  });

  it("does not use a node of another chain, and reports it", async () => {
    node(0).intercept(({ method }) =>
      method === "eth_chainId" ? { status: 200, body: { result: "0x1" } } : { status: 200, body: { result: "0x" } },
    );
    expect(await read()).toEqual([expect.any(BigInt)]);
    expect(node(0).methods).toEqual(["eth_chainId"]);
    expect(wrongChains).toEqual([1n]);
  });

  it.each([
    ["is silent", "silence"],
    ["fails", { status: 500, body: {} }],
    ["limits the rate of calls", { status: 429, body: {} }],
    ["rejects the call", { status: 200, body: { error: { code: -32601, message: "no such method" } } }],
    ["answers with other bytes", { status: 200, body: { result: `0x${"00".repeat(64)}` } }],
    ["answers with no hex", { status: 200, body: { result: "0xzz" } }],
    ["answers for fewer owners", { status: 200, body: { result: `0x${"20".padStart(64, "0")}${"0".repeat(64)}` } }],
  ] as const)("asks the second node if the first one %s, and fails if both do", async (_what, answer) => {
    node(0).intercept(({ method }) => (method === "eth_call" ? answer : undefined));
    expect(await read()).toEqual([expect.any(BigInt)]);

    node(1).intercept(({ method }) => (method === "eth_call" ? answer : undefined));
    await expect(read()).rejects.toMatchObject(UNAVAILABLE);
  });

  it("reads the newest block, one by its number, and null for one that the chain does not have", async () => {
    const head = await network.readBlock("latest");
    expect(head).toEqual({
      ...{ number: expect.any(BigInt), hash: expect.stringMatching(HASH), timeSeconds: expect.any(Number) },
    });
    const { number = 0n } = head ?? {};
    expect(await network.readBlock(number)).toEqual(head);
    expect(await network.readBlock(number - 1n)).toMatchObject({ number: number - 1n });
    expect(await network.readBlock(number + 1n)).toBeNull();
  });

  it("does not use a block with another number than the one that was asked for", async () => {
    for (const each of local.nodes)
      each.interceptResult("eth_getBlockByNumber", (block) => ({ ...Object(block), number: "0x1" }));
    await expect(network.readBlock(2n)).rejects.toMatchObject(UNAVAILABLE);
  });

  it("reads the transfers of a token to the recipients, in a range of blocks", async () => {
    const { transactionHash, blockNumber } = await local.mint(ALICE, 7_000_000n);
    await local.mint(BOB, 1n);
    const blocks = { from: blockNumber, to: blockNumber + 1n };

    const transfers = await network.readTransfers(local.usdc, [ALICE], blocks);

    expect(transfers).toEqual([
      {
        ...{ blockNumber, blockHash: expect.stringMatching(HASH), transactionHash, logIndex: 0 },
        ...{ from: `0x${"0".repeat(40)}`, to: ALICE.toLowerCase(), amount: 7_000_000n },
      },
    ]);
    expect(await network.readTransfers(local.usdc, [ALICE], { from: 0n, to: blockNumber - 1n })).not.toContainEqual(
      transfers[0],
    );
    expect(await network.readTransfers(local.usdc, [], blocks)).toEqual([]);
    node(0).methods.length = 0;
    expect(await network.readTransfers(local.usdc, [ALICE], { from: 2n, to: 1n })).toEqual([]);
    expect(node(0).methods).not.toContain("eth_getLogs");
  });

  it.each([
    ["of another contract", { address: BOB }],
    ["of another block", { blockNumber: "0x1" }],
    ["to another recipient", { topics: [TRANSFER, TOPIC_OF_BOB, TOPIC_OF_BOB] }],
    ["of another event", { topics: [TOPIC_OF_BOB, TOPIC_OF_BOB, TOPIC_OF_BOB] }],
    ["of an impossible amount", { data: `0x${"f".repeat(64)}` }],
    ["that was removed", { removed: true }],
    ["without a transaction", { transactionHash: null }],
  ])("does not use the answer of a node with a log %s", async (_what, change) => {
    const { blockNumber } = await local.mint(ALICE, 7_000_000n);
    for (const each of local.nodes) {
      each.interceptResult("eth_getLogs", (logs) => [logs].flat().map((log) => ({ ...Object(log), ...change })));
    }
    const blocks = { from: blockNumber, to: blockNumber };
    await expect(network.readTransfers(local.usdc, [ALICE], blocks)).rejects.toMatchObject(UNAVAILABLE);
  });

  it("asks all nodes for a block and for transfers: null if they differ; fails if one does not answer", async () => {
    const { blockNumber: number } = await local.mint(ALICE, 7_000_000n);
    const head = await network.readBlock(number);
    const blocks = { from: number, to: number };
    const transfersOf = () => network.readAgreedTransfers(local.usdc, [ALICE], blocks);

    expect(await network.readAgreedBlock(number)).toEqual(head);
    expect(await network.readAgreedBlock(number + 1n)).toBeNull();
    expect(await transfersOf()).toMatchObject([{ amount: 7_000_000n, blockHash: head?.hash }]);
    expect(await network.readHeads()).toEqual({ lowest: number, highest: number });
    node(1).interceptResult("eth_getLogs", () => []);
    expect(await transfersOf()).toBeNull();
    node(1).interceptResult("eth_getBlockByNumber", (block) => ({ ...Object(block), hash: OTHER_HASH }));
    expect(await network.readAgreedBlock(number)).toBeNull();
    node(1).interceptResult("eth_getBlockByNumber", (block) => ({ ...Object(block), number: "0x2" }));
    expect((await network.readHeads()).lowest).toBe(2n);
    node(1).intercept(() => ({ status: 500, body: {} }));
    await expect(network.readAgreedBlock(number)).rejects.toMatchObject(UNAVAILABLE);
    await expect(transfersOf()).rejects.toMatchObject(UNAVAILABLE);
  });

  it("sends a transaction to all nodes, and shows what has become of it", async () => {
    const privateKey = generatePrivateKey();
    const sender = addressOfKey(privateKey) ?? "0x";
    await local.local.testClient.setBalance({ address: sender, value: 10n ** 18n });
    expect(await network.readCoinBalance(sender)).toBe(10n ** 18n);
    expect(await network.readTransactionCount(sender, "latest")).toBe(0n);
    const price = await network.readGasPrice();
    const send = async (data: HexText, nonce: bigint, gasLimit: bigint) => {
      const call = { chainId: 8453, nonce, to: local.usdc, data, gasLimit, ...price };
      const { signed, hash } = signTransaction(call, privateKey);
      return { hash, refusal: await network.sendTransaction(signed) };
    };
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [BOB, 1n] });
    const gas = await network.estimateGas({ from: sender, to: local.usdc, data: approve });
    expect(gas).toBeGreaterThan(21_000n);
    expect(await network.estimateGas({ from: sender, to: local.usdc, data: "0x12345678" })).toBeNull();

    const sent = await send(approve, 0n, gas ?? 0n);
    const reverted = await send("0x12345678", 1n, 60_000n);

    expect([sent.refusal, reverted.refusal]).toEqual([undefined, undefined]);
    expect(await send(approve, 0n, 70_000n)).toMatchObject({ refusal: expect.stringContaining("nonce") });
    for (const { methods } of local.nodes) expect(methods).toContain("eth_sendRawTransaction");
    const hashes = [sent.hash, OTHER_HASH, reverted.hash];
    const receipts = await network.readReceipts(hashes);
    expect(receipts).toMatchObject([
      { transactionHash: sent.hash, success: true, blockNumber: expect.any(BigInt) },
      null,
      { transactionHash: reverted.hash, success: false },
    ]);
    expect(await network.readAgreedReceipts(hashes)).toEqual(receipts);
    expect(await network.readTransactionCount(sender, "latest")).toBe(2n);
    node(1).interceptResult("eth_getTransactionReceipt", (receipt) => receipt && { ...receipt, status: "0x1" });
    expect(await network.readAgreedReceipts(hashes)).toBeNull();
    node(0).interceptResult(
      "eth_getTransactionReceipt",
      (receipt) => receipt && { ...receipt, transactionHash: OTHER_HASH },
    );
    node(1).intercept(() => ({ status: 503, body: {} }));
    await expect(network.readReceipts([sent.hash])).rejects.toMatchObject(UNAVAILABLE);
    await expect(network.readAgreedReceipts([sent.hash])).rejects.toMatchObject(UNAVAILABLE);
  });

  it("repeats no key that is in the URL of a node", async () => {
    const key = "k".repeat(32);
    const urls = local.nodes.map(({ url }) => `${url}/v2/${key}?apikey=${key}2`);
    const network = createJsonRpcNetwork({ network: "base", urls, timeoutMs: 1_500, clock, onWrongChain: () => {} });
    for (const { intercept } of local.nodes) {
      intercept(({ method }) =>
        method === "eth_sendRawTransaction"
          ? { status: 200, body: { error: { code: -32000, message: `bad key ${key} ${key}2` } } }
          : undefined,
      );
    }
    const refusal = await network.sendTransaction("0x02");
    expect(refusal).toContain("bad key");
    expect(refusal).not.toContain("kkkk");
  });

  it("a transaction is handed over if one node takes it", async () => {
    node(0).intercept(({ method }) => (method === "eth_sendRawTransaction" ? { status: 500, body: {} } : undefined));
    expect(await network.sendTransaction("0x02")).toEqual(expect.any(String));
    node(1).intercept(({ method }) => (method === "eth_sendRawTransaction" ? { status: 500, body: {} } : undefined));
    await expect(network.sendTransaction("0x02")).rejects.toMatchObject(UNAVAILABLE);
  });

  it("fails if no node answers", async () => {
    const urls = ["http://127.0.0.1:9"];
    const options = { network: "base", urls, timeoutMs: 1_500, clock, onWrongChain: () => {} } as const;
    await expect(createJsonRpcNetwork(options).readTokenBalances(local.usdc, [ALICE], "latest")).rejects.toMatchObject(
      UNAVAILABLE,
    );
  });
});
