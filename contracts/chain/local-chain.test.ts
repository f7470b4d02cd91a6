import { entryPoint08Address } from "viem/account-abstraction";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { agentAccountAbi } from "../abi/agent-account.ts";
import { agentAccountFactoryAbi } from "../abi/agent-account-factory.ts";
import { agentGuardianAbi } from "../abi/agent-guardian.ts";
import { CREATION_CODES } from "../abi/creation-codes.ts";
import { verifyingPaymasterAbi } from "../abi/verifying-paymaster.ts";
import { deployContracts, inspectDeployment } from "./deploy-contracts.ts";
import { DEPLOYMENTS } from "./deployments.ts";
import { startLocalChain } from "./local-chain.ts";
import { DETERMINISTIC_DEPLOYER_ADDRESS, planContracts } from "./plan-contracts.ts";

const PLAN = planContracts(DEPLOYMENTS.local, CREATION_CODES);

let chain: Awaited<ReturnType<typeof startLocalChain>>;

beforeAll(async () => {
  chain = await startLocalChain();
});

afterAll(async () => await chain.stop());

beforeEach(async () => await chain.snapshot());

test("deploys each contract with its constructor's arguments at its address in git", async () => {
  const { addresses, publicClient } = chain;
  expect(PLAN.map(({ address }) => address)).toEqual(Object.values(addresses));
  const read = publicClient.readContract;
  const guardian = { address: addresses.agentGuardian, abi: agentGuardianAbi };
  const account = { address: addresses.agentAccount, abi: agentAccountAbi };
  const paymaster = { address: addresses.verifyingPaymaster, abi: verifyingPaymasterAbi };
  const { admin, freezer, paymasterOwner, paymasterSigner } = DEPLOYMENTS.local;

  expect(await read({ ...guardian, functionName: "defaultAdmin" })).toBe(admin);
  const role = await read({ ...guardian, functionName: "FREEZER_ROLE" });
  expect(await read({ ...guardian, functionName: "hasRole", args: [role, freezer] })).toBe(true);
  expect(await read({ ...account, functionName: "GUARDIAN" })).toBe(guardian.address);
  expect(await read({ ...account, functionName: "entryPoint" })).toBe(entryPoint08Address);
  expect(
    await read({
      address: addresses.agentAccountFactory,
      abi: agentAccountFactoryAbi,
      functionName: "IMPLEMENTATION",
    }),
  ).toBe(account.address);
  expect(await read({ ...paymaster, functionName: "owner" })).toBe(paymasterOwner);
  expect(await read({ ...paymaster, functionName: "SIGNER" })).toBe(paymasterSigner);
});

test("skips what is deployed, and simulates only what is missing", async () => {
  const { publicClient, testClient, walletClient } = chain;
  const { address } = walletClient.account;
  const nonce = await publicClient.getTransactionCount({ address });
  await deployContracts(publicClient, walletClient, PLAN);
  expect(await publicClient.getTransactionCount({ address })).toBe(nonce);

  const [guardian, , factory] = PLAN;
  for (const contract of [guardian, factory]) await eraseContract(contract?.address);
  const steps = await inspectDeployment(publicClient, PLAN, undefined);
  expect(steps.map(({ isDeployed }) => isDeployed)).toEqual([false, true, false, true, true]);
  expect(steps.map(({ gas }) => gas !== undefined && gas > 50_000n)).toEqual([true, false, true, false, false]);
  expect(await publicClient.getTransactionCount({ address })).toBe(nonce);

  const created: string[] = [];
  await deployContracts(publicClient, walletClient, PLAN, ({ name }) => created.push(name));
  expect(created).toEqual(["AgentGuardian", "AgentAccountFactory"]);

  /** CREATE2 fails at an address with a nonce, so the nonce must be erased too. */
  async function eraseContract(contract: `0x${string}` | undefined): Promise<void> {
    if (contract === undefined) return;
    await testClient.setCode({ address: contract, bytecode: "0x" });
    await testClient.setNonce({ address: contract, nonce: 0 });
  }
});

test("refuses other code at the address of a contract", async () => {
  const { addresses, publicClient, testClient, walletClient } = chain;
  const address = addresses.agentAccount;
  const code = await publicClient.getCode({ address });
  await testClient.setCode({ address, bytecode: `${code?.slice(0, -2) ?? ""}ff` as `0x${string}` });
  const message = `The code at ${address} is not that of AgentAccount`;
  await expect(inspectDeployment(publicClient, PLAN, undefined)).rejects.toThrow(message);
  await expect(deployContracts(publicClient, walletClient, PLAN)).rejects.toThrow(message);
});

test.each([
  ["the deterministic deployer", DETERMINISTIC_DEPLOYER_ADDRESS],
  ["the EntryPoint 0.8", entryPoint08Address],
])("requires %s", async (what, address) => {
  await chain.testClient.setCode({ address, bytecode: "0x" });
  await expect(inspectDeployment(chain.publicClient, PLAN, undefined)).rejects.toThrow(
    `This chain does not contain ${what} (${address}).`,
  );
});

test("ends anvil", async () => {
  const other = await startLocalChain();
  expect(other.rpcUrl).not.toBe(chain.rpcUrl);
  await other.stop();
  await expect(fetch(other.rpcUrl)).rejects.toThrow("fetch failed");
});

test("reports why anvil does not start", async () => {
  await expect(startLocalChain(["--no-such-option"])).rejects.toThrow(
    /anvil ended while starting: .*--no-such-option/s,
  );
});
