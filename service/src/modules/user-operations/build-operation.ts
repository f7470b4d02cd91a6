import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import type { App } from "../../app.ts";
import {
  type AccountTransfer,
  decodeAccountTransfer,
  encodeAccountTransfer,
  encodeCreateAccount,
  type HexText,
  type Operation,
  operationDigest,
  operationHash,
  operationToJson,
  sponsorshipDigest,
  withOwnerSignature,
  withSponsorship,
} from "../../crypto/user-operation.ts";
import { evmChainIdOf } from "../../foundation/blockchain-networks.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { GasPrice } from "../../ports/evm-network.ts";
import type { Wallet } from "../wallets/queries.ts";
import type { SignerAccess } from "../wallets/signer/open-signer.ts";
import { signWithWalletKey } from "../wallets/signer/wallet-keys.ts";
import type { AccountState } from "./account-state.ts";

const CALL_GAS = 120_000n;
const VERIFICATION_GAS = 150_000n;
/** The account is deployed during the verification of its first operation. */
const VERIFICATION_GAS_WITH_DEPLOYMENT = 500_000n;
const PAYMASTER_GAS = 100_000n;
/** Where the bundler has no estimate. */
const PRE_VERIFICATION_GAS = 60_000n;
/** Networks that also charge for data ask for more. */
const PRE_VERIFICATION_GAS_MAX = 2_000_000n;
/** As long as the signatures of an operation, of bytes that cost as much as others. */
const SIGNATURE_BYTES = 71;
const PAYMASTER_DATA_BYTES = 77;

export interface OperationPlan {
  readonly wallet: Wallet;
  readonly account: AccountState;
  readonly nonce: bigint;
  readonly gasPrice: GasPrice;
  /** The last second since 1970 at which the operation is valid. */
  readonly validUntil: number;
  /** Null to deploy the account and do nothing else. */
  readonly transfer: AccountTransfer | null;
}

/** Returns the operation of a plan. Its signatures have the right lengths, and are not valid. */
export function buildOperation({ settings }: Pick<App, "settings">, plan: OperationPlan): Operation {
  const { wallet, account, nonce, gasPrice, transfer } = plan;
  const deployment = {
    factory: wallet.factory as HexText,
    factoryData: encodeCreateAccount(wallet.owner, wallet.recoveryAddress),
  };
  return {
    sender: wallet.address as HexText,
    nonce,
    ...(!account.isDeployed && deployment),
    callData: transfer === null ? "0x" : encodeAccountTransfer(transfer),
    callGasLimit: CALL_GAS,
    verificationGasLimit: account.isDeployed ? VERIFICATION_GAS : VERIFICATION_GAS_WITH_DEPLOYMENT,
    preVerificationGas: PRE_VERIFICATION_GAS,
    ...gasPrice,
    paymaster: ADDRESSES[settings.contractsDeployment].verifyingPaymaster,
    paymasterVerificationGasLimit: PAYMASTER_GAS,
    paymasterPostOpGasLimit: 0n,
    paymasterData: dummyBytes(PAYMASTER_DATA_BYTES),
    signature: dummyBytes(SIGNATURE_BYTES),
  };
}

/** Returns what the operation costs at most, in wei. The paymaster must have as much. */
export function maxCostOf(operation: Operation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, paymasterVerificationGasLimit = 0n } = operation;
  const gas = callGasLimit + verificationGasLimit + preVerificationGas + paymasterVerificationGasLimit;
  return gas * operation.maxFeePerGas;
}

/** An operation with the signatures of the paymaster's key and of the wallet's owner. */
export interface SignedBytes {
  readonly operation: Operation;
  readonly json: string;
  readonly userOpHash: HexText;
}

/** Signs an operation as the paymaster. */
export function sponsorOperation(
  { operatorKeys, settings }: Pick<App, "settings" | "operatorKeys">,
  { wallet, validUntil }: OperationPlan,
  built: Operation,
): Operation {
  const { paymasterSigner } = operatorKeys;
  invariant(paymasterSigner !== null, "operations are sent with a paymaster");
  const paymaster = ADDRESSES[settings.contractsDeployment].verifyingPaymaster;
  const payload = sponsorshipDigest(built, { paymaster, chainId: evmChainIdOf(wallet.network), validUntil });
  return withSponsorship(built, validUntil, Signature.toHex(Secp256k1.sign({ payload, privateKey: paymasterSigner })));
}

/**
 * Signs a sponsored operation as the wallet. Reads the operation again from its bytes first, and throws unless it does what the plan
 * says and nothing else. Throws like `signWithWalletKey`.
 */
export async function signOperation(
  app: SignerAccess & Pick<App, "settings">,
  plan: OperationPlan,
  sponsored: Operation,
  requestedAt: Date,
): Promise<SignedBytes> {
  const { wallet, account, validUntil } = plan;
  invariant(isPlanned(app, plan, sponsored), "the operation to be signed is the planned one");
  const chainId = evmChainIdOf(wallet.network);
  const digest = operationDigest(sponsored, { chainId, validUntil, epochId: account.epochId });
  const signature = await signWithWalletKey(app, wallet, digest, requestedAt);
  const operation = withOwnerSignature(sponsored, validUntil, signature);
  return { operation, json: operationToJson(operation), userOpHash: operationHash(operation, chainId) };
}

/**
 * Returns whether the operation's bytes say what the plan does: what is signed was not changed on its way here. Does not encode
 * the call again, but decodes it.
 */
function isPlanned({ settings }: Pick<App, "settings">, plan: OperationPlan, built: Operation): boolean {
  const { wallet, transfer, account, nonce } = plan;
  const decoded = decodeAccountTransfer(built.callData);
  const isCall =
    transfer === null
      ? built.callData === "0x"
      : decoded !== undefined &&
        decoded.epochId === account.epochId &&
        decoded.epochId === transfer.epochId &&
        decoded.token === transfer.token.toLowerCase() &&
        decoded.recipient === transfer.recipient.toLowerCase() &&
        decoded.amount === transfer.amount;
  const isOwn =
    built.sender === wallet.address &&
    built.nonce === nonce &&
    built.paymaster === ADDRESSES[settings.contractsDeployment].verifyingPaymaster &&
    (built.factory ?? wallet.factory) === wallet.factory;
  return isCall && isOwn;
}

function dummyBytes(length: number): HexText {
  return `0x${"fe".repeat(length)}`;
}

/** Returns the gas to ask for where a bundler has estimated it: a tenth more, but no more than any network needs. */
export function preVerificationGasOf(estimate: bigint | null): bigint {
  if (estimate === null) return PRE_VERIFICATION_GAS;
  const wanted = (estimate * 11n) / 10n;
  return wanted < PRE_VERIFICATION_GAS_MAX ? wanted : PRE_VERIFICATION_GAS_MAX;
}
