import { type Address, encodeFunctionData, type Hex, keccak256, type PublicClient, toBytes } from "viem";
import { agentGuardianAbi } from "../abi/agent-guardian.ts";
import { DeploymentError, type Wallet } from "./deploy-contracts.ts";
import type { Deployment } from "./deployments.ts";

/** A role of the guardian, and who is to have it. */
export interface RoleGrant {
  readonly name: string;
  readonly role: Hex;
  readonly holder: Address;
}

/** Returns the roles that the holders of a deployment do not have yet. All, if the guardian does not exist. */
export async function missingRoles(
  client: PublicClient,
  guardian: Address,
  deployment: Deployment,
): Promise<RoleGrant[]> {
  const grants = roleGrantsOf(deployment);
  if ((await client.getCode({ address: guardian })) === undefined) return grants;
  const held = await Promise.all(
    grants.map(({ role, holder }) =>
      client.readContract({ address: guardian, abi: agentGuardianAbi, functionName: "hasRole", args: [role, holder] }),
    ),
  );
  return grants.filter((_, index) => held[index] !== true);
}

/** Returns the call of the guardian that grants the roles. Only the admin can make it. */
export function encodeRoleGrants(grants: readonly RoleGrant[]): Hex {
  const calls = grants.map(({ role, holder }) =>
    encodeFunctionData({ abi: agentGuardianAbi, functionName: "grantRole", args: [role, holder] }),
  );
  return encodeFunctionData({ abi: agentGuardianAbi, functionName: "multicall", args: [calls] });
}

/** Grants the roles in one transaction of the admin, and returns its hash. Throws DeploymentError if it fails. */
export async function grantRoles(
  client: PublicClient,
  admin: Wallet,
  guardian: Address,
  grants: readonly RoleGrant[],
): Promise<Hex> {
  const data = encodeRoleGrants(grants);
  const hash = await admin.sendTransaction({ chain: admin.chain ?? null, to: guardian, data });
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== "success") {
    throw new DeploymentError(`The transaction ${hash} granted no role. Inspect it, then run the deployment again.`);
  }
  return hash;
}

function roleGrantsOf({ freezer, unfreezer, policyManager, upgrader }: Deployment): RoleGrant[] {
  const grant = (name: string, holder: Address) => ({ name, role: keccak256(toBytes(name)), holder });
  return [
    grant("FREEZER_ROLE", freezer),
    grant("UNFREEZER_ROLE", unfreezer),
    grant("POLICY_ROLE", policyManager),
    grant("UPGRADER_ROLE", upgrader),
  ];
}
