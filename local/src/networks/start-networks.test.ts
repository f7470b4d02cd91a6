import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { agentGuardianAbi } from "@purser/contracts/abi/agent-guardian.ts";
import { networkFactsOf } from "@purser/service/foundation/blockchain-networks.ts";
import { type Address, createPublicClient, erc20Abi, getAddress, http, parseAbi, parseEther } from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type LocalNetworks, startNetworks } from "./start-networks.ts";

const ALICE: Address = "0x52908400098527886E0F7030069857D2E4169EE7";
const USDC_OF_BASE = getAddress(networkFactsOf("base").contracts.usdc ?? "");
const MULTICALL_ABI = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "function aggregate3(Call[] calls) payable returns ((bool success, bytes returnData)[])",
]);

let folder: string;
let networks: LocalNetworks;
const notes: string[] = [];
const start = async () => await startNetworks({ folder, port: 0, note: (text) => notes.push(text) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-networks-"));
  networks = await start();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

afterAll(async () => {
  await networks.close();
  await rm(folder, { recursive: true });
});

const clientOf = (network: string) => createPublicClient({ transport: http(`${networks.url}/${network}`) });

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(networks.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const mint = (amount: string, network = "base") => post(`/${network}/mint`, { address: ALICE, amount });
const balance = async () =>
  await clientOf("base").readContract({
    ...{ address: USDC_OF_BASE, abi: erc20Abi, functionName: "balanceOf" },
    args: [ALICE],
  });

describe("POST /{network}", () => {
  test("200: the first call starts the network's chain, and no other", async () => {
    expect(networks.rpcUrlOf("base")).toBeUndefined();
    expect(await clientOf("base").getChainId()).toBe(8453);
    expect(await clientOf("eip155:137").getChainId()).toBe(137);
    expect(networks.rpcUrlOf("base")).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(networks.rpcUrlOf("optimism")).toBeUndefined();
  });

  test("200: USDC at its real address, our contracts, a daily limit, a deposit of the paymaster, Multicall3", async () => {
    const client = clientOf("base");
    const { agentGuardian, verifyingPaymaster } = ADDRESSES.local;
    expect(await client.readContract({ address: USDC_OF_BASE, abi: erc20Abi, functionName: "symbol" })).toBe("USDC");
    const limit = await client.readContract({
      ...{ address: agentGuardian, abi: agentGuardianAbi, functionName: "defaultLimit" },
      args: [USDC_OF_BASE],
    });
    expect(limit).toBe(10_000_000_000n);
    const deposit = await client.readContract({
      ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: "balanceOf" },
      args: [verifyingPaymaster],
    });
    expect(deposit).toBe(parseEther("1000"));
    const { result } = await client.simulateContract({
      ...{ address: "0xcA11bde05977b3631167028862bE2a173976CA11", abi: MULTICALL_ABI, functionName: "aggregate3" },
      args: [
        [
          { target: USDC_OF_BASE, allowFailure: true, callData: "0x313ce567" },
          { target: USDC_OF_BASE, allowFailure: true, callData: "0x00000000" },
        ],
      ],
    });
    expect(result).toMatchObject([{ success: true, returnData: expect.stringMatching(/6$/) }, { success: false }]);
  });

  test("200: calls at the same time wait for one chain, also in a batch", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => clientOf("arbitrum").getChainId()));
    expect(ids).toEqual(Array(5).fill(42161));
    const call = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: [] });
    expect((await post("/arbitrum", [call(1, "eth_chainId"), call(2, "net_version")])).body).toMatchObject([
      { id: 1, result: "0xa4b1" },
      { id: 2, result: "42161" },
    ]);
  });

  test("an empty block follows where the newest one is asked for and is older than 10 seconds", async () => {
    const client = clientOf("base");
    const before = await client.getBlockNumber();
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before + 1n);
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before + 1n);
  });

  test.each([
    ["404: an unknown network", "/bitcoin", {}, 404],
    ["404: a network without smart accounts", "/solana", {}, 404],
    ["404: an unknown path", "/base/other", {}, 404],
    ["400: no JSON", "/base", "{", 400],
    ["400: no call of JSON-RPC", "/optimism", "null", 400],
    ["400: no call in a list", "/optimism", [], 400],
  ])("%s", async (_name, path, body, status) => {
    expect(await post(path, body)).toMatchObject({ status, body: { status, detail: expect.any(String) } });
  });

  test("403 and 421: a page of another origin, another host name", async () => {
    expect((await post("/base", {}, { origin: "http://evil.example" })).status).toBe(403);
    const { port } = new URL(networks.url);
    const status = new Promise((resolve, reject) => {
      const options = { port, host: "127.0.0.1", method: "POST", path: "/base", headers: { host: "evil.example" } };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(await status).toBe(421);
  });

  test("503: anvil is not installed; the message says what to install", async () => {
    vi.stubGlobal("process", Object.create(process, { arch: { value: "riscv64" } }));
    expect(await mint("1", "polygon-amoy")).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/anvil-\w+-riscv64.*npm ci/) },
    });
    vi.unstubAllGlobals();
    expect((await mint("1", "polygon-amoy")).status).toBe(200);
  });
});

describe("POST /{network}/mint", () => {
  test("200: creates USDC", async () => {
    const before = await balance();
    const { status, body } = await mint("12.5");
    expect([status, body]).toEqual([
      200,
      {
        ...{ network: "base", address: ALICE, token: "USDC", amount: "12.50" },
        ...{ transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), block_number: expect.any(Number) },
      },
    ]);
    expect((await balance()) - before).toBe(12_500_000n);
  });

  test("200: calls at the same time all create", async () => {
    const before = await balance();
    const answers = await Promise.all(Array.from({ length: 10 }, () => mint("1")));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await balance()) - before).toBe(10_000_000n);
  });

  test.each([
    ["no address", { amount: "1" }],
    ["a wrong checksum", { address: ALICE.replace("E7", "e7"), amount: "1" }],
    ["no amount", { address: ALICE }],
    ["a number", { address: ALICE, amount: 1 }],
    ["zero", { address: ALICE, amount: "0" }],
    ["seven decimals", { address: ALICE, amount: "0.0000001" }],
    ["more than a billion", { address: ALICE, amount: "1000000000.01" }],
    ["no object", "null"],
  ])("422: %s", async (_name, body) => {
    expect((await post("/base/mint", body)).status).toBe(422);
  });

  test("404: an unknown network", async () => {
    expect((await mint("1", "bitcoin")).status).toBe(404);
  });
});

describe("the chain's state", () => {
  test("is kept over a restart", async () => {
    await mint("1");
    const before = await balance();
    await networks.close();
    networks = await start();
    expect(networks.rpcUrlOf("base")).toBeUndefined();
    expect(await balance()).toBe(before);
    expect(notes).toEqual([]);
  });

  test("is kept if the server is killed: the next one continues its chains, and ends them", async () => {
    await mint("1");
    const [before, rpcUrl] = [await balance(), networks.rpcUrlOf("base")];
    const killed = networks;

    networks = await start();

    expect(await balance()).toBe(before);
    expect(networks.rpcUrlOf("base")).toBe(rpcUrl);
    const untouched = killed.rpcUrlOf("arbitrum") ?? "";
    await networks.close();
    await expect(fetch(untouched)).rejects.toThrow();
    await killed.close();
    networks = await start();
    expect(await balance()).toBe(before);
  });

  test("is saved while the chain runs, and loaded again if anvil is killed", async () => {
    const { body } = await mint("1");
    const before = await balance();
    const isSaved = async () =>
      expect(await readFile(join(folder, "base.state.json"), "utf8")).toContain(body["transaction_hash"]);
    await vi.waitFor(isSaved, 20_000);

    process.kill(JSON.parse(await readFile(join(folder, "base.process.json"), "utf8")).pid, "SIGKILL");

    await vi.waitFor(async () => expect(await balance()).toBe(before), 20_000);
    process.kill(JSON.parse(await readFile(join(folder, "base.process.json"), "utf8")).pid, "SIGKILL");
    await vi.waitFor(async () => expect((await mint("1")).status).toBe(200), 20_000);
  });
});
