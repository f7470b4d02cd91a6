import { beforeEach, describe, expect, it } from "vitest";
import { TestClock } from "../../../test/clock.ts";
import { useLocalNetwork } from "../../../test/networks/local-network.ts";
import type { EvmNetwork } from "../../ports/evm-network.ts";
import { createJsonRpcNetwork } from "./json-rpc-network.ts";

const ALICE = "0x52908400098527886E0F7030069857D2E4169EE7";
const BOB = "0x0000000000000000000000000000000000000B0b";
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
    network = createJsonRpcNetwork({ network: "base", urls, timeoutMs: 500, clock, onWrongChain });
  });

  const node = (index: number) => {
    const found = local.nodes[index];
    if (found === undefined) throw new Error(`There is no node ${index}.`);
    return found;
  };
  const read = (owners: readonly string[] = [ALICE]) => network.readTokenBalances(local.usdc, owners);

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
    expect(await network.readTokenBalances(BOB, [ALICE])).toEqual([null]);
    expect(await network.readTokenBalances(local.local.addresses.agentAccountFactory, [ALICE])).toEqual([null]);
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

  it("fails if no node answers", async () => {
    const urls = ["http://127.0.0.1:9"];
    const options = { network: "base", urls, timeoutMs: 500, clock, onWrongChain: () => {} } as const;
    await expect(createJsonRpcNetwork(options).readTokenBalances(local.usdc, [ALICE])).rejects.toMatchObject(
      UNAVAILABLE,
    );
  });
});
