import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { listLiveSessions, type Session } from "./queries.ts";

export interface ListSessions {
  readonly tenantId: TenantId;
  /** The ID of the last session on the previous page. Undefined for the first page. */
  readonly afterSessionId: string | undefined;
  readonly limit: number;
}

/** Returns one page of the developer's valid sessions, newest first. */
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
