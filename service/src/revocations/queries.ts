import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { selectWhere } from "../db/where.ts";
import type { KillSwitchId, TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";

export interface Owner {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

/**
 * Locks the creation of agents, projects and keys until the transaction ends. Creations hold the lock together; a kill
 * switch that starts waits until they have ended.
 */
export async function lockCreations(tx: Tx, { tenantId, mode }: Owner, kind: "shared" | "exclusive"): Promise<void> {
  const key = sql`hashtextextended(${`revocations ${tenantId} ${mode}`}, 0)`;
  await (kind === "shared"
    ? sql`select pg_advisory_xact_lock_shared(${key})`
    : sql`select pg_advisory_xact_lock(${key})`
  ).execute(tx);
}

/** The agents and projects that something belongs to. */
export interface Belonging {
  /** UUIDs in lowercase. */
  readonly agentIds: readonly string[];
  readonly projectIds: readonly string[];
}

/**
 * Returns a running kill switch of the developer, or of one of these agents or projects. The agents of a killed project are
 * covered from its start, before they are killed themselves.
 */
export async function findRunningRevocation(
  tx: Tx,
  { tenantId, mode }: Owner,
  { agentIds, projectIds }: Belonging,
): Promise<KillSwitchId | undefined> {
  const isCovered = (type: string, id: string) => sql<boolean>`(
    (${sql.raw(type)} = 'agent' and ${sql.raw(id)} = any(${agentIds}::text[]))
    or (${sql.raw(type)} = 'project' and ${sql.raw(id)} = any(${projectIds}::text[])))`;
  const row = await tx
    .selectFrom("killSwitches as kill")
    .select("kill.killSwitchId")
    .where("kill.tenantId", "=", tenantId)
    .where("kill.mode", "=", mode)
    .where("kill.status", "=", "running")
    .where(
      sql<boolean>`(kill.scope = 'developer' or ${isCovered("kill.scope", "kill.target_id")} or exists (
        select from kill_switch_targets target
        where target.tenant_id = kill.tenant_id and target.kill_switch_id = kill.kill_switch_id
          and ${isCovered("target.target_type", "target.target_id")})
        or kill.scope = 'project' and exists (
          select from projects as project
          where project.tenant_id = kill.tenant_id and project.project_id = kill.target_id
            and project.agent_ids && ${agentIds}::text[]))`,
    )
    .limit(1)
    .executeTakeFirst();
  return row?.killSwitchId;
}

export async function isKeyRevoked(tx: Tx, { tenantId }: Owner, keyId: string): Promise<boolean> {
  const key = await selectWhere(tx, "apiKeys", { tenantId })
    .select("revokedAt")
    .where(sql<boolean>`key_id = ${keyId}`)
    .executeTakeFirst();
  return key === undefined || key.revokedAt !== null;
}
