import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../../db/database.ts";
import type { Schema } from "../../../../db/schema.ts";
import type { TenantId } from "../../../../foundation/ids.ts";
import type { Link, LinkKey } from "../queries.ts";

/** A link's tokens that are to be revoked. */
export type TokenRevocation = Selectable<Schema["tokenRevocations"]>;
type RevocationKey = Pick<TokenRevocation, "tenantId" | "linkId" | "version">;
type Account = Pick<Link, "accountId" | "accountLabel">;

/** Inserts tokens, unless the link has others of this version: a provider can accept a refresh token twice. */
export async function insertRevocation(
  tx: Tx,
  {
    link: { tenantId, linkId },
    account: { accountId, accountLabel },
    at,
    ...sealed
  }: {
    readonly link: LinkKey;
    /** The account that the tokens belong to. */
    readonly account: Account;
    /** The version with which the tokens are encrypted. */
    readonly version: number;
    readonly accessSealed: Buffer;
    readonly at: Date;
  },
): Promise<void> {
  await tx
    .insertInto("tokenRevocations")
    .values({ tenantId, linkId, ...sealed, accountId, accountLabel, dueAt: at, createdAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Inserts the link's stored tokens, if there are any. Locks them, because a refresh could replace them before they are
 * deleted.
 */
export async function insertRevocationOfStored(
  tx: Tx,
  { tenantId, linkId, accountId, accountLabel }: Link,
  at: Date,
): Promise<void> {
  await sql`
    insert into token_revocations
      (tenant_id, link_id, version, access_sealed, account_id, account_label, due_at, created_at)
    select tenant_id, link_id, version, access_sealed, ${accountId}, ${accountLabel}, ${at}, ${at}
    from provider_link_secrets
    where tenant_id = ${tenantId} and link_id = ${linkId} and access_sealed is not null
    for update
    on conflict do nothing`.execute(tx);
}

/** Returns the tenants with tokens that are due. The tenant whose tokens have been due for longest comes first. */
export async function listTenantsWithDueRevocations(
  db: Db,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<TenantId[]> {
  const rows = await db
    .selectFrom("tokenRevocations")
    .select("tenantId")
    .where("dueAt", "<=", at)
    .groupBy("tenantId")
    .orderBy(({ fn }) => fn.min("dueAt"))
    .limit(limit)
    .execute();
  return rows.map(({ tenantId }) => tenantId);
}

/**
 * Claims the tenant's tokens that have been due for longest. They are due again at `nextDueAt`, unless the caller deletes
 * or postpones them. Skips tokens that another transaction has locked.
 */
export async function claimDueRevocation(
  tx: Tx,
  { tenantId, at, nextDueAt }: { readonly tenantId: TenantId; readonly at: Date; readonly nextDueAt: Date },
): Promise<TokenRevocation | undefined> {
  const due = await tx
    .selectFrom("tokenRevocations")
    .select(["linkId", "version"])
    .where("tenantId", "=", tenantId)
    .where("dueAt", "<=", at)
    .orderBy("dueAt")
    .orderBy("linkId")
    .orderBy("version")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (due === undefined) return undefined;
  return tx
    .updateTable("tokenRevocations")
    .set(({ eb, ref }) => ({ attempts: eb(ref("attempts"), "+", 1), dueAt: nextDueAt }))
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", due.linkId)
    .where("version", "=", due.version)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function postponeRevocation(
  tx: Tx,
  { tenantId, linkId, version }: RevocationKey,
  dueAt: Date,
): Promise<void> {
  await tx
    .updateTable("tokenRevocations")
    .set({ dueAt })
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .where("version", "=", version)
    .execute();
}

/** Returns false if another process has deleted the tokens. */
export async function deleteRevocation(tx: Tx, { tenantId, linkId, version }: RevocationKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("tokenRevocations")
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .where("version", "=", version)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Returns true if an active link, of any project, tenant or mode, belongs to the account and was not made with a pasted
 * token. An account without an ID is compared by label, and only within the tenant: labels of different tenants' accounts
 * can be equal.
 */
export async function isAccountLinked(
  db: Db,
  { tenantId, provider, accountId, accountLabel }: Pick<Link, "tenantId" | "provider"> & Account,
): Promise<boolean> {
  const linked = db
    .selectFrom("providerLinks")
    .select("linkId")
    .where("provider", "=", provider)
    .where("status", "=", "linked")
    .where("flow", "!=", "api_token")
    .limit(1);
  const ofAccount =
    accountId !== null
      ? linked.where("accountId", "=", accountId)
      : linked.where("tenantId", "=", tenantId).where("accountId", "is", null).where("accountLabel", "=", accountLabel);
  return (await ofAccount.executeTakeFirst()) !== undefined;
}
