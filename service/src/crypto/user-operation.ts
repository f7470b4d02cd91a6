import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import { agentAccountFactoryAbi } from "@purser/contracts/abi/agent-account-factory.ts";
import * as AbiFunction from "ox/AbiFunction";
import * as UserOperation from "ox/erc4337/UserOperation";
import * as Hex from "ox/Hex";
import * as TypedData from "ox/TypedData";
import { ENTRY_POINT } from "./agent-account.ts";

/** Bytes or an address in hex. */
export type HexText = `0x${string}`;

/** An operation of an account, as EntryPoint 0.8 executes it. */
export type Operation = UserOperation.UserOperation<"0.8", true>;

/** The hash of `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)` of the EntryPoint. */
export const USER_OPERATION_EVENT = "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f";

/** Reads from the data of this event whether the account has done what the operation asks for. */
export function isSuccess(eventData: string): boolean {
  return eventData[SUCCESS_DIGIT] === "1";
}

/** The last digit of the second word. */
const SUCCESS_DIGIT = 129;
const TRANSFER = AbiFunction.fromAbi(agentAccountAbi, "transfer");
const CREATE_ACCOUNT = AbiFunction.fromAbi(agentAccountFactoryAbi, "createAccount");
const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
const EPOCH_SALT_BITS = 48n;
const LANE_BITS = 160n;
const SEQUENCE_BITS = 64n;

/** A transfer of a token by an account. */
export interface AccountTransfer {
  /** The account's `epochId`: the number of its epoch (32 bits) and the salt (48 bits). */
  readonly epochId: bigint;
  readonly token: string;
  readonly recipient: string;
  /** In the smallest unit of the token. */
  readonly amount: bigint;
}

/** Returns the call of the account that transfers a token. */
export function encodeAccountTransfer({ epochId, token, recipient, amount }: AccountTransfer): HexText {
  return AbiFunction.encodeData(TRANSFER, [epochId, token as HexText, recipient as HexText, amount]);
}

/** Returns the transfer that a call makes, with addresses in lowercase. Undefined if it is another call. */
export function decodeAccountTransfer(callData: HexText): AccountTransfer | undefined {
  try {
    const [epochId, token, recipient, amount] = AbiFunction.decodeData(TRANSFER, callData);
    const transfer = { epochId, token: token.toLowerCase(), recipient: recipient.toLowerCase(), amount };
    // Bytes after the arguments would be ignored.
    return encodeAccountTransfer(transfer) === callData ? transfer : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the call of the factory that deploys the account with the salt 0. */
export function encodeCreateAccount(owner: string, recoveryAddress: string | null): HexText {
  const recovery = (recoveryAddress ?? ZERO_ADDRESS) as HexText;
  return AbiFunction.encodeData(CREATE_ACCOUNT, [owner as HexText, recovery, Hex.fromNumber(0, { size: 32 })]);
}

/** Returns the number of an epoch. It grows with each freeze, unfreeze and change of the signer on the chain. */
export function epochNumberOf(epochId: bigint): bigint {
  return epochId >> EPOCH_SALT_BITS;
}

/** Returns the first 192 bits of a nonce. Each lane has its own sequence, and an account accepts only its present epoch. */
export function nonceKeyOf(epochId: bigint, lane: number): bigint {
  return (epochNumberOf(epochId) << LANE_BITS) | BigInt(lane);
}

/** Returns the key of a nonce. */
export function keyOfNonce(nonce: bigint): bigint {
  return nonce >> SEQUENCE_BITS;
}

/** Returns the hash that identifies the operation on its chain. It covers everything except the account's signature. */
export function operationHash(operation: Operation, chainId: number): HexText {
  return UserOperation.hash(operation, {
    chainId,
    entryPointAddress: ENTRY_POINT,
    entryPointVersion: "0.8",
  });
}

export interface SigningTerms {
  readonly chainId: number;
  /** The last second since 1970 at which the operation is valid. */
  readonly validUntil: number;
  readonly epochId: bigint;
}

/** Returns what the account's owner signs: the EIP-712 type `Operation` of `contracts/src/AgentAccount.sol`. */
export function operationDigest(operation: Operation, { chainId, validUntil, epochId }: SigningTerms): HexText {
  return TypedData.getSignPayload({
    domain: domainOf("Purser AgentAccount", operation.sender, chainId),
    types: OPERATION_TYPES,
    primaryType: "Operation",
    message: { userOpHash: operationHash(operation, chainId), validUntil, epochId, session: 0 },
  });
}

/** Returns the operation with the signature of the account's owner. */
export function withOwnerSignature(operation: Operation, validUntil: number, signature: HexText): Operation {
  return { ...operation, signature: Hex.concat(Hex.fromNumber(validUntil, { size: 6 }), signature) };
}

interface Sponsorship {
  readonly paymaster: string;
  readonly chainId: number;
  /** The last second since 1970 at which the paymaster pays. */
  readonly validUntil: number;
}

/** Returns what the paymaster's key signs: the type `UserOperationRequest` of `contracts/src/VerifyingPaymaster.sol`. */
export function sponsorshipDigest(operation: Operation, { paymaster, chainId, validUntil }: Sponsorship): HexText {
  const packed = UserOperation.toPacked(operation);
  return TypedData.getSignPayload({
    domain: domainOf("Purser VerifyingPaymaster", paymaster, chainId),
    types: SPONSORSHIP_TYPES,
    primaryType: "UserOperationRequest",
    message: {
      ...{ sender: operation.sender, nonce: operation.nonce, initCode: packed.initCode, callData: packed.callData },
      accountGasLimits: packed.accountGasLimits,
      preVerificationGas: operation.preVerificationGas,
      gasFees: packed.gasFees,
      paymasterVerificationGasLimit: operation.paymasterVerificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: operation.paymasterPostOpGasLimit ?? 0n,
      ...{ validAfter: 0, validUntil },
    },
  });
}

/** Returns the operation with the signature of the paymaster's key. */
export function withSponsorship(operation: Operation, validUntil: number, signature: HexText): Operation {
  const times = [0, validUntil].map((seconds) => Hex.fromNumber(seconds, { size: 6 }));
  return { ...operation, paymasterData: Hex.concat(...times, signature) };
}

/** Returns the operation as bundlers take it (ERC-7769), as JSON. */
export function operationToJson(operation: Operation): string {
  return JSON.stringify(UserOperation.toRpc(operation));
}

/** Reads an operation that `operationToJson` has written. */
export function operationFromJson(json: string): Operation {
  return UserOperation.fromRpc(JSON.parse(json)) as Operation;
}

const OPERATION_TYPES = {
  Operation: [
    { name: "userOpHash", type: "bytes32" },
    { name: "validUntil", type: "uint48" },
    { name: "epochId", type: "uint80" },
    { name: "session", type: "uint32" },
  ],
} as const;

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

function domainOf(name: string, verifyingContract: string, chainId: number) {
  return { name, version: "1", chainId, verifyingContract: verifyingContract as HexText } as const;
}
