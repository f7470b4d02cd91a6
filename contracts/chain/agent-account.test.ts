import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  type LocalAccount,
  type Log,
  pad,
  parseEventLogs,
  slice,
  toBytes,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { signMessage, signTypedData } from "viem/experimental/erc7739";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { agentAccountAbi } from "../abi/agent-account.ts";
import { CREATION_CODES } from "../abi/creation-codes.ts";
import { verifyingPaymasterAbi } from "../abi/verifying-paymaster.ts";
import {
  BALANCE,
  startWalletChain,
  type TestWallet,
  VALID_UNTIL,
  type WalletChain,
} from "../test-support/wallet-chain.ts";
import {
  encodeTransfer,
  laneOfSession,
  MAX_CALL_GAS,
  nonceKeyOf,
  type Operation,
  toCosignedKey,
} from "./agent-account.ts";
import { initCode } from "./creation-code.ts";

const RECIPIENT: Address = "0x00000000000000000000000000000000000a11ce";

/** What a freezer and an unfreezer choose at random. */
const SALT = 0x5a17f00dbeef;

let chain: WalletChain;

beforeAll(async () => {
  chain = await startWalletChain();
});

afterAll(async () => await chain.local.stop());

beforeEach(async () => await chain.local.snapshot());

describe("a new wallet", () => {
  test("is deployed and pays in one operation, and needs no native coin", async () => {
    const wallet = await chain.newWallet();
    const bundle = await chain.handleOps(await payment(wallet, 7n));
    expect(bundle.status).toBe("success");
    expect(await chain.isDeployed(wallet)).toBe(true);
    expect(await chain.balanceOf(RECIPIENT)).toBe(7n);
    expect(await chain.balanceOf(wallet.address)).toBe(BALANCE - 7n);
    expect(await chain.local.publicClient.getBalance({ address: wallet.address })).toBe(0n);
  });

  test("is deployed and frozen by the guardian before anyone can use it", async () => {
    const wallet = await chain.newWallet();
    const before = await payment(wallet, 7n);
    await chain.as("freezer").writeContractSync({
      ...chain.guardian,
      functionName: "deployAndFreeze",
      args: [wallet.factory, wallet.signer.address, zeroAddress, zeroHash, SALT],
    });
    expect(await isFrozen(wallet)).toBe(true);
    expect(await chain.refusalOf(before)).toBe("AA10 sender already constructed");
    expect(await chain.refusalOf(await payment(wallet, 7n))).toBe("AA23 reverted: AccountFrozen");
  });
});

describe("a frozen wallet", () => {
  test("cannot pay: the EntryPoint refuses its operation, also in a block", async () => {
    const wallet = await chain.createWallet();
    await freeze(wallet);
    const operation = await payment(wallet, 7n);
    expect(await chain.refusalOf(operation)).toBe("AA23 reverted: AccountFrozen");
    expect((await chain.handleOps(operation)).status).toBe("reverted");
    expect(await chain.balanceOf(RECIPIENT)).toBe(0n);
  });

  test("can pay after it is unfrozen, but not with what was signed earlier", async () => {
    const wallet = await chain.createWallet();
    const before = await payment(wallet, 7n);
    expect(await chain.refusalOf(before)).toBeUndefined();
    await freeze(wallet);
    const whileFrozen = await payment(wallet, 7n);
    expect(await chain.refusalOf(before)).toBe("AA23 reverted: AccountFrozen");
    await unfreeze(wallet);
    expect(await chain.refusalOf(before)).toBe("AA23 reverted: StaleEpoch");
    expect(await chain.refusalOf(whileFrozen)).toBe("AA23 reverted: StaleEpoch");
    expect((await chain.handleOps(await payment(wallet, 5n))).status).toBe("success");
    expect(await chain.balanceOf(RECIPIENT)).toBe(5n);
  });

  test("does not pay in the bundle that freezes it, although its operation was valid", async () => {
    const attacker = await chain.createWallet();
    const freezer = await walletThatFreezes();
    const call = encodeFunctionData({
      ...chain.guardian,
      functionName: "freeze",
      args: [attacker.address, SALT],
    });
    const freezing = await chain.operationOf(freezer, (epochId) => execute(epochId, chain.guardian.address, call));
    const bundle = await chain.handleOps(freezing, await payment(attacker, 7n));
    expect(bundle.status).toBe("success");
    expect(outcomesIn(bundle.logs)).toEqual([true, false]);
    expect(await isFrozen(attacker)).toBe(true);
    expect(await chain.balanceOf(RECIPIENT)).toBe(0n);
  });
});

describe("a wallet", () => {
  test("pays in several lanes of one bundle", async () => {
    const wallet = await chain.createWallet();
    const lanes = [0n, 1n, 2n, (1n << 160n) - 1n];
    const operations = await Promise.all(lanes.map((lane) => payment(wallet, 7n, { lane })));
    const bundle = await chain.handleOps(...operations);
    expect(outcomesIn(bundle.logs)).toEqual([true, true, true, true]);
    expect(await chain.balanceOf(RECIPIENT)).toBe(28n);
  });

  test("has no lane of more than 160 bits, which would be another epoch", () => {
    expect(nonceKeyOf((1n << 48n) + 5n, 2n)).toBe((1n << 160n) + 2n);
    expect(() => nonceKeyOf(0n, 1n << 160n)).toThrow(RangeError);
    expect(() => nonceKeyOf(0n, -1n)).toThrow(RangeError);
  });

  test("is estimated by a call of the EntryPoint alone, also after a freeze and with another signer", async () => {
    const wallet = await chain.createWallet();
    const estimate = async () => {
      const epochId = await chain.epochIdOf(wallet);
      const data = encodeTransfer(epochId, chain.token, RECIPIENT, 7n);
      return chain.local.publicClient.estimateGas({ account: entryPoint08Address, to: wallet.address, data });
    };
    const gas = await estimate();
    await freeze(wallet);
    await expect(estimate()).rejects.toThrow();
    await unfreeze(wallet);
    expect(await estimate()).toBeGreaterThan(gas - 1_000n);
    const signer = chain.newKey();
    const change = (epochId: bigint) =>
      encodeFunctionData({ abi: agentAccountAbi, functionName: "changeSigner", args: [epochId, signer.address] });
    await chain.handleOps(await chain.operationOf(wallet, change));
    expect(await estimate()).toBeGreaterThan(gas - 1_000n);
    await chain.handleOps(await payment(wallet, 7n, { signer }));
    expect(await chain.balanceOf(RECIPIENT)).toBe(7n);
  });

  test("is sponsored only for gas that the paymaster accepts", async () => {
    const wallet = await chain.createWallet();
    const operation = await payment(wallet, 7n);
    const most = await chain.sponsor({ ...operation, callGasLimit: MAX_CALL_GAS });
    expect(most.paymasterData).toBeDefined();
    await expect(chain.sponsor({ ...operation, callGasLimit: MAX_CALL_GAS + 1n })).rejects.toThrow(RangeError);
    const { verifyingPaymaster: address } = chain.local.addresses;
    const call = { address, abi: verifyingPaymasterAbi, functionName: "MAX_CALL_GAS" } as const;
    expect(await chain.local.publicClient.readContract(call)).toBe(MAX_CALL_GAS);
  });

  test("lets a session key pay within its own limit, and nothing else", async () => {
    const wallet = await chain.createWallet();
    const session = privateKeyToAccount(generatePrivateKey());
    const grant = (epochId: bigint) =>
      encodeFunctionData({
        abi: agentAccountAbi,
        functionName: "grantSession",
        args: [epochId, session.address, chain.token, 10n, 0, VALID_UNTIL],
      });
    await chain.handleOps(await chain.operationOf(wallet, grant));

    const bundle = await chain.handleOps(await paymentOfSession(10n));
    expect(outcomesIn(bundle.logs)).toEqual([true]);
    expect(await chain.balanceOf(RECIPIENT)).toBe(10n);
    expect(await chain.refusalOf(await paymentOfSession(1n))).toBe("AA23 reverted: SessionLimitExceeded");
    const other = await payment(wallet, 1n, { signer: session });
    expect(await chain.refusalOf(other)).toBe("AA24 signature error");
    await freeze(wallet);
    await unfreeze(wallet);
    expect(await chain.refusalOf(await paymentOfSession(1n))).toBe("AA23 reverted: SessionDenied");

    function paymentOfSession(amount: bigint) {
      const call = (epochId: bigint) =>
        encodeFunctionData({
          abi: agentAccountAbi,
          functionName: "executeAsSession",
          args: [epochId, session.address, 1, chain.token, RECIPIENT, amount],
        });
      const lane = laneOfSession(session.address);
      return chain.operationOf(wallet, call, { signer: session, lane, session: 1 });
    }
  });

  test("is upgraded only when its signer and the guardian want it", async () => {
    const wallet = await chain.createWallet();
    const implementation = await chain.deploy({
      abi: [],
      bytecode: initCode(CREATION_CODES.AgentAccount, [chain.guardian.address]),
    });
    const upgrade = (epochId: bigint) =>
      encodeFunctionData({ abi: agentAccountAbi, functionName: "upgrade", args: [epochId, implementation] });
    const denied = await chain.handleOps(await chain.operationOf(wallet, upgrade));
    expect(outcomesIn(denied.logs)).toEqual([false]);
    expect(await implementationOf(wallet)).toBe(chain.local.addresses.agentAccount);

    await chain.as("upgrader").writeContractSync({
      ...chain.guardian,
      functionName: "approveImplementation",
      args: [implementation, true],
    });
    const guardianAlone = chain.local.publicClient.simulateContract({
      account: chain.guardian.address,
      address: wallet.address,
      abi: agentAccountAbi,
      functionName: "upgrade",
      args: [0n, implementation],
    });
    await expect(guardianAlone).rejects.toThrow("AccountUnauthorized");
    const upgraded = await chain.handleOps(await chain.operationOf(wallet, upgrade));
    expect(outcomesIn(upgraded.logs)).toEqual([true]);
    expect(await implementationOf(wallet)).toBe(getAddress(implementation));
    await chain.handleOps(await payment(wallet, 7n));
    expect(await chain.balanceOf(RECIPIENT)).toBe(7n);
  });
});

describe("a message that a wallet signed", () => {
  const cosigner = privateKeyToAccount(generatePrivateKey());

  test("is valid with the cosigner's signature only, and never while the wallet is frozen", async () => {
    const wallet = await chain.createWallet();
    const first = await signAuthorization(wallet);
    expect(await isValid(wallet, first)).toBe(false);
    await setCosigner(wallet);
    expect(await isValid(wallet, first)).toBe(true);
    expect(await isValid(wallet, await signAuthorization(wallet, wallet.signer))).toBe(false);

    await freeze(wallet);
    expect(await isValid(wallet, first)).toBe(false);
    expect(await isValid(wallet, await signAuthorization(wallet))).toBe(false);
    await unfreeze(wallet);
    expect(await isValid(wallet, first)).toBe(false);
    expect(await isValid(wallet, await signAuthorization(wallet))).toBe(true);
  });

  test("can also be text, and is not valid for another wallet of the same signer", async () => {
    const wallet = await chain.createWallet();
    const other = { ...wallet, address: await deployOther(wallet) };
    await setCosigner(wallet);
    await setCosigner(other);
    const account = await cosignedKey(wallet);
    const { publicClient, walletClient } = chain.local;
    const message = "Order 7";
    const verifier = wallet.address;
    const signature = await signMessage(walletClient, { account, message, verifier });
    const verify = (address: Address) => publicClient.verifyMessage({ address, message, signature });
    expect(await verify(wallet.address)).toBe(true);
    expect(await verify(other.address)).toBe(false);
  });

  /** Deploys a second wallet of the signer. */
  async function deployOther({ signer }: TestWallet): Promise<Address> {
    const args = [signer.address, zeroAddress, pad("0x1")] as const;
    const call = { ...chain.factory, functionName: "createAccount", args } as const;
    const { result } = await chain.local.publicClient.simulateContract(call);
    await chain.bundler.writeContractSync(call);
    return result;
  }

  async function setCosigner({ address }: TestWallet): Promise<void> {
    await chain.as("policyManager").writeContractSync({
      ...chain.guardian,
      functionName: "setCosigner",
      args: [address, cosigner.address],
    });
  }

  async function cosignedKey(wallet: TestWallet, second: LocalAccount = cosigner) {
    const verifier = { address: wallet.address, chainId: foundry.id };
    return toCosignedKey(wallet.signer, second, verifier, await chain.epochIdOf(wallet));
  }

  /** Signs what a payment of x402 signs. */
  async function signAuthorization(wallet: TestWallet, second?: LocalAccount): Promise<Hex> {
    return signTypedData(chain.local.walletClient, {
      ...authorization(wallet),
      account: await cosignedKey(wallet, second),
      verifier: wallet.address,
    });
  }

  function isValid(wallet: TestWallet, signature: Hex): Promise<boolean> {
    const { address } = wallet;
    return chain.local.publicClient.verifyTypedData({
      ...authorization(wallet),
      address,
      signature,
    });
  }

  function authorization(wallet: TestWallet) {
    return {
      domain: {
        name: "USD Coin",
        version: "2",
        chainId: foundry.id,
        verifyingContract: chain.token,
      },
      types: {
        TransferWithAuthorization: [
          { name: "from", type: "address" },
          { name: "to", type: "address" },
          { name: "value", type: "uint256" },
          { name: "validAfter", type: "uint256" },
          { name: "validBefore", type: "uint256" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      primaryType: "TransferWithAuthorization",
      message: {
        from: wallet.address,
        to: RECIPIENT,
        value: 7n,
        validAfter: 0n,
        validBefore: BigInt(VALID_UNTIL),
        nonce: zeroHash,
      },
    } as const;
  }
});

function payment(
  wallet: TestWallet,
  amount: bigint,
  options?: Parameters<WalletChain["operationOf"]>[2],
): Promise<Operation> {
  return chain.operationOf(wallet, (epochId) => encodeTransfer(epochId, chain.token, RECIPIENT, amount), options);
}

async function freeze({ address }: TestWallet): Promise<void> {
  const args = [address, SALT] as const;
  await chain.as("freezer").writeContractSync({ ...chain.guardian, functionName: "freeze", args });
}

async function unfreeze(wallet: TestWallet): Promise<void> {
  const args = [wallet.address, await chain.epochIdOf(wallet), SALT] as const;
  await chain.as("unfreezer").writeContractSync({ ...chain.guardian, functionName: "unfreeze", args });
}

/** Returns a wallet that may freeze others, and may call the guardian for it. */
async function walletThatFreezes(): Promise<TestWallet> {
  const wallet = await chain.createWallet();
  const role = keccak256(toBytes("FREEZER_ROLE"));
  await chain.as("admin").writeContractSync({
    ...chain.guardian,
    functionName: "grantRole",
    args: [role, wallet.address],
  });
  const selector = toFunctionSelector("freeze(address,uint48)");
  await chain.as("policyManager").writeContractSync({
    ...chain.guardian,
    functionName: "setCall",
    args: [wallet.address, chain.guardian.address, selector, true],
  });
  return wallet;
}

function execute(epochId: bigint, target: Address, data: Hex): Hex {
  return encodeFunctionData({
    abi: agentAccountAbi,
    functionName: "execute",
    args: [epochId, target, 0n, data],
  });
}

function isFrozen({ address }: TestWallet): Promise<boolean> {
  return chain.local.publicClient.readContract({
    address,
    abi: agentAccountAbi,
    functionName: "frozen",
  });
}

async function implementationOf({ address }: TestWallet): Promise<Address> {
  /** As in ERC-1967. */
  const slot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
  const value = await chain.local.publicClient.getStorageAt({ address, slot });
  return getAddress(slice(value ?? zeroHash, 12));
}

/** Returns, for each operation of the bundle, whether it had the effect that it was signed for. */
function outcomesIn(logs: Log[]): boolean[] {
  const events = parseEventLogs({ abi: entryPoint08Abi, eventName: "UserOperationEvent", logs });
  return events.map(({ args }) => args.success);
}
