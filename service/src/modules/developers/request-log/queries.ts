import { sql } from "kysely";
import type { LoggedRequest } from "../../../call-limits/request-log.ts";
import type { Db } from "../../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { rowsWhere } from "../../../db/where.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";

/** The requests of one key, and whether only its newest requests are kept. */
interface Batch extends Pick<LoggedRequest, "tenantId" | "keyId" | "mode"> {
  readonly isTrimmed: boolean;
  /** Their other columns, as `purser_log_requests` reads them. Without names, of which JSON would have one for each value. */
  readonly requests: readonly (readonly (string | number | null)[])[];
}

/** Returns the requests of one key, of which there is at least one. */
export function batchOf(requests: readonly LoggedRequest[], isTrimmed: boolean): Batch {
  const [first] = requests;
  invariant(first !== undefined, "a batch has a request");
  const { tenantId, keyId, mode } = first;
  return {
    ...{ tenantId, keyId, mode, isTrimmed },
    requests: requests.map((request) => {
      const { requestId, method, path, status, durationMs, agentId, createdAtMs, errorCode } = request;
      return [requestId, method, path, status, durationMs, agentId, createdAtMs, errorCode];
    }),
  };
}

/** Inserts requests of several keys, and deletes all but the newest `kept` of the keys that are trimmed. */
export async function insertRequests(db: Db, batches: readonly Batch[], kept: number): Promise<void> {
  await sql`select purser_log_requests(${JSON.stringify(batches)}::jsonb, ${kept}::integer)`.execute(db);
}

export interface RequestFilter {
  readonly tenantId: TenantId;
  /** Only requests of keys with these modes are returned. */
  readonly modes: readonly Mode[];
  readonly keyId: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The lowest and the highest status. */
  readonly statuses: readonly [number, number] | undefined;
}

/** How many of the tenant's requests are searched if no key is named. The most that a filter without matches reads. */
const SEARCHED_MAX = 100_000;

export async function listStoredRequests(
  db: Db,
  { tenantId, modes, keyId, method, path, statuses, after, limit }: RequestFilter & Page<string>,
): Promise<ListedPage<Row<"loggedRequests">>> {
  const own = rowsWhere(db, "loggedRequests", { tenantId });
  const searched =
    keyId === undefined
      ? own.orderBy("requestId", "desc").limit(SEARCHED_MAX)
      : own.where("keyId", "=", keyId as ApiKeyId);
  let requests = db.selectFrom(searched.as("loggedRequests")).selectAll().where("mode", "in", modes);
  if (method !== undefined) requests = requests.where("method", "=", method);
  if (path !== undefined) requests = requests.where("path", "=", path);
  if (statuses !== undefined) requests = requests.where("status", ">=", statuses[0]).where("status", "<=", statuses[1]);
  if (after !== undefined) requests = requests.where("requestId", "<", after);
  return readPage(limit, (max) => requests.orderBy("requestId", "desc").limit(max).execute());
}
