import type { Transport, WalletClient } from "viem";
import { type Account, type Address, type Chain, concat, type Hex, type PublicClient } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";
import { isRuntimeOf } from "./creation-code.ts";
import { DETERMINISTIC_DEPLOYER_ADDRESS, type PlannedContract } from "./plan-contracts.ts";

export type Wallet = WalletClient<Transport, Chain | undefined, Account>;

export interface DeploymentStep {
  readonly contract: PlannedContract;
  readonly isDeployed: boolean;
  /** The gas of the creation, or undefined if nothing needs to be created or the node cannot simulate it. */
  readonly gas: bigint | undefined;
}

/** A chain that lacks something, or whose code differs from the compiled code. The message says what to do. */
export class DeploymentError extends Error {
  override readonly name = "DeploymentError";
}

/**
 * Looks up which contracts of the plan exist, and simulates the creation of the others. Throws DeploymentError if the
 * contracts cannot be created, or if one of them has other code than the plan.
 */
export async function inspectDeployment(
  client: PublicClient,
  plan: readonly PlannedContract[],
  from: Address | undefined,
): Promise<DeploymentStep[]> {
  await requireCode(client, DETERMINISTIC_DEPLOYER_ADDRESS, "the deterministic deployer");
  if (!plan.some(({ address }) => address === entryPoint08Address)) {
    await requireCode(client, entryPoint08Address, "the EntryPoint 0.8");
  }
  const deployed = await Promise.all(plan.map((planned) => isDeployed(client, planned)));
  const gas = await simulateGas(
    client,
    plan.filter((_, index) => !deployed[index]),
    from,
  );
  return plan.map((planned, index) => ({
    contract: planned,
    isDeployed: deployed[index] === true,
    gas: gas.get(planned),
  }));
}

/**
 * Creates the contracts of the plan that do not exist, one transaction each, and waits for each. Can be repeated: what
 * exists is skipped. Throws DeploymentError if a creation fails.
 */
export async function deployContracts(
  client: PublicClient,
  wallet: Wallet,
  plan: readonly PlannedContract[],
  onCreated: (created: PlannedContract, transaction: Hex, gasUsed: bigint) => void = () => {},
): Promise<void> {
  for (const planned of plan) {
    if (await isDeployed(client, planned)) continue;
    const hash = await wallet.sendTransaction({
      chain: wallet.chain ?? null,
      ...creationCall(planned),
    });
    const { status, gasUsed } = await client.waitForTransactionReceipt({ hash });
    if (status !== "success" || !(await isDeployed(client, planned))) {
      throw new DeploymentError(
        `The transaction ${hash} did not create ${planned.name}. Inspect it, then run the deployment again.`,
      );
    }
    onCreated(planned, hash, gasUsed);
  }
}

async function requireCode(client: PublicClient, address: Address, what: string): Promise<void> {
  if ((await client.getCode({ address })) === undefined) {
    throw new DeploymentError(
      `This chain does not contain ${what} (${address}). Create it first, or use --local for a local chain.`,
    );
  }
}

async function isDeployed(client: PublicClient, planned: PlannedContract): Promise<boolean> {
  const code = await client.getCode({ address: planned.address });
  if (code === undefined) return false;
  if (planned.creation !== undefined && !isRuntimeOf(planned.creation, code)) {
    throw new DeploymentError(
      `The code at ${planned.address} is not that of ${planned.name}. Do not use this address.`,
    );
  }
  return true;
}

function creationCall({ salt, initCode }: PlannedContract): { to: Address; data: Hex } {
  return { to: DETERMINISTIC_DEPLOYER_ADDRESS, data: concat([salt, initCode]) };
}

/**
 * Simulates all creations in one block, because a constructor can require the contract before it. Not every node
 * offers this: without it, the gas is unknown.
 */
async function simulateGas(
  client: PublicClient,
  missing: readonly PlannedContract[],
  from: Address | undefined,
): Promise<Map<PlannedContract, bigint>> {
  const calls = missing.map((planned) => ({
    ...creationCall(planned),
    ...(from === undefined ? {} : { account: from }),
  }));
  if (calls.length === 0) return new Map();
  const blocks = await client.simulateBlocks({ blocks: [{ calls }] }).catch(() => undefined);
  const results = blocks?.[0]?.calls ?? [];
  return new Map(
    missing.flatMap((planned, index) => {
      const result = results[index];
      return result?.status === "success" ? [[planned, result.gasUsed]] : [];
    }),
  );
}
