import type { Selectable } from "kysely";
import type { Db } from "../../db/database.ts";
import type { AgentTable } from "../../db/schema.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";

export type Agent = Selectable<AgentTable>;

export async function findAgent(
  db: Db,
  {
    tenantId,
    mode,
    agentId,
  }: { readonly tenantId: TenantId; readonly mode: Mode; readonly agentId: string },
): Promise<Agent | undefined> {
  return db
    .selectFrom("agents")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("agentId", "=", agentId)
    .executeTakeFirst();
}
