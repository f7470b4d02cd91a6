import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  type LocalAccount,
  numberToHex,
} from "viem";
import {
  entryPoint08Address,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from "viem/account-abstraction";
import { toAccount } from "viem/accounts";
import { agentAccountAbi } from "../abi/agent-account.ts";

/** An operation for the EntryPoint 0.8. */
export type Operation = UserOperation<"0.8">;

/** A key that signs typed data. Its signature has 65 bytes. */
export type Signer = Pick<LocalAccount, "address" | "signTypedData">;

/**
 * Returns the nonce's first 192 bits, which the EntryPoint calls the key. Each lane has its own sequence, so operations
 * in different lanes do not wait for each other. The account's `epochId` is the number of the epoch (32 bits) and its salt
 * (48 bits). The nonce contains the number, so nonces of earlier epochs are dead.
 */
export function nonceKeyOf(epochId: bigint, lane: bigint): bigint {
  if (lane < 0n || lane >= 1n << 160n) throw new RangeError(`${lane} is not a lane: it needs 160 bits.`);
  return ((epochId >> 48n) << 160n) | lane;
}

/** Returns the lane of a session key. The account accepts its operations in no other lane. */
export function laneOfSession(key: Address): bigint {
  return BigInt(key);
}

/** Returns the call that transfers an ERC-20 token, or the native coin (zero), within the limits of the account. */
export function encodeTransfer(epochId: bigint, token: Address, recipient: Address, amount: bigint): Hex {
  return encodeFunctionData({
    abi: agentAccountAbi,
    functionName: "transfer",
    args: [epochId, token, recipient, amount],
  });
}

/** Seconds since 1970 between which the paymaster's signature is valid. */
export interface Validity {
  readonly validAfter: number;
  readonly validUntil: number;
}

/** A contract and the chain on which it verifies signatures. */
export interface Verifier {
  readonly address: Address;
  readonly chainId: number;
}

/** The most gas that the paymaster pays for the execution of an operation: `MAX_CALL_GAS` of the contract. */
export const MAX_CALL_GAS = 1_000_000n;

/**
 * Adds the paymaster's signature, which makes the paymaster pay. It covers everything except the account's signature,
 * so it comes first. Throws RangeError if the paymaster would refuse the gas.
 */
export async function sponsorOperation(
  operation: Operation,
  signer: Signer,
  paymaster: Verifier,
  { validAfter, validUntil }: Validity,
): Promise<Operation> {
  if (operation.callGasLimit > MAX_CALL_GAS) {
    throw new RangeError(`The paymaster pays for at most ${MAX_CALL_GAS} gas of execution. Split the operation.`);
  }
  const sponsored = {
    ...operation,
    paymaster: paymaster.address,
    paymasterVerificationGasLimit: 100_000n,
    paymasterPostOpGasLimit: 0n,
  };
  const signature = await signer.signTypedData({
    domain: domainOf("Purser VerifyingPaymaster", paymaster),
    types: SPONSORSHIP_TYPES,
    primaryType: "UserOperationRequest",
    message: { ...sponsored, ...toPackedUserOperation(sponsored), validAfter, validUntil },
  });
  return {
    ...sponsored,
    paymasterData: concat([numberToHex(validAfter, { size: 6 }), numberToHex(validUntil, { size: 6 }), signature]),
  };
}

/** What the signature of an operation names besides the operation. */
export interface SigningTerms {
  readonly chainId: number;
  /** The last second since 1970 at which the operation is valid. */
  readonly validUntil: number;
  /** The account's `epochId`. The calls of the operation name it too. */
  readonly epochId: bigint;
  /** The number of the session whose key signs. The signer has none. */
  readonly session?: number;
}

/** Adds the signature of the account's signer or of a session key. It covers everything else. */
export async function signOperation(
  operation: Operation,
  signer: Signer,
  { chainId, validUntil, epochId, session = 0 }: SigningTerms,
): Promise<Operation> {
  const userOpHash = getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint08Address,
    entryPointVersion: "0.8",
    userOperation: operation,
  });
  const signature = await signer.signTypedData({
    domain: domainOf("Purser AgentAccount", { address: operation.sender, chainId }),
    types: OPERATION_TYPES,
    primaryType: "Operation",
    message: { userOpHash, validUntil, epochId, session },
  });
  return { ...operation, signature: concat([numberToHex(validUntil, { size: 6 }), signature]) };
}

/**
 * Returns a key for the actions of `viem/experimental/erc7739`, which sign messages that the account accepts by
 * ERC-1271. The signer and the cosigner both sign. The cosigner's signature names the epoch, so a freeze ends it.
 */
export function toCosignedKey(signer: Signer, cosigner: Signer, account: Verifier, epochId: bigint): LocalAccount {
  return toAccount({
    address: signer.address,
    async signTypedData(typedData) {
      const signature = await signer.signTypedData(typedData);
      const cosignature = await cosigner.signTypedData({
        domain: domainOf("Purser AgentAccount", account),
        types: COSIGNATURE_TYPES,
        primaryType: "Cosignature",
        message: { hash: hashTypedData(typedData), epochId },
      });
      return concat([signature, cosignature]);
    },
    signMessage: refuseToSign,
    signTransaction: refuseToSign,
  });
}

const OPERATION_TYPES = {
  Operation: [
    { name: "userOpHash", type: "bytes32" },
    { name: "validUntil", type: "uint48" },
    { name: "epochId", type: "uint80" },
    { name: "session", type: "uint32" },
  ],
} as const;

const COSIGNATURE_TYPES = {
  Cosignature: [
    { name: "hash", type: "bytes32" },
    { name: "epochId", type: "uint80" },
  ],
} as const;

/** As in OpenZeppelin's PaymasterSigner. */
const SPONSORSHIP_TYPES = {
  UserOperationRequest: [
    { name: "sender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "initCode", type: "bytes" },
    { name: "callData", type: "bytes" },
    { name: "accountGasLimits", type: "bytes32" },
    { name: "preVerificationGas", type: "uint256" },
    { name: "gasFees", type: "bytes32" },
    { name: "paymasterVerificationGasLimit", type: "uint256" },
    { name: "paymasterPostOpGasLimit", type: "uint256" },
    { name: "validAfter", type: "uint48" },
    { name: "validUntil", type: "uint48" },
  ],
} as const;

function domainOf(name: string, { address, chainId }: Verifier) {
  return { name, version: "1", chainId, verifyingContract: address };
}

function refuseToSign(): Promise<Hex> {
  return Promise.reject(new Error("This key signs only typed data."));
}
