import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { type KillSwitchTargetType, WAITING_PAYMENT_STATUSES } from "../../foundation/vocabulary.ts";
import type { KillSwitch } from "../../modules/kill-switches/queries.ts";

/** The types of the targets that are killed one by one. */
export type ListedTargetType = Exclude<KillSwitchTargetType, "api_key">;

/** Where the targets of one type are found. */
interface TargetSource {
  readonly table: keyof Schema;
  /** The id, as text. */
  readonly id: RawBuilder<string>;
  /** Matches the targets of the kill switch. */
  readonly where: RawBuilder<boolean>;
  /** Default: by the id. */
  readonly orderBy?: RawBuilder<unknown>;
}

/** Returns targets that the current run has not reported yet. */
export async function listUnreported(
  db: Db,
  killSwitch: KillSwitch,
  type: ListedTargetType,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<string[]> {
  const { tenantId, mode, killSwitchId, run } = killSwitch;
  const { table, id, where, orderBy = id } = SOURCES[type](killSwitch, at);
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

/** `at` is the current time. */
const SOURCES: Readonly<Record<ListedTargetType, (killSwitch: KillSwitch, at: Date) => TargetSource>> = {
  /** The target, or all of the developer. */
  project: (killSwitch) => ({
    table: "projects",
    id: sql`projects.project_id`,
    where: sql`deleted_at is null and ${inScope(killSwitch, sql`project_id = ${killSwitch.targetId}`)}`,
  }),

  /**
   * Each agent before its descendants: the target, the project's agents or all of the developer, and their descendants.
   * Includes deleted agents.
   */
  agent: (killSwitch) => {
    const { tenantId, scope, targetId } = killSwitch;
    const roots =
      scope === "agent"
        ? sql`array[${targetId}]::uuid[]`
        : sql`coalesce((select agent_ids::uuid[] from projects
            where tenant_id = ${tenantId} and project_id = ${targetId}), '{}')`;
    return {
      table: "agents",
      id: sql`agents.agent_id::text`,
      where: inScope(killSwitch, sql`(agent_id = any(${roots}) or ancestor_ids && ${roots})`),
      orderBy: sql`cardinality(ancestor_ids), agent_id`,
    };
  },

  /** Wallets of killed agents, or all of the developer. */
  wallet: (killSwitch) => ({
    table: "wallets",
    id: sql`wallets.wallet_id`,
    where: inScope(killSwitch, isTarget(killSwitch, "agent", sql`wallets.agent_id::text`)),
  }),

  /** Pending approvals of killed agents, and of services and operations in killed projects, or all of the developer. */
  approval: (killSwitch, at) => {
    const ofService = sql`(subject_type = 'service' and exists (
      select from services as service
      where service.tenant_id = approvals.tenant_id and service.service_id = approvals.subject_id
        and ${isTarget(killSwitch, "project", sql`service.project_id`)}))`;
    const ofOperation = sql`(subject_type = 'operation' and exists (
      select from operations as operation
      where operation.tenant_id = approvals.tenant_id and operation.operation_id = approvals.subject_id
        and ${isTarget(killSwitch, "project", sql`operation.project_id`)}))`;
    const ofAgent = isTarget(killSwitch, "agent", sql`approvals.agent_id::text`);
    return {
      table: "approvals",
      id: sql`approvals.approval_id`,
      where: sql`status = 'pending' and expires_at > ${at}
        and ${inScope(killSwitch, sql`(${ofAgent} or ${ofService} or ${ofOperation})`)}`,
    };
  },

  /** Payments of killed agents and projects that wait for an approval or a capture, or all of the developer. */
  payment: (killSwitch) => {
    const ofAgent = isTarget(killSwitch, "agent", sql`payments.agent_id::text`);
    const ofProject = isTarget(killSwitch, "project", sql`payments.project_id`);
    return {
      table: "payments",
      id: sql`payments.payment_id`,
      where: sql`status = any(${WAITING_PAYMENT_STATUSES}::text[])
        and ${inScope(killSwitch, sql`(${ofAgent} or ${ofProject})`)}`,
    };
  },

  /**
   * If credentials are rotated, the projects with services in place whose credentials can have been exposed: killed
   * projects, and projects of killed agents.
   */
  project_env: (killSwitch) => {
    const isKilled = isTarget(killSwitch, "project", sql`projects.project_id`);
    const ofAgent = sql`exists (
      select from unnest(projects.agent_ids) as member where ${isTarget(killSwitch, "agent", sql`member`)})`;
    return {
      table: "projects",
      id: sql`projects.project_id`,
      where: sql`${killSwitch.rotateEnv} and deleted_at is null and (${isKilled} or ${ofAgent}) and exists (
        select from services as service
        where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
          and service.status not in ('removed', 'failed'))`,
    };
  },
};
