import { afterAll, beforeAll, expect, test } from "vitest";
import { ADDRESSES } from "../abi/addresses.ts";
import { checkDeployment } from "./check-deployment.ts";
import { DEPLOYMENTS, type Deployment } from "./deployments.ts";
import { startLocalChain } from "./local-chain.ts";

let chain: Awaited<ReturnType<typeof startLocalChain>>;

beforeAll(async () => {
  chain = await startLocalChain();
});

afterAll(async () => await chain.stop());

/** A deployment that passes: its admin is a contract. */
const SOUND: Deployment = {
  ...DEPLOYMENTS.local,
  admin: ADDRESSES.local.agentAccountFactory,
  adminDelaySeconds: 86_400,
};

test.each<[what: string, change: Partial<Deployment>, message: string]>([
  ["one key has two roles", { unfreezer: SOUND.freezer }, "freezer and unfreezer are both"],
  ["the admin has a role", { upgrader: SOUND.admin }, "admin and upgrader are both"],
  ["the paymaster's signer owns it", { paymasterOwner: SOUND.paymasterSigner }, "paymasterSigner and paymasterOwner"],
  ["the admin can be replaced within a day", { adminDelaySeconds: 86_399 }, "at least 86400 is needed"],
  ["the admin is no contract on this chain", { admin: DEPLOYMENTS.local.admin }, "is no contract on this chain"],
])("a deployment is refused if %s", async (_what, change, message) => {
  await expect(checkDeployment(chain.publicClient, { ...SOUND, ...change })).rejects.toThrow(message);
});

test("a deployment with different keys, a delay and an admin contract is accepted", async () => {
  await checkDeployment(chain.publicClient, SOUND);
});
