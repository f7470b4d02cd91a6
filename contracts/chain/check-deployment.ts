import type { PublicClient } from "viem";
import { DeploymentError } from "./deploy-contracts.ts";
import type { Deployment } from "./deployments.ts";

/** A day, in which the present admin can cancel a change of the admin. */
const ADMIN_DELAY_MIN_SECONDS = 86_400;

/**
 * Throws DeploymentError if one key could do what two are for, if the admin could be replaced at once, or if the admin is
 * no contract on this chain, such as a multisignature or a timelock.
 */
export async function checkDeployment(client: PublicClient, deployment: Deployment): Promise<void> {
  const { adminDelaySeconds, ...holders } = deployment;
  const names = new Map<string, string>();
  for (const [name, address] of Object.entries(holders)) {
    const other = names.get(address.toLowerCase());
    if (other !== undefined)
      throw new DeploymentError(`${other} and ${name} are both ${address}. Use another address.`);
    names.set(address.toLowerCase(), name);
  }
  if (adminDelaySeconds < ADMIN_DELAY_MIN_SECONDS) {
    throw new DeploymentError(
      `adminDelaySeconds is ${adminDelaySeconds}, at least ${ADMIN_DELAY_MIN_SECONDS} is needed.`,
    );
  }
  if ((await client.getCode({ address: deployment.admin })) === undefined) {
    throw new DeploymentError(
      `The admin ${deployment.admin} is no contract on this chain. Create the multisignature or timelock there first.`,
    );
  }
}
