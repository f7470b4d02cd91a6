import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import {
  type AgentStatus,
  type FreezeMode,
  type KillSwitchTargetType,
  WAITING_PAYMENT_STATUSES,
} from "../../foundation/vocabulary.ts";
import type { KillSwitch } from "../../modules/kill-switches/queries.ts";

/** Where the targets of one type are found. */
interface TargetSource {
  readonly type: KillSwitchTargetType;
  readonly table: keyof Schema;
  /** The id, as text. */
  readonly id: RawBuilder<string>;
  /** Matches the targets of the kill switch. */
  readonly where: RawBuilder<boolean>;
  /** Default: by the id. */
  readonly orderBy?: RawBuilder<unknown>;
}

/** Returns targets that the current run has not reported yet. */
async function listUnreported(
  db: Db,
  { tenantId, mode, killSwitchId, run }: KillSwitch,
  { type, table, id, where, orderBy = id }: TargetSource,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${sql.table(table)}
    where ${sql.ref(`${table}.tenantId`)} = ${tenantId} and ${sql.ref(`${table}.mode`)} = ${mode} and ${where}
      and not exists (
        select from kill_switch_targets as reported
        where reported.tenant_id = ${tenantId} and reported.kill_switch_id = ${killSwitchId}
          and reported.target_type = ${type} and reported.target_id = ${id} and reported.run = ${run})
    order by ${orderBy} limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Matches everything of the developer if that is the scope, and else what the condition matches. */
function inScope({ scope }: KillSwitch, condition: RawBuilder<boolean>): RawBuilder<boolean> {
  return scope === "developer" ? sql`true` : condition;
}

/** Matches the ids of this type that the kill switch has reported in any run. */
function isTarget({ tenantId, killSwitchId }: KillSwitch, type: KillSwitchTargetType, id: RawBuilder<string>) {
  return sql<boolean>`exists (
    select from kill_switch_targets as target
    where target.tenant_id = ${tenantId} and target.kill_switch_id = ${killSwitchId}
      and target.target_type = ${type} and target.target_id = ${id})`;
}

/** Returns projects: the target, or all of the developer. */
export async function listProjectIds(db: Db, killSwitch: KillSwitch, limit: number): Promise<string[]> {
  if (killSwitch.scope === "agent") return [];
  const isOwn = inScope(killSwitch, sql`project_id = ${killSwitch.targetId}`);
  const id = sql<string>`projects.project_id`;
  const where = sql<boolean>`deleted_at is null and ${isOwn}`;
  return listUnreported(db, killSwitch, { type: "project", table: "projects", id, where }, limit);
}

/**
 * Returns agents, each before its descendants: the target, the project's agents or all of the developer, and their
 * descendants.
 */
export async function listAgentIds(db: Db, killSwitch: KillSwitch, limit: number): Promise<string[]> {
  const { tenantId, scope, targetId } = killSwitch;
  const roots =
    scope === "agent"
      ? sql`array[${targetId}]::uuid[]`
      : sql`coalesce((select agent_ids::uuid[] from projects
          where tenant_id = ${tenantId} and project_id = ${targetId}), '{}')`;
  const source: TargetSource = {
    ...{ type: "agent", table: "agents", id: sql`agents.agent_id::text` },
    where: inScope(killSwitch, sql`(agent_id = any(${roots}) or ancestor_ids && ${roots})`),
    orderBy: sql`cardinality(ancestor_ids), agent_id`,
  };
  return listUnreported(db, killSwitch, source, limit);
}

/** Returns the stored status of an agent, which can be deleted. */
export async function readAgentState(
  tx: Tx,
  { tenantId, mode }: Pick<KillSwitch, "tenantId" | "mode">,
  agentId: string,
): Promise<{ readonly status: AgentStatus; readonly expiresAt: Date | null }> {
  return tx
    .selectFrom("agents")
    .select(["status", "expiresAt"])
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("agentId", "=", agentId)
    .executeTakeFirstOrThrow();
}

/** Returns wallets of killed agents, or all of the developer. */
export async function listWalletIds(db: Db, killSwitch: KillSwitch, limit: number): Promise<string[]> {
  const where = inScope(killSwitch, isTarget(killSwitch, "agent", sql`wallets.agent_id::text`));
  const id = sql<string>`wallets.wallet_id`;
  return listUnreported(db, killSwitch, { type: "wallet", table: "wallets", id, where }, limit);
}

export async function readFreezeMode(
  tx: Tx,
  { tenantId }: Pick<KillSwitch, "tenantId">,
  walletId: string,
): Promise<FreezeMode | null> {
  const { freezeMode } = await tx
    .selectFrom("wallets")
    .select("freezeMode")
    .where("tenantId", "=", tenantId)
    .where(sql<boolean>`wallet_id = ${walletId}`)
    .executeTakeFirstOrThrow();
  return freezeMode;
}

/** Returns pending approvals of killed agents, and of services and operations in killed projects, or all of the developer. */
export async function listApprovalIds(db: Db, killSwitch: KillSwitch, limit: number, at: Date): Promise<string[]> {
  const ofService = sql`(subject_type = 'service' and exists (
    select from services as service
    where service.tenant_id = approvals.tenant_id and service.service_id = approvals.subject_id
      and ${isTarget(killSwitch, "project", sql`service.project_id`)}))`;
  const ofOperation = sql`(subject_type = 'operation' and exists (
    select from operations as operation
    where operation.tenant_id = approvals.tenant_id and operation.operation_id = approvals.subject_id
      and ${isTarget(killSwitch, "project", sql`operation.project_id`)}))`;
  const ofAgent = isTarget(killSwitch, "agent", sql`approvals.agent_id::text`);
  const source: TargetSource = {
    ...{ type: "approval", table: "approvals", id: sql`approvals.approval_id` },
    where: sql`status = 'pending' and expires_at > ${at}
      and ${inScope(killSwitch, sql`(${ofAgent} or ${ofService} or ${ofOperation})`)}`,
  };
  return listUnreported(db, killSwitch, source, limit);
}

/** Returns payments of killed agents and projects that wait for an approval or a capture, or all of the developer. */
export async function listPaymentIds(db: Db, killSwitch: KillSwitch, limit: number): Promise<string[]> {
  const ofAgent = isTarget(killSwitch, "agent", sql`payments.agent_id::text`);
  const ofProject = isTarget(killSwitch, "project", sql`payments.project_id`);
  const source: TargetSource = {
    ...{ type: "payment", table: "payments", id: sql`payments.payment_id` },
    where: sql`status = any(${WAITING_PAYMENT_STATUSES}::text[])
      and ${inScope(killSwitch, sql`(${ofAgent} or ${ofProject})`)}`,
  };
  return listUnreported(db, killSwitch, source, limit);
}

/**
 * Returns the projects with services in place whose credentials the kill switch can have exposed: killed projects, and
 * projects of killed agents.
 */
export async function listProjectEnvIds(db: Db, killSwitch: KillSwitch, limit: number): Promise<string[]> {
  if (!killSwitch.rotateEnv) return [];
  const isKilled = isTarget(killSwitch, "project", sql`projects.project_id`);
  const ofAgent = sql`exists (
    select from unnest(projects.agent_ids) as member where ${isTarget(killSwitch, "agent", sql`member`)})`;
  const source: TargetSource = {
    ...{ type: "project_env", table: "projects", id: sql`projects.project_id` },
    where: sql`deleted_at is null and (${isKilled} or ${ofAgent}) and exists (
      select from services as service
      where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
        and service.status not in ('removed', 'failed'))`,
  };
  return listUnreported(db, killSwitch, source, limit);
}
