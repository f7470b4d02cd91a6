import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import { agentGuardianAbi } from "@purser/contracts/abi/agent-guardian.ts";
import * as AbiFunction from "ox/AbiFunction";
import type { App } from "../../app.ts";
import { ENTRY_POINT } from "../../crypto/agent-account.ts";
import type { HexText } from "../../crypto/user-operation.ts";
import { usdcOf } from "../../foundation/blockchain-networks.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { ContractCall, EvmNetwork } from "../../ports/evm-network.ts";
import type { Wallet } from "../wallets/queries.ts";

const SIGNER = AbiFunction.fromAbi(agentAccountAbi, "signer");
const FROZEN = AbiFunction.fromAbi(agentAccountAbi, "frozen");
const EPOCH_ID = AbiFunction.fromAbi(agentAccountAbi, "epochId");
const LIMIT_OF = AbiFunction.fromAbi(agentAccountAbi, "limitOf");
const DEFAULT_LIMIT = AbiFunction.fromAbi(agentGuardianAbi, "defaultLimit");
const GET_NONCE = AbiFunction.from("function getNonce(address sender, uint192 key) view returns (uint256)");
const BALANCE_OF = AbiFunction.from("function balanceOf(address account) view returns (uint256)");

/** The epoch of an account that is not deployed. */
const FIRST_EPOCH_ID = 0n;

/** What a network's newest block says about an account. */
export interface AccountState {
  readonly isDeployed: boolean;
  /** The address whose signatures the account accepts. */
  readonly signer: string;
  readonly isFrozen: boolean;
  readonly epochId: bigint;
  /** What the account may still transfer of USDC on the present UTC day. */
  readonly remaining: bigint;
  /** What the paymaster can spend for gas, in wei. */
  readonly paymasterDeposit: bigint;
}

/** Reads the state of a wallet's account with one call. */
export async function readAccountState(
  { settings }: Pick<App, "settings">,
  chain: EvmNetwork,
  wallet: Pick<Wallet, "address" | "owner" | "network">,
): Promise<AccountState> {
  const { agentGuardian, verifyingPaymaster } = ADDRESSES[settings.contractsDeployment];
  const [account, token] = [wallet.address as HexText, usdcOf(wallet.network) as HexText];
  const [signer, frozen, epochId, limit, defaultLimit, deposit] = await chain.readCalls(
    [
      { to: account, data: AbiFunction.encodeData(SIGNER) },
      { to: account, data: AbiFunction.encodeData(FROZEN) },
      { to: account, data: AbiFunction.encodeData(EPOCH_ID) },
      { to: account, data: AbiFunction.encodeData(LIMIT_OF, [token]) },
      { to: agentGuardian, data: AbiFunction.encodeData(DEFAULT_LIMIT, [token]) },
      depositCallOf(verifyingPaymaster),
    ],
    "latest",
  );
  const paymasterDeposit = numberOf(deposit);
  // A call of an address without code succeeds and returns nothing.
  if (!hasBytes(signer) || !hasBytes(frozen) || !hasBytes(epochId) || !hasBytes(limit)) {
    const account = { isDeployed: false, signer: wallet.owner, isFrozen: false, epochId: FIRST_EPOCH_ID };
    return { ...account, remaining: numberOf(defaultLimit), paymasterDeposit };
  }
  const [most, spent] = AbiFunction.decodeResult(LIMIT_OF, limit, { as: "Array" });
  return {
    isDeployed: true,
    signer: AbiFunction.decodeResult(SIGNER, signer),
    isFrozen: AbiFunction.decodeResult(FROZEN, frozen),
    epochId: AbiFunction.decodeResult(EPOCH_ID, epochId),
    remaining: most > spent ? most - spent : 0n,
    paymasterDeposit,
  };
}

/** Reads what the paymaster can spend for gas, in wei. */
export async function readPaymasterDeposit({ settings }: Pick<App, "settings">, chain: EvmNetwork): Promise<bigint> {
  const { verifyingPaymaster } = ADDRESSES[settings.contractsDeployment];
  const [deposit] = await chain.readCalls([depositCallOf(verifyingPaymaster)], "latest");
  return numberOf(deposit);
}

function depositCallOf(paymaster: HexText): ContractCall {
  return { to: ENTRY_POINT, data: AbiFunction.encodeData(BALANCE_OF, [paymaster]) };
}

/** Returns the call that reads the next nonce of an account with this key. */
export function nonceCallOf(account: string, key: bigint): ContractCall {
  return { to: ENTRY_POINT, data: AbiFunction.encodeData(GET_NONCE, [account as HexText, key]) };
}

/** Returns the call that reads whether an account is frozen. It returns nothing if the account is not deployed. */
export function frozenCallOf(account: string): ContractCall {
  return { to: account, data: AbiFunction.encodeData(FROZEN) };
}

/** Returns the call that reads the id of an account's epoch. It returns nothing if the account is not deployed. */
export function epochCallOf(account: string): ContractCall {
  return { to: account, data: AbiFunction.encodeData(EPOCH_ID) };
}

export async function readNonce(chain: EvmNetwork, account: string, key: bigint): Promise<bigint> {
  const [nonce] = await chain.readCalls([nonceCallOf(account, key)], "latest");
  invariant(hasBytes(nonce), "the EntryPoint has a nonce for each account");
  return BigInt(nonce);
}

/** Returns a result as a number: zero for a call that returned nothing or reverted. */
export function numberOf(result: string | null | undefined): bigint {
  return hasBytes(result) ? BigInt(result) : 0n;
}

function hasBytes(result: string | null | undefined): result is HexText {
  return result !== null && result !== undefined && result !== "0x";
}
