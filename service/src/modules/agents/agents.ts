import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type EventEntry, recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import type { AgentStatus } from "../../foundation/vocabulary.ts";
import { agentStatusAt, effectiveStatusAt, presentAgent } from "./agent-resource.ts";
import {
  type Agent,
  type AgentKey,
  type AgentOverview,
  agentRows,
  findAgentOverview,
  listDescendants,
  listLineage,
  lockForChange,
  type ScopedAgentKey,
} from "./queries.ts";

/** Returns the tenant's agent with this ID and mode. Throws `agent_not_found` if there is none, or if it is deleted. */
export async function requireAgent(db: Db, key: AgentKey): Promise<Agent> {
  const [agent] = existing([await agentRows.find(db, key)], key);
  return agent;
}

/**
 * Performs the first part of the know-your-agent (KYA) check. Throws `agent_not_found` if the agent does not exist, and
 * `agent_suspended` if it or one of its ancestors is not active. Calls without an agent act as the developer and skip
 * this check (docs/rules/scopes.md).
 */
export async function requireActiveAgent(db: Db, key: AgentKey, at: Date): Promise<void> {
  throwIfNotActive(existing(await listLineage(db, key), key), at);
}

/** Throws `agent_suspended` if the agent or one of its ancestors is not active. */
export function throwIfNotActive(lineage: readonly Agent[], at: Date): void {
  const status = effectiveStatusAt(lineage, at);
  if (status === "active") return;
  throw new AppError("agent_suspended", {
    detail: `The agent or one of its ancestors is ${status}. Use an active agent.`,
  });
}

/** Returns the agent in its API representation's fields. Throws `agent_not_found` if it is not in the caller's scope. */
export async function getAgent(db: Db, key: ScopedAgentKey): Promise<AgentOverview> {
  return (await findAgentOverview(db, key)) ?? agentNotFound(key);
}

/** Returns the tenant's agent, whatever the caller's scope. */
export function getTenantAgent(db: Db, { tenantId, mode, agentId }: AgentKey): Promise<AgentOverview> {
  return getAgent(db, { tenantId, mode, agentId, agentIds: [], projectIds: [] });
}

/** Locks the agent for a change (see `lockForChange`). Throws `agent_not_found`. */
export async function requireAgentLocked(
  tx: Tx,
  key: AgentKey,
): Promise<readonly [agent: Agent, ...ancestors: Agent[]]> {
  return existing(await lockForChange(tx, key), key);
}

function existing(
  lineage: readonly (Agent | undefined)[],
  key: AgentKey,
): readonly [agent: Agent, ...ancestors: Agent[]] {
  const [agent, ...ancestors] = lineage.filter((member) => member !== undefined);
  return agent === undefined || agent.deletedAt !== null ? agentNotFound(key) : [agent, ...ancestors];
}

function agentNotFound({ agentId }: Pick<AgentKey, "agentId">): never {
  throw new AppError("agent_not_found", {
    internal: `agent ${agentId} does not exist in this mode`,
  });
}

export async function recordAgentChange(
  tx: Tx,
  actor: Actor,
  { agent, ...entry }: Omit<EventEntry, "subject"> & { readonly agent: AgentOverview },
): Promise<void> {
  const subject = { type: "agent", id: agent.agentId };
  await recordEntryAndEvent(tx, actor, { ...entry, subject }, () => presentAgent(agent, entry.occurredAt));
}

/** The changes of an agent's status, each with the statuses from which it is possible. */
const TRANSITIONS = {
  suspend: { to: "suspended", from: ["active"], action: "agent.suspended" },
  resume: { to: "active", from: ["suspended"], action: "agent.resumed" },
  revoke: { to: "revoked", from: ["active", "suspended", "expired"], action: "agent.revoked" },
  expire: { to: "expired", from: ["expired"], action: "agent.expired" },
} as const satisfies Readonly<
  Record<string, { readonly to: AgentStatus; readonly from: readonly AgentStatus[]; readonly action: string }>
>;
export type AgentTransition = keyof typeof TRANSITIONS;

interface SetAgentStatus {
  readonly actor: Actor;
  readonly key: AgentKey;
  readonly transition: AgentTransition;
  readonly reason: string | null;
  readonly at: Date;
}

interface AgentStatusChange {
  readonly agent: AgentOverview;
  /** The agent and its descendants that cannot act now. Empty if the agent already had the status. */
  readonly stopped: readonly string[];
  /** The agent and its descendants that can act now. Empty if the agent already had the status. */
  readonly running: readonly string[];
}

/**
 * Changes the agent's status. Its ancestors and its own row are locked, so that no other change to the statuses that
 * `stopped` and `running` depend on can commit before this transaction ends. Throws `agent_not_found`, and `conflict` if
 * the agent's status does not allow the change.
 */
export async function setAgentStatus(
  tx: Tx,
  { actor, key, transition, reason, at }: SetAgentStatus,
): Promise<AgentStatusChange> {
  const { to, from, action } = TRANSITIONS[transition];
  const [before, ...ancestors] = await requireAgentLocked(tx, key);
  const status = agentStatusAt(before, at);
  if (before.status === to && status === to) {
    return { agent: await getTenantAgent(tx, key), stopped: [], running: [] };
  }
  if (!from.some((one) => one === status)) {
    throw new AppError("conflict", { detail: `The agent is ${status}.` });
  }

  await agentRows.update(tx, key, { status: to, updatedAt: at });
  // The descendants are read after the agent is locked. A change to a descendant locks its ancestors too, so it has either
  // committed before this statement or waits for this transaction.
  const descendants = await listDescendants(tx, key);
  const lines = linesOf([{ ...before, status: to }, ...descendants], ancestors);
  const [running, stopped] = partition(lines, (line) => effectiveStatusAt(line, at) === "active");
  const agent = await getTenantAgent(tx, key);
  const facts = { previous_status: before.status, ...(reason !== null && { reason }) };
  await recordAgentChange(tx, actor, { action, agent, facts, occurredAt: at });
  return { agent, stopped: stopped.map(idOf), running: running.map(idOf) };
}

type Lineage = readonly [agent: Agent, ...ancestors: Agent[]];

/** Returns the lineage of each agent. `ancestors` and `agents` contain every member of these lineages. */
function linesOf(agents: readonly Agent[], ancestors: readonly Agent[]): Lineage[] {
  const byId = new Map([...agents, ...ancestors].map((agent) => [agent.agentId, agent]));
  return agents.map((agent) => [agent, ...agent.ancestorIds.flatMap((ancestorId) => byId.get(ancestorId) ?? [])]);
}

function partition<Item>(items: readonly Item[], matches: (item: Item) => boolean) {
  return [items.filter(matches), items.filter((item) => !matches(item))] as const;
}

function idOf([{ agentId }]: Lineage): string {
  return agentId;
}

/** Marks a revoked agent as deleted. Its id is never free again. The caller must have locked the agent. */
export async function hideAgent(
  tx: Tx,
  { actor, key, at }: { readonly actor: Actor; readonly key: AgentKey; readonly at: Date },
): Promise<void> {
  await agentRows.update(tx, key, { deletedAt: at, updatedAt: at });
  await appendAuditEntry(tx, actor, {
    action: "agent.deleted",
    subject: { type: "agent", id: key.agentId },
    facts: {},
    occurredAt: at,
  });
}
