import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { AuthFailureTable } from "../../../db/schema.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";

export type AuthFailure = Selectable<AuthFailureTable>;

/** Whose keys these are. A hash that is nobody's is left out. */
export async function listApiKeyLookups(db: Db, keyHashes: readonly string[]) {
  return db
    .selectFrom("apiKeyLookups")
    .select(["keyHash", "tenantId", "keyId"])
    .where("keyHash", "in", keyHashes)
    .execute();
}

/** The failures of a key that began within a minute: their ids, and how many requests there were in all. */
export async function readMinute(
  tx: Tx,
  minute: {
    readonly tenantId: TenantId;
    readonly keyId: ApiKeyId;
    readonly from: Date;
    readonly until: Date;
  },
): Promise<{ readonly failureIds: ReadonlySet<string>; readonly count: number }> {
  const rows = await tx
    .selectFrom("authFailures")
    .select(["failureId", "count"])
    .where("tenantId", "=", minute.tenantId)
    .where("keyId", "=", minute.keyId)
    .where("lastAt", ">=", minute.from)
    .where("lastAt", "<", minute.until)
    .execute();
  return {
    failureIds: new Set(rows.map(({ failureId }) => failureId)),
    count: rows.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Adds to the row of this id, where there is one. */
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

/** True, and noted, where the key's owner has not been told of its failures since `since`. */
export async function claimSpike(
  tx: Tx,
  key: {
    readonly tenantId: TenantId;
    readonly keyId: ApiKeyId;
    readonly at: Date;
    readonly since: Date;
  },
): Promise<boolean> {
  const claimed = await tx
    .updateTable("apiKeys")
    .set({ failuresToldAt: key.at })
    .where("tenantId", "=", key.tenantId)
    .where("keyId", "=", key.keyId)
    .where(({ eb, or }) =>
      or([eb("failuresToldAt", "is", null), eb("failuresToldAt", "<=", key.since)]),
    )
    .returning("keyId")
    .executeTakeFirst();
  return claimed !== undefined;
}

export interface AuthFailurePosition {
  readonly lastAt: Date;
  readonly failureId: string;
}

/** A tenant's failures under keys of the given modes, newest first, from behind a place on. */
export async function listFailures(
  db: Db,
  page: {
    readonly tenantId: TenantId;
    readonly modes: readonly Mode[];
    readonly after: AuthFailurePosition | undefined;
    readonly limit: number;
  },
): Promise<AuthFailure[]> {
  const { after } = page;
  return db
    .selectFrom("authFailures")
    .selectAll()
    .where("tenantId", "=", page.tenantId)
    .where("mode", "in", page.modes)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple("lastAt", "failureId"),
          "<",
          tuple(after?.lastAt ?? new Date(0), after?.failureId ?? ""),
        ),
      ),
    )
    .orderBy("lastAt", "desc")
    .orderBy("failureId", "desc")
    .limit(page.limit)
    .execute();
}

export async function listTenantsWithFailures(
  db: Db,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<TenantId[]> {
  const rows = await db
    .selectFrom("authFailures")
    .select("tenantId")
    .distinct()
    .where("lastAt", "<", before)
    .limit(limit)
    .execute();
  return rows.map(({ tenantId }) => tenantId);
}

export async function deleteFailures(
  tx: Tx,
  { tenantId, before }: { readonly tenantId: TenantId; readonly before: Date },
): Promise<void> {
  await tx
    .deleteFrom("authFailures")
    .where("tenantId", "=", tenantId)
    .where("lastAt", "<", before)
    .execute();
}
