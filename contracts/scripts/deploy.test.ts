import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { keccak256, toBytes } from "viem";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ADDRESSES } from "../abi/addresses.ts";
import { agentGuardianAbi } from "../abi/agent-guardian.ts";
import { DEPLOYMENTS } from "../chain/deployments.ts";
import { createLocalAdmin, startLocalChain } from "../chain/local-chain.ts";

/** The key of anvil's first account, which is public. */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

let chain: Awaited<ReturnType<typeof startLocalChain>>;

beforeAll(async () => {
  chain = await startLocalChain();
});

afterAll(async () => await chain.stop());

/** Runs the program and returns its exit code and everything that it printed. */
async function deploy(commandLine: readonly string[], environment: Record<string, string> = {}) {
  const file = path.join(import.meta.dirname, "deploy.ts");
  const run = promisify(execFile)(process.execPath, [file, ...commandLine], {
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment },
  });
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, printed: stdout + stderr }),
  );
}

async function erase(address: `0x${string}`): Promise<void> {
  await chain.testClient.setCode({ address, bytecode: "0x" });
  await chain.testClient.setNonce({ address, nonce: 0 });
}

async function isDeployed(address: `0x${string}`): Promise<boolean> {
  return (await chain.publicClient.getCode({ address })) !== undefined;
}

test("prints the plan, and creates what is missing only with --broadcast", async () => {
  const address = ADDRESSES.local.agentAccountFactory;
  const local = ["--local", "--rpc-url", chain.rpcUrl];
  await erase(address);

  const dryRun = await deploy(local);
  expect(dryRun.code).toBe(0);
  expect(dryRun.printed).toMatch(/^AgentGuardian +0x\w{40} {2}exists/m);
  expect(dryRun.printed).toMatch(
    new RegExp(`^AgentAccountFactory +${address} {2}missing: one transaction, \\d{6} gas$`, "m"),
  );
  expect(dryRun.printed).toMatch(/^Transactions: 1, in all \d{6} gas, about 0\.\d+ of the native coin/m);
  expect(dryRun.printed).toContain("Nothing was sent.");
  expect(await isDeployed(address)).toBe(false);

  const { code, printed } = await deploy([...local, "--broadcast"]);
  expect(code).toBe(0);
  expect(printed).toMatch(/^AgentAccountFactory +created in 0x\w{64}, \d{6} gas$/m);
  expect(await isDeployed(address)).toBe(true);
  expect((await deploy([...local, "--broadcast"])).printed).toContain("Everything is deployed.");
});

test("grants the roles as the admin, or prints the call that another admin must make", async () => {
  const { agentGuardian } = ADDRESSES.local;
  const role = keccak256(toBytes("FREEZER_ROLE"));
  const holds = () =>
    chain.publicClient.readContract({
      address: agentGuardian,
      abi: agentGuardianAbi,
      functionName: "hasRole",
      args: [role, DEPLOYMENTS.local.freezer],
    });
  const revoke = async () => {
    const admin = createLocalAdmin(chain.rpcUrl);
    const args = [role, DEPLOYMENTS.local.freezer] as const;
    const call = { address: agentGuardian, abi: agentGuardianAbi, functionName: "revokeRole", args } as const;
    const hash = await admin.writeContract({ ...call, chain: null });
    await chain.publicClient.waitForTransactionReceipt({ hash });
  };
  await revoke();
  const dryRun = await deploy(["--local", "--rpc-url", chain.rpcUrl]);
  expect(dryRun.printed).toContain(`FREEZER_ROLE         missing for ${DEPLOYMENTS.local.freezer}`);
  expect(dryRun.printed).not.toContain("POLICY_ROLE");
  expect(await holds()).toBe(false);
  const local = await deploy(["--local", "--rpc-url", chain.rpcUrl, "--broadcast"]);
  expect(local.printed).toMatch(/^The roles are granted in 0x\w{64}\.$/m);
  expect(await holds()).toBe(true);

  await revoke();
  // The key of the paymaster's owner, which is not the admin.
  const key = "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e";
  const other = await deploy(["--deployment", "local", "--rpc-url", chain.rpcUrl, "--broadcast"], {
    PURSER_DEPLOYER_KEY: key,
  });
  const [, data] = /^ {2}data {2}(0x[0-9a-f]+)$/m.exec(other.printed) ?? [];
  expect(other.printed).toContain(`the admin ${DEPLOYMENTS.local.admin} must call:`);
  expect(await holds()).toBe(false);
  const admin = createLocalAdmin(chain.rpcUrl);
  const hash = await admin.sendTransaction({ to: agentGuardian, data: data as `0x${string}`, chain: null });
  await chain.publicClient.waitForTransactionReceipt({ hash });
  expect(await holds()).toBe(true);
});

test("takes the key from the environment and never prints it", async () => {
  const address = ADDRESSES.local.verifyingPaymaster;
  const commandLine = ["--deployment", "local", "--rpc-url", chain.rpcUrl, "--broadcast"];
  await erase(address);

  const without = await deploy(commandLine);
  expect(without.code).toBe(1);
  expect(without.printed).toContain("--broadcast needs PURSER_DEPLOYER_KEY.");
  const short = await deploy(commandLine, { PURSER_DEPLOYER_KEY: KEY.slice(0, -1) });
  expect(short.code).toBe(1);
  expect(short.printed).toContain("PURSER_DEPLOYER_KEY must be 0x and 64 hexadecimal digits.");
  expect(await isDeployed(address)).toBe(false);

  const { code, printed } = await deploy(commandLine, { PURSER_DEPLOYER_KEY: KEY });
  expect(code).toBe(0);
  expect(await isDeployed(address)).toBe(true);
  expect(short.printed + printed).not.toContain(KEY.slice(2, -1));
});

test("does not use the public keys of the deployment local on another chain", async () => {
  const other = await startLocalChain();
  onTestFinished(other.stop);
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "anvil_setChainId",
    params: [8453],
  });
  const headers = { "content-type": "application/json" };
  expect((await fetch(other.rpcUrl, { method: "POST", headers, body })).ok).toBe(true);
  await other.testClient.setCode({ address: ADDRESSES.local.verifyingPaymaster, bytecode: "0x" });
  const commandLine = ["--deployment", "local", "--rpc-url", other.rpcUrl];
  const key = { PURSER_DEPLOYER_KEY: KEY };

  expect((await deploy(commandLine, key)).printed).toContain("Nothing was sent.");
  const { code, printed } = await deploy([...commandLine, "--broadcast"], key);
  expect(code).toBe(1);
  expect(printed).toContain("are public. Add a deployment to contracts/chain/deployments.ts.");
});

test.each([
  [["--local"], "--rpc-url is missing."],
  [["--rpc-url", "http://127.0.0.1:1"], "Give either --deployment or --local."],
  [["--deployment", "other"], 'There is no deployment "other", only local.'],
  [["--key", KEY], "Unknown option '--key'"],
])("refuses the command line %j", async (commandLine, message) => {
  const { code, printed } = await deploy(commandLine);
  expect(code).toBe(1);
  expect(printed).toContain(message);
});

test("does not print the RPC URL, which can contain a key", async () => {
  const { code, printed } = await deploy(["--local", "--rpc-url", "http://127.0.0.1:1/secret"]);
  expect(code).toBe(1);
  expect(printed).toContain("Check --rpc-url");
  expect(printed).not.toContain("secret");
});
