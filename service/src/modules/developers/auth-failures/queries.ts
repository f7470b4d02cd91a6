import type { Db, Tx } from "../../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { rowsWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";

export type AuthFailure = Row<"authFailures">;

export async function listApiKeyLookups(db: Db, keyHashes: readonly string[]) {
  return db
    .selectFrom("apiKeyLookups")
    .select(["keyHash", "tenantId", "keyId"])
    .where("keyHash", "in", keyHashes)
    .execute();
}

/**
 * Returns the IDs of the failures of the key, or of the tenant's sessions, from `from` (inclusive) until `until`
 * (exclusive), and the sum of their counts.
 */
export async function selectFailuresOfMinute(
  tx: Tx,
  minute: {
    readonly tenantId: TenantId;
    readonly keyId: ApiKeyId | null;
    readonly from: Date;
    readonly until: Date;
  },
): Promise<{ readonly failureIds: ReadonlySet<string>; readonly count: number }> {
  const rows = await selectWhere(tx, "authFailures", { tenantId: minute.tenantId })
    .select(["failureId", "count"])
    .where("keyId", "is not distinct from", minute.keyId)
    .where("lastAt", ">=", minute.from)
    .where("lastAt", "<", minute.until)
    .execute();
  return {
    failureIds: new Set(rows.map(({ failureId }) => failureId)),
    count: rows.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Inserts the failure. If a row with the same ID exists, adds the failure's count to it. */
export async function addAuthFailure(tx: Tx, failure: AuthFailure): Promise<void> {
  await tx
    .insertInto("authFailures")
    .values(failure)
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "failureId"]).doUpdateSet(({ eb, fn, ref }) => ({
        count: eb(ref("authFailures.count"), "+", ref("excluded.count")),
        firstAt: fn("least", [ref("authFailures.firstAt"), ref("excluded.firstAt")]),
        lastAt: fn("greatest", [ref("authFailures.lastAt"), ref("excluded.lastAt")]),
        skewSeconds: ref("excluded.skewSeconds"),
        requestId: ref("excluded.requestId"),
      })),
    )
    .execute();
}

/** Returns false if the owner has already been notified after `since`. */
export async function claimSpikeNotice(
  tx: Tx,
  key: {
    readonly tenantId: TenantId;
    readonly keyId: ApiKeyId;
    readonly at: Date;
    readonly since: Date;
  },
): Promise<boolean> {
  const claimed = await updateWhere(tx, "apiKeys", { tenantId: key.tenantId, keyId: key.keyId })
    .set({ failuresToldAt: key.at })
    .where(({ eb, or }) => or([eb("failuresToldAt", "is", null), eb("failuresToldAt", "<=", key.since)]))
    .returning("keyId")
    .executeTakeFirst();
  return claimed !== undefined;
}

export type AuthFailurePosition = Pick<AuthFailure, "lastAt" | "failureId">;

export interface AuthFailureList extends Page<AuthFailurePosition> {
  readonly tenantId: TenantId;
  /** Only failures of keys with these modes are returned. */
  readonly modes: readonly Mode[];
}

export async function listStoredFailures(
  db: Db,
  { tenantId, modes, after, limit }: AuthFailureList,
): Promise<ListedPage<AuthFailure>> {
  const failures = rowsWhere(db, "authFailures", { tenantId })
    .where("mode", "in", modes)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("lastAt", "failureId"), "<", tuple(after?.lastAt ?? new Date(0), after?.failureId ?? "")),
      ),
    )
    .orderBy("lastAt", "desc")
    .orderBy("failureId", "desc");
  return readPage(limit, (max) => failures.limit(max).execute());
}
