import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { listLiveSessions, type Session } from "./queries.ts";

export interface ListSessions {
  readonly tenantId: TenantId;
  /** The last session of the page before. Undefined: from the newest on. */
  readonly afterSessionId: string | undefined;
  readonly limit: number;
}

/** One page of the sessions that are good now, newest first, and whether there are more. */
export async function listSessions(
  app: Pick<App, "db" | "clock">,
  { tenantId, afterSessionId, limit }: ListSessions,
): Promise<{ readonly items: readonly Session[]; readonly hasMore: boolean }> {
  const at = app.clock.now();
  const rows = await listLiveSessions(app.db, {
    tenantId,
    at,
    afterSessionId,
    limit: limit + 1,
  });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
