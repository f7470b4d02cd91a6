import { type Selectable, sql } from "kysely";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { sendWithNext } from "../db/transaction.ts";
import { rowsWhere } from "../db/where.ts";
import type { LedgerAccountId, LedgerTransferId } from "../foundation/ids.ts";
import type { Asset } from "../foundation/money.ts";
import type { FreezeMode, Mode } from "../foundation/vocabulary.ts";

export type AccountRow = Selectable<Schema["ledgerAccounts"]>;

/** The accounts of one kind that belong to a subject, for example to a wallet: one account per token. */
export type AccountsKey = Pick<AccountRow, "tenantId" | "mode" | "kind" | "subjectType" | "subjectId">;

/** All accounts of some subjects of the same type. */
export interface SubjectsKey extends Pick<AccountsKey, "tenantId" | "mode" | "subjectType"> {
  readonly subjectIds: readonly string[];
}

interface InsertMissingAccounts {
  readonly accounts: readonly Pick<AccountRow, "accountId" | "asset">[];
  readonly createdAt: Date;
}

/** Inserts the accounts that are missing. Also registers the tenant for the checks of its balances. */
export async function insertMissingAccounts(
  tx: Tx,
  { tenantId, mode, kind, subjectType, subjectId }: AccountsKey,
  { accounts, createdAt }: InsertMissingAccounts,
): Promise<void> {
  const owner = { tenantId, mode, kind, subjectType, subjectId };
  await tx
    .with("check", (db) =>
      db
        .insertInto("moneyChecks")
        .values({ tenantId, checkedAt: createdAt })
        .onConflict((conflict) => conflict.doNothing()),
    )
    .insertInto("ledgerAccounts")
    .values(accounts.map((account) => ({ ...owner, ...account, createdAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listAccountsOfKind(db: Db, key: AccountsKey): Promise<AccountRow[]> {
  const { kind, subjectId, ...subjects } = key;
  return selectAccounts(db, { ...subjects, subjectIds: [subjectId] })
    .where("kind", "=", kind)
    .execute();
}

export async function listLedgerAccounts(db: Db, key: SubjectsKey): Promise<AccountRow[]> {
  return selectAccounts(db, key).execute();
}

function selectAccounts(db: Db, { tenantId, mode, subjectType, subjectIds }: SubjectsKey) {
  return rowsWhere(db, "ledgerAccounts", { tenantId, mode, subjectType })
    .where(sql<boolean>`subject_id = any(${subjectIds}::text[])`)
    .orderBy("accountId");
}

/**
 * Selects the subjects' accounts, except clearing accounts, and locks them until the transaction ends, in the order of
 * their ids, as `purser_ledger_move` does.
 */
function selectForChange(tx: Tx, key: SubjectsKey) {
  return selectAccounts(tx, key).where("kind", "in", ["wallet", "bank", "in_transit"]).forNoKeyUpdate();
}

/**
 * Locks all accounts of these subjects, except clearing accounts. Call it before locking the subjects themselves, which
 * come later in the order of locks. No money moves from or to the accounts until the transaction ends.
 */
export async function lockAccounts(tx: Tx, key: SubjectsKey): Promise<readonly AccountRow[]> {
  return selectForChange(tx, key).execute();
}

/** Like `lockAccounts`, but locks them with the transaction's next statement. */
export async function lockAccountsWithNext(tx: Tx, key: SubjectsKey): Promise<void> {
  await sendWithNext(tx, selectForChange(tx, key));
}

/**
 * Freezes, stops or reverses that for the subjects' accounts, except clearing accounts, with the transaction's next
 * statement or its commit. That waits for moves that have locked one of the accounts. After the commit, every move reads the
 * new value. `stopped` refuses outgoing moves, because the accounts' agent is not active.
 */
export async function updateAccounts(
  tx: Tx,
  key: SubjectsKey,
  change: { readonly frozen: FreezeMode | null } | { readonly stopped: boolean },
): Promise<void> {
  await sendWithNext(
    tx,
    tx
      // An update locks rows in any order. `purser_ledger_move` locks accounts in the order of their ids, so this query
      // does the same.
      .with("locked", () => selectForChange(tx, key))
      .updateTable("ledgerAccounts")
      .from("locked")
      .set(change)
      .where("ledgerAccounts.tenantId", "=", key.tenantId)
      .whereRef("ledgerAccounts.accountId", "=", "locked.accountId"),
  );
}

/** The parameters of `purser_ledger_move`, which describes them. */
interface MoveParameters {
  readonly kind: "direct" | "hold" | "post" | "void";
  readonly transferId: LedgerTransferId;
  readonly mode: Mode;
  readonly asset: Asset | null;
  readonly amount: bigint | null;
  readonly debitAccountId: LedgerAccountId | null;
  readonly creditAccountId: LedgerAccountId | null;
  readonly holdId: LedgerTransferId | null;
  readonly ignoresFreeze: boolean;
  readonly causeType: string;
  readonly causeId: string;
  readonly at: Date;
}

/**
 * - `already_resolved`: a post or a void has resolved the hold.
 * - `exceeds_hold`: the amount of a post is larger than the hold.
 * - `hold_not_found`, `account_not_found`: the tenant has none with this id, mode and token.
 * - `same_account`: the debit account is the credit account.
 * - `amount_out_of_range`: the amount is not positive, or the amount or the new balance has more than 38 digits.
 */
export type MoveRefusalReason =
  | "insufficient_funds"
  | "wallet_frozen"
  | "agent_stopped"
  | "already_resolved"
  | "exceeds_hold"
  | "hold_not_found"
  | "account_not_found"
  | "same_account"
  | "amount_out_of_range";

interface MoveRow {
  readonly outcome: "done" | MoveRefusalReason;
  readonly refusedAccountId: LedgerAccountId | null;
  readonly available: bigint | null;
}

/** Calls `purser_ledger_move`. The tenant is the transaction's. */
export async function callLedgerMove(tx: Tx, parameters: MoveParameters): Promise<MoveRow> {
  const [row] = await selectMove(tx, parameters);
  return row as MoveRow;
}

const selectMove = compileOnce((tx, move: MoveParameters) =>
  tx
    .selectFrom(
      sql<MoveRow>`purser_ledger_move(${move.kind}, ${move.transferId}, ${move.mode}, ${move.asset}, ${move.amount},
        ${move.debitAccountId}, ${move.creditAccountId}, ${move.holdId}, ${move.ignoresFreeze},
        ${move.causeType}, ${move.causeId}, ${move.at})`.as("move"),
    )
    .selectAll(),
);
