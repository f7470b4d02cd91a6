import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { type AuthFailure, type AuthFailurePosition, listFailures } from "./queries.ts";
import { writeAuthFailures } from "./write-auth-failures.ts";

export interface ListAuthFailures {
  readonly tenantId: TenantId;
  /** Only failures of keys with these modes are returned. */
  readonly modes: readonly Mode[];
  readonly after: AuthFailurePosition | undefined;
  readonly limit: number;
}

/**
 * Returns one page of rejected requests for the tenant's keys, newest first. Flushes the failures buffered in this
 * process to the database first, so that the page includes them.
 */
export async function listAuthFailures(
  app: Pick<App, "db" | "clock" | "log" | "authFailures">,
  { limit, ...command }: ListAuthFailures,
): Promise<{ readonly items: readonly AuthFailure[]; readonly hasMore: boolean }> {
  await writeAuthFailures(app);
  const rows = await listFailures(app.db, { ...command, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
