import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { type AuthFailure, type AuthFailurePosition, listFailures } from "./queries.ts";
import { writeAuthFailures } from "./write-auth-failures.ts";

export interface ListAuthFailures {
  readonly tenantId: TenantId;
  /** The modes of the keys whose failures are returned. */
  readonly modes: readonly Mode[];
  readonly after: AuthFailurePosition | undefined;
  readonly limit: number;
}

/**
 * Returns one page of the refused requests of the tenant's keys, newest first. Writes the failures that this process
 * has recorded first, so that they are included.
 */
export async function listAuthFailures(
  app: Pick<App, "db" | "clock" | "log" | "authFailures">,
  { limit, ...command }: ListAuthFailures,
): Promise<{ readonly items: readonly AuthFailure[]; readonly hasMore: boolean }> {
  await writeAuthFailures(app);
  const rows = await listFailures(app.db, { ...command, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
