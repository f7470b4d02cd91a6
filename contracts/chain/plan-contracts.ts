import { type Address, getCreate2Address, type Hex, zeroHash } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";
import { LOCAL_CODES } from "../abi/local-codes.ts";
import type { ContractName } from "./contract-names.ts";
import { type CreationCode, initCode } from "./creation-code.ts";
import type { Deployment } from "./deployments.ts";

/** With this salt, the deterministic deployer creates the EntryPoint 0.8 at its address, which viem has. */
const ENTRY_POINT_SALT: Hex = "0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9";

/** A contract that creates others by CREATE2. It has this address on almost every chain, and anvil contains it. */
export const DETERMINISTIC_DEPLOYER_ADDRESS: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

export interface PlannedContract {
  readonly name: string;
  /** Follows from the salt and the init code, so it is the same on every chain. */
  readonly address: Address;
  readonly salt: Hex;
  readonly initCode: Hex;
  /** Compared with the code on the chain. The EntryPoint has none. */
  readonly creation?: CreationCode;
}

/**
 * Returns the contracts of a deployment, in the order of their creation. The creation codes are an argument, because the
 * program that generates `contracts/abi/creation-codes.ts` calls this function too.
 */
export function planContracts(
  deployment: Deployment,
  creationCodes: Readonly<Record<ContractName, CreationCode>>,
): (PlannedContract & { readonly name: ContractName })[] {
  const plan = (name: ContractName, constructorArguments: readonly unknown[]) => {
    const creation = creationCodes[name];
    const bytecode = initCode(creation, constructorArguments);
    const address = getCreate2Address({
      from: DETERMINISTIC_DEPLOYER_ADDRESS,
      salt: zeroHash,
      bytecode,
    });
    return { name, address, salt: zeroHash, initCode: bytecode, creation };
  };

  const guardian = plan("AgentGuardian", [deployment.admin, deployment.adminDelaySeconds]);
  const account = plan("AgentAccount", [guardian.address]);
  const factory = plan("AgentAccountFactory", [account.address]);
  const paymaster = plan("VerifyingPaymaster", [deployment.paymasterSigner, deployment.paymasterOwner]);
  return [guardian, account, factory, paymaster, plan("AuditAnchor", [])];
}

/** Returns the EntryPoint for a local chain. Other chains already have it. */
export function planEntryPoint(): PlannedContract {
  return {
    name: "EntryPoint",
    address: entryPoint08Address,
    salt: ENTRY_POINT_SALT,
    initCode: LOCAL_CODES.entryPoint,
  };
}
