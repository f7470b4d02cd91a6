import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import * as AbiParameters from "ox/AbiParameters";
import * as Address from "ox/Address";
import * as ContractAddress from "ox/ContractAddress";
import * as Hash from "ox/Hash";

/** The EntryPoint of ERC-4337, version 0.8, on every network. */
export const ENTRY_POINT = "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108";

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

/** The proxy's code before and after the address of the implementation: the ERC-1967 proxy of Solady's `LibClone`. */
const PROXY_CODE_HEAD = "603d3d8160223d3973";
const PROXY_CODE_TAIL =
  "60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3";

export interface AgentAccountOwner {
  /** The address of the key that signs the account's operations. */
  readonly owner: `0x${string}`;
  /** The address that may replace a lost key, or null. */
  readonly recoveryAddress: string | null;
  /** Distinguishes accounts of one owner. */
  readonly salt: bigint;
}

export interface AgentAccount {
  /** With the checksum of EIP-55. */
  readonly address: string;
  readonly factory: string;
  /** The keccak-256 of the code that creates the account's proxy. */
  readonly initCodeHash: string;
}

/**
 * Returns the address at which the factory of the deployment creates this account, on every network. Computes the same as
 * `accountOf` of `contracts/src/AgentAccountFactory.sol`.
 */
export function agentAccountOf(
  deployment: keyof typeof ADDRESSES,
  { owner, recoveryAddress, salt }: AgentAccountOwner,
): AgentAccount {
  const { agentAccountFactory: factory, agentAccount } = ADDRESSES[deployment];
  const code = PROXY_CODE_HEAD + agentAccount.slice(2) + PROXY_CODE_TAIL;
  const initCodeHash = Hash.keccak256(`0x${code}`);
  const seed = AbiParameters.encode(AbiParameters.from(["address", "address", "uint256"]), [
    owner,
    (recoveryAddress ?? ZERO_ADDRESS) as `0x${string}`,
    salt,
  ]);
  const create2 = { from: factory, bytecodeHash: initCodeHash, salt: Hash.keccak256(seed) };
  const address = Address.checksum(ContractAddress.fromCreate2(create2));
  return { address, factory, initCodeHash };
}
