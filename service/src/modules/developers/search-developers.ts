import type { App } from "../../app.ts";
import { isId, type TenantId } from "../../foundation/ids.ts";
import { type Developer, type DeveloperSearch, selectDevelopers } from "./queries.ts";

export interface SearchDevelopers {
  /** A developer's id, or how their address begins. Undefined: everybody. */
  readonly text: string | undefined;
  readonly kybStatus: Developer["kybStatus"] | undefined;
  /** The last developer of the page before. Undefined: from the newest on. */
  readonly afterId: string | undefined;
  readonly limit: number;
}

/** One page of the developers that a search finds, newest first, and whether there are more. For admins. */
export async function searchDevelopers(
  { db }: Pick<App, "db">,
  { text, kybStatus, afterId, limit }: SearchDevelopers,
): Promise<{ readonly items: readonly Developer[]; readonly hasMore: boolean }> {
  const search: DeveloperSearch = { ...named(text), kybStatus, afterId, limit: limit + 1 };
  const rows = await selectDevelopers(db, search);
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

function named(text: string | undefined): {
  readonly tenantId?: TenantId;
  readonly emailPrefix?: string;
} {
  if (text === undefined) return {};
  return isId("dev", text) ? { tenantId: text } : { emailPrefix: text.toLowerCase() };
}
