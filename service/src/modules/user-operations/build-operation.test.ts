import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { describe, expect, it } from "vitest";
import type { App } from "../../app.ts";
import { encodeAccountTransfer, type HexText, type Operation } from "../../crypto/user-operation.ts";
import { usdcOf } from "../../foundation/blockchain-networks.ts";
import type { Wallet } from "../wallets/queries.ts";
import { buildOperation, maxCostOf, type OperationPlan, signOperation } from "./build-operation.ts";

const [ACCOUNT, OWNER, PAYEE, OTHER] = ["11", "22", "33", "44"].map((byte) => `0x${byte.repeat(20)}` as HexText) as [
  HexText,
  HexText,
  HexText,
  HexText,
];
const EPOCH_ID = (3n << 48n) | 7n;
const transfer = { epochId: EPOCH_ID, token: usdcOf("base"), recipient: PAYEE, amount: 5_000_000n };
const plan: OperationPlan = {
  wallet: {
    ...{ address: ACCOUNT, owner: OWNER, recoveryAddress: null, network: "base" },
    factory: ADDRESSES.local.agentAccountFactory,
  } as Wallet,
  account: {
    ...{ isDeployed: true, signer: OWNER, isFrozen: false, epochId: EPOCH_ID, remaining: 1n, paymasterDeposit: 1n },
  },
  nonce: 9n,
  gasPrice: { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n },
  validUntil: 1_900_000_000,
  transfer,
};

const AT = new Date();

/** Signs with a key that no one may use: each signature is counted. */
function createApp() {
  const signed: string[] = [];
  const local = { signDigest: async (_key: unknown, digest: string) => signed.push(digest) };
  return {
    app: {
      settings: { contractsDeployment: "local" },
      operatorKeys: { paymasterSigner: null },
      walletSigners: { local },
    } as unknown as App,
    signed,
  };
}

describe("the operation of a payment", () => {
  const built = buildOperation(createApp().app, plan);

  it("costs at most its gas at the highest price", () => {
    expect(maxCostOf(built)).toBe((120_000n + 150_000n + 60_000n + 100_000n) * 10n);
  });

  it("deploys the account if it is not deployed, with more gas", () => {
    const account = { ...plan.account, isDeployed: false };
    const first = buildOperation(createApp().app, { ...plan, account });
    expect(first).toMatchObject({ factory: ADDRESSES.local.agentAccountFactory, verificationGasLimit: 500_000n });
    expect(built.factory).toBeUndefined();
  });

  it.each<[string, Partial<Operation>]>([
    ["another amount", { callData: encodeAccountTransfer({ ...transfer, amount: 5_000_001n }) }],
    ["another payee", { callData: encodeAccountTransfer({ ...transfer, recipient: OTHER }) }],
    ["another token", { callData: encodeAccountTransfer({ ...transfer, token: OTHER }) }],
    ["another epoch", { callData: encodeAccountTransfer({ ...transfer, epochId: EPOCH_ID + 1n }) }],
    ["no call", { callData: "0x" }],
    ["a call of another function", { callData: `0x12345678${built.callData.slice(10)}` }],
    ["bytes after its call", { callData: `${built.callData}00` }],
    ["another account", { sender: OTHER }],
    ["another nonce", { nonce: 10n }],
    ["another paymaster", { paymaster: OTHER }],
    ["another factory", { factory: OTHER, factoryData: "0x" }],
  ])("is not signed if it was changed before: %s", async (_what, change) => {
    const { app, signed } = createApp();
    await expect(signOperation(app, plan, { ...built, ...change }, AT)).rejects.toThrow("is the planned one");
    expect(signed).toEqual([]);
  });

  it("is not signed if it transfers where only a deployment was planned", async () => {
    const { app, signed } = createApp();
    await expect(signOperation(app, { ...plan, transfer: null }, built, AT)).rejects.toThrow("is the planned one");
    expect(signed).toEqual([]);
  });
});
