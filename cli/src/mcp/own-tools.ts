import { OperationFailedError, OperationTimeoutError, type Policy } from "@purser/sdk";
import { envFilePath } from "./env-file-path.ts";
import type { Run } from "./tool.ts";
import { ToolError } from "./tool-error.ts";

/** MCP clients wait for a minute by default. */
const WAIT_SECONDS_MAX = 50;
const REQUESTS_MAX = 1_000;
const AGENTS_MAX = 20;
const POLICIES_MAX = 200;

export const whoAmI: Run = async ({ purser, mode, projectId, agent, options }) => {
  // A key of the account acts for no agent until one is named.
  const agentId = await agent().catch(() => null);
  // Listing agents needs the scope agents:read. Everything else works without it.
  const listed = agentId === null ? await purser.agents.list({ limit: AGENTS_MAX }, options).catch(() => null) : null;
  const me = await purser.developers.me(options);
  return { ...me, mode, project_id: projectId, agent_id: agentId, agents: listed?.data };
};

export const waitForOperation: Run = async ({ purser, options, text, input }) => {
  const deadlineMs = Math.min(Number(input["wait_seconds"]) || 0, WAIT_SECONDS_MAX) * 1_000;
  try {
    return await purser.operations.waitFor({ operation_id: text("operation_id") }, { ...options, deadlineMs });
  } catch (error) {
    if (error instanceof OperationFailedError || error instanceof OperationTimeoutError) return error.operation;
    throw error;
  }
};

const environmentOf = ({ environment }: Readonly<Record<string, unknown>>) =>
  typeof environment === "string" ? { environment } : {};

export const envNames: Run = ({ purser, options, text, input }) =>
  purser.projects.env.pull(text("project_id"), { ...environmentOf(input), names_only: true }, options);

export const writeEnvironment: Run = async ({ purser, options, text, input, folder, writeEnvFile }) => {
  const file = await envFilePath(folder, input["path"]);
  const bundle = await purser.projects.env.pull(text("project_id"), environmentOf(input), options);
  const written = await writeEnvFile({ path: file, bundle }).catch((error: unknown) => {
    throw new ToolError("file_not_written", `The file was not written. ${error instanceof Error ? error.message : ""}`);
  });
  return { ...written, environment: bundle.environment };
};

/** Policies that name the agent, its parent, its wallets or its projects, or are named by them. Otherwise the starter. */
export const policiesOfAgent: Run = async ({ purser, agent, options }) => {
  const self = await purser.agents.get(await agent(), options);
  const [wallets, policies, ...projects] = await Promise.all([
    purser.wallets.listOfAgent(self.agent_id, options),
    purser.policies.list({ limit: 100 }, options).toArray({ limit: POLICIES_MAX }),
    ...self.project_ids.map((id) => purser.projects.get(id, options)),
  ]);
  const named = new Set([self, ...wallets.data, ...projects].map(({ policy_id }) => policy_id));
  const walletIds = wallets.data.map(({ wallet_id }) => wallet_id);
  const ids = new Set<string | null>([self.agent_id, self.parent_agent_id, ...self.project_ids, ...walletIds]);
  const applies = ({ policy_id, applies_to: { agent_ids, wallet_ids, project_ids } }: Policy) =>
    named.has(policy_id) || [...agent_ids, ...wallet_ids, ...project_ids].some((id) => ids.has(id));
  const own = policies.filter(applies);
  return { data: own.length > 0 ? own : policies.filter(({ starter }) => starter) };
};

export const findRequest: Run = async ({ purser, options, text }) => {
  const requestId = text("request_id");
  const newest = await purser.developers.keys.requests({ limit: 100 }, options).toArray({ limit: REQUESTS_MAX });
  const found = newest.filter(({ request_id }) => request_id === requestId);
  if (found.length > 0) return { data: found };
  const reasons = "A request is in the log a second after its response, if its key was accepted.";
  throw new ToolError("request_not_found", `The newest ${REQUESTS_MAX} requests have none with this id. ${reasons}`);
};
