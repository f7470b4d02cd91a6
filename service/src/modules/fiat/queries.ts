import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, deleteWhere, exists, rowsWhere } from "../../db/where.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";

export type FiatLink = Row<"fiatLinks">;
export type FiatCustomer = Row<"fiatCustomers">;
export type FiatAccount = Row<"fiatAccounts">;

export const fiatLinkRows = tableOf("fiatLinks", ["tenantId", "linkId"]);
/** The links whose public token has been exchanged. */
export const exchangedLinkRows = tableOf("fiatLinks", ["tenantId", "mode", "publicTokenHash"]);
/** The holders of bank accounts: one for each tenant and mode. */
export const fiatCustomerRows = tableOf("fiatCustomers", ["tenantId", "mode"]);
export const fiatAccountRows = tableOf("fiatAccounts", ["tenantId", "accountId"]);

export type FiatScope = Pick<FiatAccount, "tenantId" | "mode">;

/** A bank account and the holder that it belongs to. */
export interface HeldAccount {
  readonly account: FiatAccount;
  readonly customer: FiatCustomer;
}

const OPEN_LINKS_MAX = QUOTAS.fiatLinks.max;

/** Returns the newest links with which an account can still be added, newest first. */
export function listOpenLinks(db: Db, { tenantId, mode }: FiatScope, at: Date): Promise<FiatLink[]> {
  return selectOpenLinks(db, { tenantId, mode })
    .where("expiresAt", ">", at)
    .where("relinkedAccountId", "is", null)
    .limit(OPEN_LINKS_MAX)
    .execute();
}

/** Deletes the open links that were created before the newest ten. */
export async function deleteOldestLinks(tx: Tx, { tenantId, mode }: FiatScope): Promise<void> {
  const kept = selectOpenLinks(tx, { tenantId, mode }).clearSelect().select("linkId").limit(OPEN_LINKS_MAX);
  await deleteWhere(tx, "fiatLinks", { tenantId, mode })
    .where("usedAt", "is", null)
    .where("accountId", "is", null)
    .where("linkId", "not in", kept)
    .execute();
}

function selectOpenLinks(db: Db, { tenantId, mode }: FiatScope) {
  return rowsWhere(db, "fiatLinks", { tenantId, mode })
    .where("usedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy("linkId", "desc");
}

/** Returns the linked accounts with their holder, newest first. */
export async function listFiatAccounts(db: Db, scope: FiatScope): Promise<HeldAccount[]> {
  const rows = await selectLinked(db, scope).orderBy("createdAt", "desc").orderBy("accountId", "desc").execute();
  if (rows.length === 0) return [];
  const customer = await fiatCustomerRows.get(db, scope);
  return rows.map((account) => ({ account, customer }));
}

/** Returns a linked account with its holder. */
export async function findAccount(
  db: Db,
  scope: FiatScope,
  accountId: FiatAccountId,
): Promise<HeldAccount | undefined> {
  const account = await selectLinked(db, scope).where("accountId", "=", accountId).executeTakeFirst();
  return account && { account, customer: await fiatCustomerRows.get(db, scope) };
}

export async function countAccounts(db: Db, scope: FiatScope): Promise<number> {
  return countRows(selectLinked(db, scope));
}

/** Returns true if an account is linked, or was removed and is still registered with the ramp vendor. */
export async function hasAccountAtVendors(db: Db, { tenantId, mode }: FiatScope): Promise<boolean> {
  return exists(
    rowsWhere(db, "fiatAccounts", { tenantId, mode }).where((is) =>
      is.or([is("status", "<>", "removed"), is("externalAccountId", "is not", null)]),
    ),
  );
}

function selectLinked(db: Db, { tenantId, mode }: FiatScope) {
  return rowsWhere(db, "fiatAccounts", { tenantId, mode }).where("status", "<>", "removed");
}

/** Returns the accounts of a login at a bank, whichever tenant they belong to. */
export function listAccountsOfItem(db: Db, mode: Mode, itemId: string): Promise<FiatAccount[]> {
  return rowsWhere(db, "fiatAccounts", { itemId, mode }).where("status", "<>", "removed").limit(100).execute();
}

/** Returns the holders with this id at a vendor, whichever tenant they belong to. */
export function listCustomersOf(
  db: Db,
  mode: Mode,
  { column, id }: { readonly column: "screeningId" | "kycLinkId"; readonly id: string },
): Promise<FiatCustomer[]> {
  return rowsWhere(db, "fiatCustomers", { mode }).where(sql.ref<string>(column), "=", id).limit(100).execute();
}
