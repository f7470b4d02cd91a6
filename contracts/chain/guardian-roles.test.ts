import { afterAll, beforeAll, expect, test } from "vitest";
import { ADDRESSES } from "../abi/addresses.ts";
import { DEPLOYMENTS } from "./deployments.ts";
import { missingRoles } from "./guardian-roles.ts";
import { startLocalChain } from "./local-chain.ts";

let chain: Awaited<ReturnType<typeof startLocalChain>>;

beforeAll(async () => {
  chain = await startLocalChain();
});

afterAll(async () => await chain.stop());

test("each role of the local deployment is granted, and each of another one is missing", async () => {
  const { agentGuardian } = ADDRESSES.local;
  expect(await missingRoles(chain.publicClient, agentGuardian, DEPLOYMENTS.local)).toEqual([]);
  const other = { ...DEPLOYMENTS.local, freezer: DEPLOYMENTS.local.upgrader };
  const missing = await missingRoles(chain.publicClient, agentGuardian, other);
  expect(missing.map(({ name }) => name)).toEqual(["FREEZER_ROLE"]);
  const nowhere = DEPLOYMENTS.local.admin;
  expect(await missingRoles(chain.publicClient, nowhere, DEPLOYMENTS.local)).toHaveLength(4);
});
