import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns, type ListedPage, type Page, readPage } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, lockName, rowsWhere, selectWhere } from "../../db/where.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";

export type Agent = Row<"agents">;
export type AgentPublicKey = Selectable<Schema["agentPublicKeys"]>;

/** `agentId` is a UUID in lowercase. */
export type AgentKey = Pick<Agent, "tenantId" | "mode" | "agentId">;

/** The agents, including deleted ones, by their keys. */
export const agentRows = tableOf("agents", ["tenantId", "mode", "agentId"]);
export const agentPublicKeyRows = tableOf("agentPublicKeys", ["tenantId", "mode", "agentId", "keyId"]);

/** The id of an agent, and the filter for the agents that the caller can read. */
export interface ScopedAgentKey extends TenantScope {
  /** A UUID in lowercase. */
  readonly agentId: string;
}

/** An agent with what its API representation needs from other tables. */
export interface AgentOverview extends Agent, Pick<Row<"developers">, "kybStatus" | "kybExpiresAt"> {
  /** The projects whose `agent_ids` include the agent: the first 100. */
  readonly projectIds: readonly string[];
  /** The oldest first. */
  readonly publicKeys: readonly Pick<AgentPublicKey, "keyId" | "publicKey">[];
}

/**
 * Returns the agent, its parent, its parent's parent and so on. Includes deleted agents. Empty if the agent does not
 * exist.
 */
export async function listLineage(db: Db, key: AgentKey): Promise<Agent[]> {
  return selectLineage(db, key).orderBy(sql`cardinality(member.ancestor_ids)`, "desc").execute();
}

/**
 * Works like `listLineage`, and waits for changes to the statuses of these agents. Their statuses do not change until the
 * transaction ends. Locks the oldest ancestor first, like `lockForChange`.
 */
export async function listLineageLocked(tx: Tx, key: AgentKey): Promise<Agent[]> {
  const members = await selectLineage(tx, key)
    .orderBy(sql`cardinality(member.ancestor_ids)`)
    .forShare("member")
    .execute();
  return members.reverse();
}

/**
 * Locks the agent for a change to its status, and its ancestors against such a change. Returns the agent, its parent and
 * so on. Two changes to agents of the same lineage run one after another. They cannot deadlock, because each locks the
 * oldest ancestor first and its own agent last.
 */
export async function lockForChange(tx: Tx, key: AgentKey): Promise<Agent[]> {
  const ancestors = await selectLineage(tx, key)
    .where("member.agentId", "!=", key.agentId)
    .orderBy(sql`cardinality(member.ancestor_ids)`)
    .forShare("member")
    .execute();
  const agent = await agentRows.lock(tx, key);
  return agent === undefined ? [] : [agent, ...ancestors.reverse()];
}

function selectLineage(db: Db, { tenantId, mode, agentId }: AgentKey) {
  return db
    .selectFrom("agents as agent")
    .innerJoin("agents as member", (join) =>
      join
        .onRef("member.tenantId", "=", "agent.tenantId")
        .onRef("member.mode", "=", "agent.mode")
        .on(sql<boolean>`member.agent_id = any(agent.agent_id || agent.ancestor_ids)`),
    )
    .selectAll("member")
    .where("agent.tenantId", "=", tenantId)
    .where("agent.mode", "=", mode)
    .where("agent.agentId", "=", agentId);
}

/** Returns the agent's children, their children and so on. Includes deleted agents. */
export async function listDescendants(db: Db, { tenantId, mode, agentId }: AgentKey): Promise<Agent[]> {
  return rowsWhere(db, "agents", { tenantId, mode })
    .where(sql<boolean>`ancestor_ids @> array[${agentId}]::uuid[]`)
    .execute();
}

/** Returns those of the given agents that are revoked. Includes deleted agents. */
export async function listRevokedAgentIds(
  db: Db,
  { tenantId, mode, agentIds }: Pick<AgentKey, "tenantId" | "mode"> & { readonly agentIds: readonly string[] },
): Promise<string[]> {
  const rows = await selectWhere(db, "agents", { tenantId, mode, status: "revoked" })
    .select("agentId")
    .where(sql<boolean>`agent_id::text = any(${agentIds}::text[])`)
    .execute();
  return rows.map(({ agentId }) => agentId);
}

function selectOverviews(db: Db) {
  return db
    .selectFrom("agents")
    .innerJoin("developers as developer", "developer.tenantId", "agents.tenantId")
    .selectAll("agents")
    .select([
      "developer.kybStatus",
      "developer.kybExpiresAt",
      sql<string[]>`array(
        select project.project_id from projects project
        where project.tenant_id = agents.tenant_id and project.mode = agents.mode and project.deleted_at is null
          and agents.agent_id::text = any(project.agent_ids)
        order by project.created_at, project.project_id limit 100)`.as("projectIds"),
      sql<AgentOverview["publicKeys"]>`coalesce((
        select json_agg(json_build_object('keyId', key.key_id, 'publicKey', key.public_key)
          order by key.created_at, key.key_id)
        from agent_public_keys key
        where key.tenant_id = agents.tenant_id and key.mode = agents.mode and key.agent_id = agents.agent_id),
        '[]')`.as("publicKeys"),
    ])
    .where("agents.deletedAt", "is", null);
}

/** Returns the agent, unless it is deleted or not in scope. */
export async function findAgentOverview(db: Db, key: ScopedAgentKey): Promise<AgentOverview | undefined> {
  return selectOverviews(db).where(inScope(key)).where("agents.agentId", "=", key.agentId).executeTakeFirst();
}

/** Returns one page of the agents in scope, newest first. Deleted agents are not included. */
export async function listAgents(
  db: Db,
  scope: TenantScope,
  { after, limit }: Page<Pick<Agent, "createdAt" | "agentId">>,
): Promise<ListedPage<AgentOverview>> {
  const agents = selectOverviews(db)
    .where(inScope(scope))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(agents.created_at, agents.agent_id) < (${after?.createdAt}, ${after?.agentId}::uuid)`),
    )
    .orderBy("agents.createdAt", "desc")
    .orderBy("agents.agentId", "desc");
  return readPage(limit, (max) => agents.limit(max).execute());
}

/**
 * Matches the agents that the caller can read. A key bound to agents reads only these. A key bound only to projects reads
 * the agents that can use these projects.
 */
function inScope({ tenantId, mode, agentIds, projectIds }: TenantScope) {
  const own = sql`agents.tenant_id = ${tenantId} and agents.mode = ${mode}`;
  if (agentIds.length > 0) {
    return sql<boolean>`${own} and agents.agent_id::text = any(${agentIds}::text[])`;
  }
  if (projectIds.length === 0) return sql<boolean>`${own}`;
  return sql<boolean>`${own} and exists (
    select from projects project
    where project.tenant_id = ${tenantId} and project.mode = ${mode} and project.deleted_at is null
      and project.project_id = any(${projectIds}::text[]) and agents.agent_id::text = any(project.agent_ids))`;
}

/** Returns the number of the tenant's agents. Concurrent calls wait until the transaction ends. */
export async function countAgentsLocked(
  tx: Tx,
  { tenantId, mode }: Pick<AgentKey, "tenantId" | "mode">,
): Promise<number> {
  await lockName(tx, `agents ${tenantId} ${mode}`);
  return countRows(rowsWhere(tx, "agents", { tenantId, mode }).where("deletedAt", "is", null));
}

type ExpiringAgent = AgentKey & { readonly expiresAt: Date };

/** Yields the agents of all tenants that have expired, but whose status does not show it yet. */
export function expiredAgents(db: Db, clock: Clock): AsyncGenerator<AgentKey> {
  return inTurns<ExpiringAgent>(db, ["expiresAt", "tenantId", "mode", "agentId"], () =>
    db
      .selectFrom("agents")
      .select(["tenantId", "mode", "agentId", "expiresAt"])
      .where("status", "in", ["active", "suspended"])
      .where("expiresAt", "<=", clock.now())
      .$narrowType<{ expiresAt: Date }>(),
  );
}
