import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { rowsWhere, selectWhere } from "../../../db/where.ts";
import { scheduleWork } from "../../../due-work/due-work.ts";
import type { DueItem } from "../../../due-work/queries.ts";
import type { LinkId } from "../../../foundation/ids.ts";
import type { Link, LinkKey } from "../queries.ts";

export const revocationRows = tableOf("tokenRevocations", ["tenantId", "linkId", "version"]);

/** The job that revokes tokens. */
export const REVOKE_TOKENS = { kind: "revoke-tokens" };

/** A link's tokens that are to be revoked. */
export type TokenRevocation = Selectable<Schema["tokenRevocations"]>;
type RevocationKey = Pick<TokenRevocation, "tenantId" | "linkId" | "version">;

async function scheduleRevocation(tx: Tx, { tenantId, linkId, version }: RevocationKey, dueAt: Date): Promise<void> {
  await scheduleWork(tx, REVOKE_TOKENS, { tenantId, subject: `${linkId} ${version}`, dueAt });
}
type Account = Pick<Link, "accountId" | "accountLabel">;

interface InsertRevocation {
  readonly link: LinkKey;
  /** The account that the tokens belong to. */
  readonly account: Account;
  /** The version with which the tokens are encrypted. */
  readonly version: number;
  readonly accessSealed: Buffer;
  readonly at: Date;
}

/** Inserts tokens, unless the link has others of this version: a provider can accept a refresh token twice. */
export async function insertRevocation(
  tx: Tx,
  { link: { tenantId, linkId }, account: { accountId, accountLabel }, at, ...sealed }: InsertRevocation,
): Promise<void> {
  await revocationRows.insertIfNew(tx, { tenantId, linkId, ...sealed, accountId, accountLabel, createdAt: at });
  await scheduleRevocation(tx, { tenantId, linkId, version: sealed.version }, at);
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
  const { rows } = await sql<RevocationKey>`
    insert into token_revocations (tenant_id, link_id, version, access_sealed, account_id, account_label, created_at)
    select tenant_id, link_id, version, access_sealed, ${accountId}, ${accountLabel}, ${at}
    from provider_link_secrets
    where tenant_id = ${tenantId} and link_id = ${linkId} and access_sealed is not null
    for update
    on conflict do nothing
    returning tenant_id, link_id, version`.execute(tx);
  for (const tokens of rows) await scheduleRevocation(tx, tokens, at);
}

/** Returns the tokens that an item of the job is about. */
export async function findRevocation(
  db: Db,
  { tenantId, subject }: Pick<DueItem, "tenantId" | "subject">,
): Promise<TokenRevocation | undefined> {
  const [linkId, version] = subject.split(" ");
  return rowsWhere(db, "tokenRevocations", {
    tenantId,
    linkId: linkId as LinkId,
    version: Number(version),
  }).executeTakeFirst();
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
  const linked = selectWhere(db, "providerLinks", { provider, status: "linked" })
    .select("linkId")
    .where("flow", "!=", "api_token")
    .limit(1);
  const ofAccount =
    accountId !== null
      ? linked.where("accountId", "=", accountId)
      : linked.where("tenantId", "=", tenantId).where("accountId", "is", null).where("accountLabel", "=", accountLabel);
  return (await ofAccount.executeTakeFirst()) !== undefined;
}
