import { setTimeout } from "node:timers/promises";
import { numberToHex, zeroAddress } from "viem";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeTransfer } from "../../../contracts/chain/agent-account.ts";
import { startWalletChain, type TestWallet, type WalletChain } from "../../../contracts/test-support/wallet-chain.ts";
import { ChainBundler } from "./bundler.ts";
import { parseOperation } from "./operations.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const WIRE = {
  ...{ sender: zeroAddress, nonce: "0x0", callData: "0x", signature: "0x", callGasLimit: "0x1" },
  ...{ verificationGasLimit: "0x1", preVerificationGas: "0x1", maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" },
};

describe("the simulated bundler of Pimlico", () => {
  let chain: WalletChain;
  let bundler: ChainBundler;
  beforeAll(async () => {
    chain = await startWalletChain();
    bundler = new ChainBundler(foundry.id, chain.local.rpcUrl);
  });
  afterAll(() => chain.local.stop());

  const transferOf = (wallet: TestWallet, amount: bigint, options: Parameters<WalletChain["operationOf"]>[2] = {}) =>
    chain.operationOf(wallet, (epochId) => encodeTransfer(epochId, chain.token, PAYEE, amount), options);

  async function receiptOf(hash: `0x${string}`) {
    for (let polls = 0; polls < 100; polls += 1) {
      const receipt = await bundler.receiptOf(hash);
      if (receipt !== null) return receipt;
      await setTimeout(20);
    }
    throw new Error("The operation was not mined.");
  }

  it("deploys an account and executes its operation, whose receipt it has; null for one that it does not know", async () => {
    const wallet = await chain.newWallet();
    const before = await chain.balanceOf(PAYEE);

    const hash = await bundler.add(await transferOf(wallet, 5n));

    expect(await receiptOf(hash)).toMatchObject({ userOpHash: hash, success: true, nonce: "0x0", receipt: {} });
    expect(await chain.isDeployed(wallet)).toBe(true);
    expect((await chain.balanceOf(PAYEE)) - before).toBe(5n);
    expect(await bundler.receiptOf(numberToHex(1, { size: 32 }))).toBeNull();
  });

  it("executes eight lanes of an account that are sent at once", async () => {
    const wallet = await chain.createWallet();
    const operations = await Promise.all(
      [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map((lane) => transferOf(wallet, 1n, { lane })),
    );

    const hashes = await Promise.all(operations.map((operation) => bundler.add(operation)));

    for (const hash of hashes) expect(await receiptOf(hash)).toMatchObject({ success: true });
  });

  it("has a receipt without success for a call that reverts", async () => {
    const wallet = await chain.createWallet();
    const hash = await bundler.add(await transferOf(wallet, 10n ** 12n));
    expect(await receiptOf(hash)).toMatchObject({ success: false });
  });

  it("refuses with the codes of ERC-7769", async () => {
    const wallet = await chain.createWallet();
    const operation = await transferOf(wallet, 1n);
    const refusal = (change: object) => bundler.add({ ...operation, ...change }).catch((error: unknown) => error);

    expect(await refusal({ nonce: 7n })).toMatchObject({ code: -32500, message: "AA25 invalid account nonce" });
    expect(await refusal({ preVerificationGas: 1n })).toMatchObject({ code: -32602 });
    const forged = await transferOf(wallet, 1n, { signer: chain.newKey() });
    expect(await refusal(forged)).toMatchObject({ code: -32507, message: "AA24 signature error" });
    await chain
      .as("freezer")
      .writeContractSync({ ...chain.guardian, functionName: "freeze", args: [wallet.address, 1] });
    expect(await refusal({})).toMatchObject({ code: -32500, message: "AA23 reverted" });
  });

  it("refuses what it knows already", async () => {
    const operation = await transferOf(await chain.createWallet(), 1n);
    await receiptOf(await bundler.add(operation));
    await expect(bundler.add(operation)).rejects.toMatchObject({ code: -32602, message: "Already known" });
  });

  it("refuses everything while the chain is down", async () => {
    const operation = await transferOf(await chain.createWallet(), 1n);
    await expect(new ChainBundler(foundry.id, "http://127.0.0.1:9").add(operation)).rejects.toThrow("HTTP");
  });

  it.each([
    ["a missing field", { ...WIRE, sender: undefined }],
    ["a number", { ...WIRE, nonce: 1 }],
    ["an unknown field", { ...WIRE, initCode: "0x" }],
    ["a factory without data", { ...WIRE, factory: zeroAddress }],
    ["a paymaster without gas", { ...WIRE, paymaster: zeroAddress, paymasterData: "0x" }],
  ])("-32602 for %s", (_what, operation) => {
    expect(() => parseOperation(JSON.parse(JSON.stringify(operation)))).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});
