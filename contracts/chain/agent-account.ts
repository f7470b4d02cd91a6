import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
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
 * in different lanes do not wait for each other. A freeze starts a new epoch, so nonces of earlier epochs are dead.
 */
export function nonceKeyOf(epoch: number, lane: bigint): bigint {
  if (lane < 0n || lane >= 1n << 160n) throw new RangeError(`${lane} is not a lane: it needs 160 bits.`);
  return (BigInt(epoch) << 160n) | lane;
}

/** Returns the lane of a session key. The account accepts its operations in no other lane. */
export function laneOfSession(key: Address): bigint {
  return BigInt(key);
}

/** Returns the call that transfers an ERC-20 token within the limits of the account. */
export function encodeTransfer(token: Address, recipient: Address, amount: bigint): Hex {
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [recipient, amount],
  });
  return encodeFunctionData({
    abi: agentAccountAbi,
    functionName: "execute",
    args: [token, 0n, transfer],
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

/**
 * Adds the paymaster's signature, which makes the paymaster pay. It covers everything except the account's signature,
 * so it comes first.
 */
export async function sponsorOperation(
  operation: Operation,
  signer: Signer,
  paymaster: Verifier,
  { validAfter, validUntil }: Validity,
): Promise<Operation> {
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

/**
 * Adds the signature of the account's signer or of a session key. It covers everything else. `validUntil` is the last
 * second since 1970 at which the operation is valid.
 */
export async function signOperation(
  operation: Operation,
  signer: Signer,
  chainId: number,
  validUntil: number,
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
    message: { userOpHash, validUntil },
  });
  return { ...operation, signature: concat([numberToHex(validUntil, { size: 6 }), signature]) };
}

/**
 * Returns a key for the actions of `viem/experimental/erc7739`, which sign messages that the account accepts by
 * ERC-1271. The signer and the cosigner both sign. The cosigner's signature names the epoch, so a freeze ends it.
 */
export function toCosignedKey(signer: Signer, cosigner: Signer, account: Verifier, epoch: number): LocalAccount {
  return toAccount({
    address: signer.address,
    async signTypedData(typedData) {
      const signature = await signer.signTypedData(typedData);
      const cosignature = await cosigner.signTypedData({
        domain: domainOf("Purser AgentAccount", account),
        types: COSIGNATURE_TYPES,
        primaryType: "Cosignature",
        message: { hash: hashTypedData(typedData), epoch },
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
  ],
} as const;

const COSIGNATURE_TYPES = {
  Cosignature: [
    { name: "hash", type: "bytes32" },
    { name: "epoch", type: "uint32" },
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
