import { parseArgs } from "node:util";
import {
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  formatEther,
  formatGwei,
  http,
  isHex,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ADDRESSES } from "../abi/addresses.ts";
import { CREATION_CODES } from "../abi/creation-codes.ts";
import { checkDeployment } from "../chain/check-deployment.ts";
import {
  DeploymentError,
  type DeploymentStep,
  deployContracts,
  inspectDeployment,
  type Wallet,
} from "../chain/deploy-contracts.ts";
import { DEPLOYMENTS, type Deployment, type DeploymentName } from "../chain/deployments.ts";
import { encodeRoleGrants, grantRoles, missingRoles, type RoleGrant } from "../chain/guardian-roles.ts";
import { createLocalAdmin, createLocalClient, createLocalWallet } from "../chain/local-chain.ts";
import { type PlannedContract, planContracts, planEntryPoint } from "../chain/plan-contracts.ts";

const KEY_VARIABLE = "PURSER_DEPLOYER_KEY";
const LOCAL_CHAIN_ID = 31337;
const USAGE = `Usage: npm run contracts:deploy -- --rpc-url URL --deployment NAME [--broadcast]
       npm run contracts:deploy -- --rpc-url URL --local [--broadcast]

Shows which contracts of a deployment are on a chain, what creating the others costs, and which roles are missing.

  --rpc-url URL      JSON-RPC address of the chain
  --deployment NAME  an entry of contracts/chain/deployments.ts
  --local            the deployment "local", with the EntryPoint, on a running anvil
  --broadcast        create the missing contracts and grant the missing roles; otherwise nothing is sent
  --help             print this help

${KEY_VARIABLE} is the private key that pays, as 0x and 64 hexadecimal digits. --local does not need it.
Only the admin can grant roles. If that is another account, the call that it must make is printed.`;

/** Thrown for an invalid command line or environment. */
class UsageError extends Error {}

interface Target {
  readonly client: PublicClient;
  /** Undefined if no key is set, which a dry run does not need. */
  readonly wallet: Wallet | undefined;
  /** Undefined unless the guardian's admin is an account whose key is here. */
  readonly admin: Wallet | undefined;
}

/** What a deployment is, and what it lacks on the chain. */
interface Plan {
  readonly deployment: Deployment;
  readonly guardian: Address;
  readonly contracts: readonly PlannedContract[];
  readonly grants: readonly RoleGrant[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  if (options.rpcUrl === undefined) throw new UsageError("--rpc-url is missing.");
  const target = await (options.local ? connectLocal : connect)(options.rpcUrl);
  const chainId = await target.client.getChainId();
  console.log(`Deployment ${options.deployment} on chain ${chainId}:`);
  const plan = await planDeployment(target.client, options);
  const isComplete = await describePlan(target, plan);
  if (isComplete) return;
  if (!options.broadcast) return console.log("Nothing was sent. To create and grant what is missing, add --broadcast.");
  if (options.deployment === "local" && chainId !== LOCAL_CHAIN_ID) {
    throw new UsageError(
      'The keys of the deployment "local" are public. Add a deployment to contracts/chain/deployments.ts.',
    );
  }
  await broadcast(target, plan);
}

async function planDeployment(
  client: PublicClient,
  { deployment: name, local }: { readonly deployment: DeploymentName; readonly local: boolean },
): Promise<Plan> {
  const deployment: Deployment = DEPLOYMENTS[name];
  // The deployment "local" is sent to anvil only.
  if (name !== "local") await checkDeployment(client, deployment);
  const contracts = [...(local ? [planEntryPoint()] : []), ...planContracts(deployment, CREATION_CODES)];
  const guardian = ADDRESSES[name].agentGuardian;
  return { deployment, guardian, contracts, grants: await missingRoles(client, guardian, deployment) };
}

/** Prints the plan, and returns whether the chain lacks nothing. */
async function describePlan({ client, wallet }: Target, { contracts, grants }: Plan): Promise<boolean> {
  const steps = await inspectDeployment(client, contracts, wallet?.account.address);
  for (const step of steps) console.log(describe(step));
  console.log(await describeCost(client, steps));
  for (const { name, holder } of grants) console.log(`${name.padEnd(20)} missing for ${holder}`);
  return grants.length === 0 && steps.every(({ isDeployed }) => isDeployed);
}

async function broadcast({ client, wallet, admin }: Target, plan: Plan): Promise<void> {
  if (wallet === undefined) throw new UsageError(`--broadcast needs ${KEY_VARIABLE}.`);
  await deployContracts(client, wallet, plan.contracts, ({ name }, transaction, gasUsed) =>
    console.log(`${name.padEnd(20)} created in ${transaction}, ${gasUsed} gas`),
  );
  const { deployment, guardian, grants } = plan;
  if (grants.length === 0) return;
  const sender = [admin, wallet].find((candidate) => candidate?.account.address === deployment.admin);
  if (sender !== undefined) {
    console.log(`The roles are granted in ${await grantRoles(client, sender, guardian, grants)}.`);
  } else {
    console.log(`To grant the roles, the admin ${deployment.admin} must call:`);
    console.log(`  to    ${guardian}\n  data  ${encodeRoleGrants(grants)}`);
  }
}

function readOptions() {
  const { values } = parse();
  const local = values.local ?? false;
  if (local === (values.deployment !== undefined)) {
    if (!values.help) throw new UsageError("Give either --deployment or --local.");
  }
  const deployment = values.deployment ?? "local";
  if (!isDeploymentName(deployment)) {
    throw new UsageError(`There is no deployment "${deployment}", only ${Object.keys(DEPLOYMENTS).join(", ")}.`);
  }
  return {
    rpcUrl: values["rpc-url"],
    deployment,
    local,
    broadcast: values.broadcast ?? false,
    help: values.help ?? false,
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        "rpc-url": { type: "string" },
        deployment: { type: "string" },
        local: { type: "boolean" },
        broadcast: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : "", { cause });
  }
}

function isDeploymentName(name: string): name is DeploymentName {
  return Object.hasOwn(DEPLOYMENTS, name);
}

async function connect(rpcUrl: string): Promise<Target> {
  const transport = http(rpcUrl);
  const client = createPublicClient({ transport });
  const key = process.env[KEY_VARIABLE];
  if (key === undefined) return { client, wallet: undefined, admin: undefined };
  if (!isHex(key) || key.length !== 66) {
    throw new UsageError(`${KEY_VARIABLE} must be 0x and 64 hexadecimal digits.`);
  }
  const wallet = createWalletClient({ transport, account: privateKeyToAccount(key) });
  return { client, wallet, admin: undefined };
}

async function connectLocal(rpcUrl: string): Promise<Target> {
  const client = createLocalClient(rpcUrl);
  const chainId = await client.getChainId();
  if (chainId !== LOCAL_CHAIN_ID) {
    throw new UsageError(`--local is for anvil, whose chain id is ${LOCAL_CHAIN_ID}. This chain has ${chainId}.`);
  }
  return { client, wallet: await createLocalWallet(rpcUrl), admin: createLocalAdmin(rpcUrl) };
}

function describe({ contract, isDeployed, gas }: DeploymentStep): string {
  const cost = gas === undefined ? "gas unknown, because the node cannot simulate" : `${gas} gas`;
  const state = isDeployed ? "exists, with this code" : `missing: one transaction, ${cost}`;
  return `${contract.name.padEnd(20)} ${contract.address}  ${state}`;
}

async function describeCost(client: PublicClient, steps: readonly DeploymentStep[]): Promise<string> {
  const missing = steps.filter(({ isDeployed }) => !isDeployed);
  if (missing.length === 0) return "Everything is deployed.";
  const gas = missing.reduce((sum, step) => sum + (step.gas ?? 0n), 0n);
  if (missing.some((step) => step.gas === undefined)) return `Transactions: ${missing.length}.`;
  const gasPrice = await client.getGasPrice();
  const cost = `${formatEther(gas * gasPrice)} of the native coin at ${formatGwei(gasPrice)} gwei`;
  return `Transactions: ${missing.length}, in all ${gas} gas, about ${cost}.`;
}

/** Other errors of viem contain the RPC URL, which can contain a key. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof DeploymentError) return error.message;
  if (error instanceof BaseError) {
    return `${error.shortMessage}\nCheck --rpc-url and the balance of the account, then run the command again.`;
  }
  throw error;
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
