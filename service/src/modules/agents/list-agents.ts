import type { App } from "../../app.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { type AgentOverview, type AgentPosition, listAgentOverviews } from "./queries.ts";

/** Returns one page of the agents in scope, newest first. Deleted agents are not included. */
export async function listAgents(
  { db }: Pick<App, "db">,
  {
    scope,
    after,
    limit,
  }: {
    readonly scope: TenantScope;
    /** The last agent of the previous page. Undefined for the first page. */
    readonly after: AgentPosition | undefined;
    readonly limit: number;
  },
): Promise<{ readonly items: readonly AgentOverview[]; readonly hasMore: boolean }> {
  const rows = await listAgentOverviews(db, scope, { after, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
