import { randomUUID } from "node:crypto";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { ed25519KeyId } from "../../crypto/ed25519.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { Settings } from "../../foundation/settings.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { bindPolicy } from "../policies/bind-policy.ts";
import { ensureStarterPolicy } from "../policies/ensure-starter-policy.ts";
import { raisePolicyRevision } from "../policies/queries.ts";
import { agentStatusAt, earlierOf } from "./agent-resource.ts";
import { getTenantAgent, recordAgentChange, throwIfNotActive } from "./agents.ts";
import {
  type Agent,
  type AgentOverview,
  agentPublicKeyRows,
  agentRows,
  countAgentsLocked,
  listLineageLocked,
} from "./queries.ts";

const ANCESTORS_MAX = 3;

export interface NewAgent
  extends Pick<Agent, "name" | "description" | "software" | "expiresAt" | "policyId" | "metadata"> {
  /** A UUID in lowercase. Undefined: a random one. */
  readonly agentId: string | undefined;
  /** A UUID in lowercase. */
  readonly parentAgentId: string | null;
  /** An Ed25519 public key in base64url. The caller must have checked proof of possession. */
  readonly publicKey: string | null;
}

export type AgentLimits = Pick<App, "clock"> & { readonly settings: Pick<Settings, "agentsMax"> };

/**
 * Creates an active agent. It expires no later than its parent. Throws `already_exists` if the id is taken, also by a
 * deleted agent, `conflict` if the tenant has reached its maximum number of agents, and `validation_error` for an unknown
 * policy or a parent that cannot have this child.
 */
export async function createAgent(
  app: Pick<App, "db"> & AgentLimits,
  command: { readonly actor: Actor; readonly agent: NewAgent },
  saveResponse: SaveResponse<AgentOverview>,
): Promise<AgentOverview> {
  const { tenantId, mode } = command.actor;
  return withTransaction(app.db, tenantId, async (tx) => {
    await assertNotRevoked(tx, command.actor);
    // Raises the policy revision, which every change of agents locks before it locks an agent.
    await bindPolicy(tx, { tenantId, mode }, command.agent.policyId);
    await ensureStarterPolicy(tx, app, command.actor);
    const agent = await addAgent(tx, app, command);
    await saveResponse(tx, agent);
    return agent;
  });
}

/** Works like `createAgent`, in the caller's transaction, which has locked the policy revision. */
async function addAgent(
  tx: Tx,
  { clock, settings }: AgentLimits,
  { actor, agent }: { readonly actor: Actor; readonly agent: NewAgent },
): Promise<AgentOverview> {
  const { tenantId, mode } = actor;
  const at = clock.now();
  const { agentId = randomUUID(), parentAgentId, publicKey, ...fields } = agent;
  const [parent, ...others] = await parentLineage(tx, { ...actor, parentAgentId, at });
  await throwIfTooManyAgents(tx, actor, settings.agentsMax);

  const key = { tenantId, mode, agentId };
  const isNew = await agentRows.insertIfNew(tx, {
    ...fields,
    ...key,
    status: "active",
    ancestorIds: [parent, ...others].flatMap((ancestor) => ancestor?.agentId ?? []),
    expiresAt: earlierOf(agent.expiresAt, parent?.expiresAt ?? null),
    createdAt: at,
    updatedAt: at,
  });
  if (!isNew) {
    throw new AppError("already_exists", { detail: "An agent with this id exists or existed." });
  }
  if (publicKey !== null) {
    const keyId = ed25519KeyId(publicKey);
    await agentPublicKeyRows.insert(tx, { ...key, keyId, publicKey, createdAt: at });
  }
  const created = await getTenantAgent(tx, key);
  const facts = { name: agent.name, parent_agent_id: parentAgentId };
  const action = "agent.created";
  await recordAgentChange(tx, actor, { action, agent: created, facts, occurredAt: at });
  return created;
}

/** Returns the parent and its ancestors, whose statuses stay the same until the transaction ends. */
async function parentLineage(
  tx: Tx,
  {
    tenantId,
    mode,
    parentAgentId,
    at,
  }: Pick<Actor, "tenantId" | "mode"> & Pick<NewAgent, "parentAgentId"> & { readonly at: Date },
): Promise<readonly Agent[]> {
  if (parentAgentId === null) return [];
  const lineage = await listLineageLocked(tx, { tenantId, mode, agentId: parentAgentId });
  const [parent] = lineage;
  if (parent === undefined || parent.deletedAt !== null) {
    throw invalidParent("unknown", `is not a ${mode} agent of this account`);
  }
  if (lineage.some((agent) => agentStatusAt(agent, at) !== "active")) {
    throw invalidParent("not_active", "must be an active agent whose ancestors are active");
  }
  if (lineage.length > ANCESTORS_MAX) {
    throw invalidParent("depth", `must not have more than ${ANCESTORS_MAX - 1} ancestors`);
  }
  return lineage;
}

function invalidParent(code: string, detail: string): AppError {
  return invalidField("/body/parent_agent_id", code, detail);
}

async function throwIfTooManyAgents(tx: Tx, { tenantId, mode }: Actor, agentsMax: number): Promise<void> {
  if ((await countAgentsLocked(tx, { tenantId, mode })) < agentsMax) return;
  throw new AppError("conflict", {
    detail: `This account has reached its limit of ${agentsMax} ${mode} agents. Delete an agent first.`,
  });
}

/**
 * Returns the agent with this id, and creates it in the caller's transaction if the id is new. Its name is then its id. The
 * agent stays active until the transaction ends. Throws `agent_suspended` if the agent or one of its ancestors is not
 * active, or if the agent was deleted, and `conflict` if the tenant has reached its maximum number of agents or is being
 * killed.
 */
export async function registerAgent(
  tx: Tx,
  limits: AgentLimits,
  actor: Actor,
  { agentId }: { readonly agentId: string },
): Promise<AgentOverview> {
  const { tenantId, mode } = actor;
  const key = { tenantId, mode, agentId };
  if ((await agentRows.find(tx, key)) === undefined) {
    await assertNotRevoked(tx, actor);
    // Locks the policy revision before the agent, as every change of agents does. Of two concurrent calls, one creates it.
    await raisePolicyRevision(tx, { tenantId, mode });
    await ensureStarterPolicy(tx, limits, actor);
  }
  const lineage = await listLineageLocked(tx, key);
  if (lineage.length === 0) return createNamedById(tx, limits, actor, agentId);
  if (lineage[0]?.deletedAt !== null) {
    throw new AppError("agent_suspended", { detail: "The agent is deleted. Use another agent." });
  }
  throwIfNotActive(lineage, limits.clock.now());
  return getTenantAgent(tx, key);
}

function createNamedById(tx: Tx, limits: AgentLimits, actor: Actor, agentId: string): Promise<AgentOverview> {
  const agent = {
    agentId,
    name: agentId,
    description: null,
    software: null,
    expiresAt: null,
    policyId: null,
    parentAgentId: null,
    metadata: {},
    publicKey: null,
  };
  return addAgent(tx, limits, { actor, agent });
}
