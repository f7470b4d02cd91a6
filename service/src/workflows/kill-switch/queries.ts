import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { AgentStatus, FreezeMode, KillSwitchTargetType } from "../../foundation/vocabulary.ts";
import type { KillSwitch } from "../../modules/kill-switches/index.ts";

/** Matches the ids that the current run has not reported yet. */
function isUnreported(
  { tenantId, killSwitchId, run }: KillSwitch,
  type: KillSwitchTargetType,
  id: RawBuilder<string>,
) {
  return sql<boolean>`not exists (
    select from kill_switch_targets as reported
    where reported.tenant_id = ${tenantId} and reported.kill_switch_id = ${killSwitchId}
      and reported.target_type = ${type} and reported.target_id = ${id} and reported.run = ${run})`;
}

/** Matches the ids of this type that the kill switch has reported in any run. */
function isTarget(
  { tenantId, killSwitchId }: KillSwitch,
  type: KillSwitchTargetType,
  id: RawBuilder<string>,
) {
  return sql<boolean>`exists (
    select from kill_switch_targets as target
    where target.tenant_id = ${tenantId} and target.kill_switch_id = ${killSwitchId}
      and target.target_type = ${type} and target.target_id = ${id})`;
}

/** Returns projects that the current run has not reported yet: the target, or all of the developer. */
export async function listProjectIds(
  db: Db,
  killSwitch: KillSwitch,
  limit: number,
): Promise<string[]> {
  const { tenantId, mode, scope, targetId } = killSwitch;
  if (scope === "agent") return [];
  const rows = await db
    .selectFrom("projects")
    .select("projectId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("deletedAt", "is", null)
    .$if(scope === "project", (query) => query.where(sql<boolean>`project_id = ${targetId}`))
    .where(isUnreported(killSwitch, "project", sql`projects.project_id`))
    .orderBy("projectId")
    .limit(limit)
    .execute();
  return rows.map(({ projectId }) => projectId);
}

/**
 * Returns agents that the current run has not reported yet, each before its descendants: the target, the project's agents or
 * all of the developer, and their descendants.
 */
export async function listAgentIds(
  db: Db,
  killSwitch: KillSwitch,
  limit: number,
): Promise<string[]> {
  const { tenantId, mode, scope, targetId } = killSwitch;
  const roots =
    scope === "agent"
      ? sql`array[${targetId}]::uuid[]`
      : sql`coalesce((select agent_ids::uuid[] from projects
          where tenant_id = ${tenantId} and project_id = ${targetId}), '{}')`;
  const rows = await db
    .selectFrom("agents")
    .select("agentId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .$if(scope !== "developer", (query) =>
      query.where(sql<boolean>`(agent_id = any(${roots}) or ancestor_ids && ${roots})`),
    )
    .where(isUnreported(killSwitch, "agent", sql`agents.agent_id::text`))
    .orderBy(sql`cardinality(ancestor_ids)`)
    .orderBy("agentId")
    .limit(limit)
    .execute();
  return rows.map(({ agentId }) => agentId);
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

/** Returns wallets of killed agents that the current run has not reported yet, or all of the developer. */
export async function listWalletIds(
  db: Db,
  killSwitch: KillSwitch,
  limit: number,
): Promise<string[]> {
  const { tenantId, mode, scope } = killSwitch;
  const rows = await db
    .selectFrom("wallets")
    .select("walletId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .$if(scope !== "developer", (query) =>
      query.where(isTarget(killSwitch, "agent", sql`wallets.agent_id::text`)),
    )
    .where(isUnreported(killSwitch, "wallet", sql`wallets.wallet_id`))
    .orderBy("walletId")
    .limit(limit)
    .execute();
  return rows.map(({ walletId }) => walletId);
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

/** Returns pending approvals of killed agents and of services in killed projects, or all of the developer. */
export async function listApprovalIds(
  db: Db,
  killSwitch: KillSwitch,
  limit: number,
  at: Date,
): Promise<string[]> {
  const { tenantId, mode, scope } = killSwitch;
  const ofService = sql<boolean>`(subject_type = 'service' and exists (
    select from services as service
    where service.tenant_id = approvals.tenant_id and service.service_id = approvals.subject_id
      and ${isTarget(killSwitch, "project", sql`service.project_id`)}))`;
  const rows = await db
    .selectFrom("approvals")
    .select("approvalId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("status", "=", "pending")
    .where("expiresAt", ">", at)
    .$if(scope !== "developer", (query) =>
      query.where(
        sql<boolean>`(${isTarget(killSwitch, "agent", sql`approvals.agent_id::text`)} or ${ofService})`,
      ),
    )
    .where(isUnreported(killSwitch, "approval", sql`approvals.approval_id`))
    .orderBy("approvalId")
    .limit(limit)
    .execute();
  return rows.map(({ approvalId }) => approvalId);
}

/** Returns payments of killed agents and projects that wait for an approval or a capture, or all of the developer. */
export async function listPaymentIds(
  db: Db,
  killSwitch: KillSwitch,
  limit: number,
): Promise<string[]> {
  const { tenantId, mode, scope } = killSwitch;
  const rows = await db
    .selectFrom("payments")
    .select("paymentId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where(sql<boolean>`status in ('requires_approval', 'authorized')`)
    .$if(scope !== "developer", (query) =>
      query.where(
        sql<boolean>`(${isTarget(killSwitch, "agent", sql`payments.agent_id::text`)}
          or ${isTarget(killSwitch, "project", sql`payments.project_id`)})`,
      ),
    )
    .where(isUnreported(killSwitch, "payment", sql`payments.payment_id`))
    .orderBy("paymentId")
    .limit(limit)
    .execute();
  return rows.map(({ paymentId }) => paymentId);
}

/**
 * Returns the projects with services in place whose credentials the kill switch can have exposed: killed projects, and
 * projects of killed agents.
 */
export async function listProjectEnvIds(
  db: Db,
  killSwitch: KillSwitch,
  limit: number,
): Promise<string[]> {
  const { tenantId, mode, rotateEnv } = killSwitch;
  if (!rotateEnv) return [];
  const ofAgent = sql<boolean>`exists (
    select from unnest(projects.agent_ids) as member where ${isTarget(killSwitch, "agent", sql`member`)})`;
  const rows = await db
    .selectFrom("projects")
    .select("projectId")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("deletedAt", "is", null)
    .where(
      sql<boolean>`(${isTarget(killSwitch, "project", sql`projects.project_id`)} or ${ofAgent})`,
    )
    .where(
      sql<boolean>`exists (
        select from services as service
        where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
          and service.status not in ('removed', 'failed'))`,
    )
    .where(isUnreported(killSwitch, "project_env", sql`projects.project_id`))
    .orderBy("projectId")
    .limit(limit)
    .execute();
  return rows.map(({ projectId }) => projectId);
}
