import type { App } from "../../../app.ts";
import { isId, type TenantId } from "../../../foundation/ids.ts";
import { normalizeEmail } from "../../../foundation/text/email-address.ts";
import { type Developer, type DeveloperSearch, selectDevelopers } from "../queries.ts";

export interface SearchDevelopers {
  /** A developer ID or the start of an email address. If undefined, all developers match. */
  readonly text: string | undefined;
  readonly kybStatus: Developer["kybStatus"] | undefined;
  /** The ID of the last developer on the previous page. Undefined for the first page. */
  readonly afterId: string | undefined;
  readonly limit: number;
}

/** Returns one page of developers that match the search, newest first. For admins only. */
export async function searchDevelopers(
  { db, clock }: Pick<App, "db" | "clock">,
  { text, kybStatus, afterId, limit }: SearchDevelopers,
): Promise<{ readonly items: readonly Developer[]; readonly hasMore: boolean }> {
  const search: DeveloperSearch = {
    ...parseSearchText(text),
    kybStatus,
    at: clock.now(),
    afterId,
    limit: limit + 1,
  };
  const rows = await selectDevelopers(db, search);
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

function parseSearchText(text: string | undefined): {
  readonly tenantId?: TenantId;
  readonly emailPrefix?: string;
} {
  if (text === undefined) return {};
  return isId("dev", text) ? { tenantId: text } : { emailPrefix: normalizeEmail(text) };
}
