import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { numberToHex, parseGwei, zeroAddress } from "viem";
import { entryPoint08Address, formatUserOperationRequest } from "viem/account-abstraction";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { encodeTransfer, type Operation, signOperation } from "../../../contracts/chain/agent-account.ts";
import {
  startWalletChain,
  type TestWallet,
  VALID_UNTIL,
  type WalletChain,
} from "../../../contracts/test-support/wallet-chain.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { ChainBundler } from "./bundler.ts";
import { pimlicoSimulator } from "./pimlico-simulator.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const UNKNOWN = numberToHex(1, { size: 32 });
const PRESENT = "User operation already present in mempool, bump the gas price by minimum 10%";
const IN_PROCESS = "User operation is already in mempool and getting processed with same nonce and sender";

let chain: WalletChain;
beforeAll(async () => {
  chain = await startWalletChain();
});
afterAll(() => chain.local.stop());

const transferOf = (wallet: TestWallet, amount: bigint, lane = 0n) =>
  chain.operationOf(wallet, (epochId) => encodeTransfer(epochId, chain.token, PAYEE, amount), { lane });

describe("the URL of a bundler", () => {
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;
  beforeAll(async () => {
    // This chain has another id. Only the hashes of operations need it, and no operation is mined here.
    const rpcUrlOf = (chainId: number) => (chainId === 8453 ? chain.local.rpcUrl : undefined);
    vendor = await startTestVendor(pimlicoSimulator({ rpcUrlOf }));
  });
  afterAll(() => vendor.close());

  async function call(method: string, params: readonly unknown[], network = "base") {
    const response = await fetch(`${vendor.url}/v2/${network}/rpc?apikey=sandbox-operator`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }
  const error = (code: number, message: unknown = expect.any(String)) => ({
    status: 200,
    body: { error: { code, message } },
  });
  const wire = async () => formatUserOperationRequest(await transferOf(await chain.createWallet(), 1n));

  it("answers null for an unknown operation, and -32602 for what is no hash", async () => {
    expect(await call("eth_getUserOperationReceipt", [UNKNOWN])).toMatchObject({ body: { result: null } });
    expect(await call("eth_getUserOperationReceipt", ["0x1"])).toMatchObject(error(-32602));
  });

  it("answers the price of gas on the chain, at least its base fee", async () => {
    const { body } = await call("pimlico_getUserOperationGasPrice", []);
    expect(BigInt(body.result.standard.maxFeePerGas)).toBeGreaterThan(0n);
    expect(Object.keys(body.result)).toEqual(["slow", "standard", "fast"]);
  });

  it("estimates what an operation must give as preVerificationGas, and repeats the limits", async () => {
    const operation = { ...(await wire()), paymasterPostOpGasLimit: "0x77" };
    const { body } = await call("eth_estimateUserOperationGas", [operation, entryPoint08Address]);
    const { callGasLimit, verificationGasLimit, paymasterVerificationGasLimit } = operation;
    expect(body.result).toEqual({
      ...{ preVerificationGas: expect.stringMatching(/^0x/), callGasLimit, verificationGasLimit },
      ...{ paymasterVerificationGasLimit, paymasterPostOpGasLimit: "0x77" },
    });
    const preVerificationGas = numberToHex(BigInt(body.result.preVerificationGas) - 1n);
    expect(
      await call("eth_sendUserOperation", [{ ...operation, preVerificationGas }, entryPoint08Address]),
    ).toMatchObject(error(-32602, expect.stringContaining("preVerificationGas")));
  });

  it("refuses gas that no bundle has, another EntryPoint, and a nonce that is not the next one", async () => {
    const operation = await wire();
    const refusal = (change: object, entryPoint: string = entryPoint08Address) =>
      call("eth_sendUserOperation", [{ ...operation, ...change }, entryPoint]);
    expect(await refusal({ callGasLimit: numberToHex(2n ** 24n) })).toMatchObject(error(-32602));
    expect(await refusal({}, zeroAddress)).toMatchObject(error(-32602));
    expect(await refusal({ nonce: "0x7" })).toMatchObject(error(-32500, "AA25 invalid account nonce"));
  });

  it("names the field that is missing", async () => {
    const { factoryData: _none, ...operation } = { ...(await wire()), factory: zeroAddress };
    expect(await call("eth_sendUserOperation", [operation, entryPoint08Address])).toMatchObject(
      error(-32602, "factoryData is missing"),
    );
    const { nonce: _nonce, ...without } = await wire();
    expect(await call("eth_sendUserOperation", [without, entryPoint08Address])).toMatchObject(
      error(-32602, expect.stringContaining("nonce")),
    );
  });

  it("sends nothing without a node", async () => {
    const send = [await wire(), entryPoint08Address];
    expect(await call("eth_sendUserOperation", send, "polygon")).toMatchObject(error(-32603, /no node/));
    expect(await call("eth_getUserOperationReceipt", [UNKNOWN], "polygon")).toMatchObject(error(-32603));
  });

  it("has an outcome forced for one method, and one forced for all", async () => {
    vendor.outcomes.force({ operation: "eth_getUserOperationReceipt", outcome: "refused" });
    vendor.outcomes.force({ operation: "rpc", outcome: "rate_limited" });
    expect(await call("eth_getUserOperationReceipt", [UNKNOWN])).toMatchObject({ status: 403 });
    expect(await call("eth_chainId", [])).toMatchObject({ status: 429 });
    expect(await call("eth_chainId", [])).toMatchObject({ status: 200 });
  });
});

describe("a bundler", () => {
  const createBundler = () => {
    const bundler = new ChainBundler(foundry.id, chain.local.rpcUrl);
    onTestFinished(() => bundler.close());
    return bundler;
  };
  const pending = async () => (await chain.local.testClient.getTxpoolStatus()).pending;
  /** Creates no blocks until `withBlocks` or the end of the test. */
  const withoutBlocks = async () => {
    await chain.local.testClient.setAutomine(false);
    onTestFinished(withBlocks);
  };
  const withBlocks = async () => {
    await chain.local.testClient.setAutomine(true);
    await chain.local.testClient.mine({ blocks: 1 });
  };
  const receiptsOf = async (bundler: ChainBundler, hashes: readonly `0x${string}`[]) => {
    const read = async () => await Promise.all(hashes.map((hash) => bundler.receiptOf(hash)));
    await expect.poll(read, { timeout: 10_000 }).not.toContain(null);
    return await read();
  };

  it("mines more operations than a transaction has room for", async () => {
    const [bundler, wallet] = [createBundler(), await chain.createWallet()];
    const operations: Operation[] = [];
    for (let lane = 0n; lane < 51n; lane += 1n) operations.push(await transferOf(wallet, 1n, lane));
    // The first bundle waits for its block, so all others are pooled when the second one is sent.
    await withoutBlocks();
    const hashes = await Promise.all(operations.map((operation) => bundler.add(operation)));
    await withBlocks();
    expect(await receiptsOf(bundler, hashes)).toMatchObject(hashes.map(() => ({ success: true })));
  });

  it("has in the receipt the logs of the operation alone, the reason of its failure and the node's receipt", async () => {
    const [bundler, wallet] = [createBundler(), await chain.createWallet()];
    await withoutBlocks();
    const operations = [await transferOf(wallet, 1n), await transferOf(wallet, 10n ** 12n, 1n)];
    const hashes = await Promise.all(operations.map((operation) => bundler.add(operation)));
    await withBlocks();
    const [paid, failed] = await receiptsOf(bundler, hashes);

    const transfer = expect.objectContaining({ address: chain.token.toLowerCase() });
    expect(paid).toMatchObject({ success: true, logs: expect.arrayContaining([transfer]), receipt: { status: "0x1" } });
    expect(paid).not.toHaveProperty("reason");
    expect(failed).toMatchObject({ success: false, reason: expect.stringMatching(/^0x[0-9a-f]{8}/) });
    expect(failed).not.toMatchObject({ logs: expect.arrayContaining([transfer]) });
  });

  it("refuses what has expired, and says with what a frozen account reverts", async () => {
    const [bundler, wallet] = [createBundler(), await chain.createWallet()];
    const operation = await transferOf(wallet, 1n);
    const restore = await chain.local.snapshot();
    await chain.as("freezer").writeContractSync({
      ...{ ...chain.guardian, functionName: "freeze", args: [wallet.address, 1] },
    });
    await expect(bundler.add(operation)).rejects.toMatchObject({
      ...{ code: -32500, message: "AA23 reverted", data: expect.stringMatching(/^0x[0-9a-f]{8}/) },
    });
    await restore();
    const again = await chain.local.snapshot();
    await chain.local.testClient.increaseTime({ seconds: 3_000_000_000 });
    await expect(bundler.add(operation)).rejects.toMatchObject({
      ...{ code: -32503, message: expect.stringMatching(/^AA[23]2/) },
    });
    await again();
  });

  it("replaces a pooled operation only for fees that are a tenth higher, and none that is being sent", async () => {
    const [bundler, wallet] = [createBundler(), await chain.createWallet()];
    const [sent, pooled] = [await transferOf(wallet, 1n), await transferOf(wallet, 1n, 1n)];
    const pay = async (operation: Operation, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => {
      const sponsored = await chain.sponsor({ ...operation, maxFeePerGas, maxPriorityFeePerGas });
      const terms = { chainId: foundry.id, validUntil: VALID_UNTIL, epochId: await chain.epochIdOf(wallet) };
      return signOperation(sponsored, wallet.signer, terms);
    };
    await withoutBlocks();
    const first = await bundler.add(sent);
    await expect.poll(pending).toBe(1);
    const replaced = await bundler.add(pooled);

    await expect(bundler.add(sent)).rejects.toMatchObject({ code: -32602, message: "Already known" });
    const again = await pay(sent, parseGwei("20"), parseGwei("2"));
    await expect(bundler.add(again)).rejects.toThrow(IN_PROCESS);
    const cheap = await pay(pooled, parseGwei("20"), parseGwei("1.09"));
    await expect(bundler.add(cheap)).rejects.toThrow(PRESENT);
    const dear = await bundler.add(await pay(pooled, parseGwei("11"), parseGwei("1.1")));
    await withBlocks();
    expect(await receiptsOf(bundler, [first, dear])).toMatchObject([{ success: true }, { success: true }]);
    expect(await bundler.receiptOf(replaced)).toBeNull();
  });

  it("accepts one of two equal operations that are sent at once", async () => {
    const [bundler, operation] = [createBundler(), await transferOf(await chain.createWallet(), 1n)];
    // The first one stays pooled until the second one has been validated.
    await withoutBlocks();
    const results = await Promise.allSettled([bundler.add(operation), bundler.add(operation)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("ends its work when its simulator closes", async () => {
    let calls = 0;
    const headers = { "content-type": "application/json" };
    const node = createServer(async (request, response) => {
      calls += 1;
      const answer = await fetch(chain.local.rpcUrl, { method: "POST", headers, body: await text(request) });
      response.writeHead(200, headers).end(await answer.text());
    });
    await once(node.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void node.close());
    const { port } = node.address() as AddressInfo;
    const vendor = await startTestVendor(pimlicoSimulator({ rpcUrlOf: () => `http://127.0.0.1:${port}` }));
    const operation = formatUserOperationRequest(await transferOf(await chain.createWallet(), 1n));
    await withoutBlocks();
    const params = [operation, entryPoint08Address];
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "eth_sendUserOperation", params });
    await fetch(`${vendor.url}/v2/base/rpc?apikey=sandbox-x`, { method: "POST", headers, body });
    await expect.poll(pending).toBe(1);

    await vendor.close();
    await setTimeout(100);
    const before = calls;
    await setTimeout(100);
    expect(calls).toBe(before);
  });
});
