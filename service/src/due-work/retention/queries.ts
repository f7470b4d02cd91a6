import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { OPERATOR_TENANT, type TenantId } from "../../foundation/ids.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ended sessions are kept for security investigations. */
const SESSIONS_MS = 7 * DAY_MS;

/** Rows of a table that are deleted this long after the time in this column. */
export interface Retention {
  readonly table: keyof Schema;
  readonly column: string;
  readonly keepMs: number;
  /** True for a table without row-level security: one transaction deletes the rows of all tenants. */
  readonly isGlobal?: true;
  /** A further condition. Rows are old enough if their time is before `before`. */
  readonly and?: (before: Date) => RawBuilder<boolean>;
}

/** How long rows are kept, in the order in which the tables are worked through. */
export const RETENTION: readonly Retention[] = [
  { table: "requestSignatures", column: "expiresAt", keepMs: 0 },
  { table: "idempotencyRecords", column: "expiresAt", keepMs: 0 },
  { table: "events", column: "occurredAt", keepMs: 30 * DAY_MS },
  { table: "webhookDeliveries", column: "createdAt", keepMs: 30 * DAY_MS },
  { table: "authFailures", column: "lastAt", keepMs: 30 * DAY_MS },
  { table: "loggedRequests", column: "createdAt", keepMs: 30 * DAY_MS },
  // Back-tests read the decisions of 30 days.
  { table: "policyDecisions", column: "decidedAt", keepMs: 31 * DAY_MS },
  // How long a repeated event of a vendor is recognized.
  { table: "vendorEvents", column: "receivedAt", keepMs: 30 * DAY_MS, isGlobal: true },
  { table: "loginStates", column: "expiresAt", keepMs: 0, isGlobal: true },
  { table: "mfaChallenges", column: "expiresAt", keepMs: 0, isGlobal: true },
  { table: "emailTokens", column: "expiresAt", keepMs: 0, isGlobal: true },
  {
    table: "deviceAuthorizations",
    column: "expiresAt",
    // Until its row is deleted, the device's poll fails with `expired_token` instead of `invalid_grant`.
    keepMs: HOUR_MS,
    isGlobal: true,
    // The job `revoke-uncollected-keys` deletes the approved ones.
    and: () => sql`status <> 'approved'`,
  },
  {
    table: "refreshTokens",
    column: "issuedAt",
    keepMs: SESSIONS_MS,
    isGlobal: true,
    and: (before) => sql`(tenant_id, session_id) in (
      select tenant_id, session_id from sessions where expires_at < ${before} or revoked_at < ${before})`,
  },
  { table: "fiatLinks", column: "expiresAt", keepMs: DAY_MS },
  { table: "sessions", column: "expiresAt", keepMs: SESSIONS_MS },
  { table: "sessions", column: "revokedAt", keepMs: SESSIONS_MS },
];

/** A row that is to be deleted. `place` is where it is stored, which changes if the row is changed. */
interface ExpiredRow {
  readonly tenantId: TenantId;
  readonly place: string;
}

/** Returns up to `limit` rows that are old enough, except those of some tenants. Global rows are the operator's. */
export async function listExpiredRows(
  db: Db,
  retention: Retention,
  { before, except, limit }: { readonly before: Date; readonly except: Iterable<TenantId>; readonly limit: number },
): Promise<readonly ExpiredRow[]> {
  const tenantId = retention.isGlobal ? sql`${OPERATOR_TENANT}::text` : sql`tenant_id`;
  const { rows } = await sql<ExpiredRow>`
    select ${tenantId} as tenant_id, ctid::text as place from ${sql.table(retention.table)}
    where ${isExpired(retention, before)} and ${tenantId} <> all(${[...except]}::text[])
    limit ${limit}`.execute(db);
  return rows;
}

/** Deletes those of the rows that are still old enough, and returns their number. */
export async function deleteExpiredRows(
  tx: Tx,
  retention: Retention,
  { before, rows }: { readonly before: Date; readonly rows: readonly ExpiredRow[] },
): Promise<bigint> {
  const places = rows.map(({ place }) => place);
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(retention.table)}
    where ctid = any(${places}::tid[]) and ${isExpired(retention, before)}`.execute(tx);
  return numAffectedRows;
}

function isExpired({ column, and }: Retention, before: Date) {
  return sql`${sql.ref(column)} < ${before} and ${and?.(before) ?? sql`true`}`;
}
