import { sql } from "kysely";
import type { ReserveRow } from "../../../budgets/queries.ts";
import { compileOnce } from "../../../db/compile-once.ts";
import type { Tx } from "../../../db/database.ts";
import { WITH_NEXT } from "../../../db/round-trips.ts";
import type { LedgerAccountId, LedgerTransferId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Asset, UsdMicros } from "../../../foundation/money.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { MoveRefusalReason } from "../../../ledger/queries.ts";

/** The parameters of `purser_spend`, in the migration `0009_budgets.sql`. */
export interface SpendParameters {
  readonly mode: Mode;
  readonly causeType: string;
  readonly causeId: string;
  readonly at: Date;
  readonly reservationId: string;
  readonly amountMicros: UsdMicros;
  /** The budgets, as a JSON array. */
  readonly lines: string;
  readonly reservedAt: Date;
  readonly kind: "direct" | "hold";
  readonly transferId: LedgerTransferId;
  readonly asset: Asset;
  readonly baseUnits: bigint;
  readonly debitAccountId: LedgerAccountId;
  readonly creditAccountId: LedgerAccountId;
}

/** The result of `purser_spend`. Amounts are decimal texts. */
export interface SpendRow {
  /** Null without budgets. */
  readonly reserved: ReserveRow | null;
  /** Undefined if the budgets refused, or are not open. */
  readonly moved?: {
    readonly outcome: "done" | MoveRefusalReason;
    readonly available: string | null;
  };
}

/** Calls `purser_spend`. The tenant is the transaction's. */
export async function callSpend(tx: Tx, parameters: SpendParameters): Promise<SpendRow> {
  const [row] = await selectSpend(tx, parameters);
  invariant(row !== undefined, "a function returns a row");
  return row.result;
}

const selectSpend = compileOnce((tx, spend: SpendParameters) =>
  tx.selectNoFrom(sql<SpendRow>`purser_spend(${argumentsOf(spend)})`.as("result")),
);

/**
 * Calls `purser_spend_or_raise` with the transaction's next statement, which fails with an error for which
 * `needsMoreStatements` returns true if the amount is refused, or if something else must be written about it.
 */
export const spendWithNext = compileOnce(
  (tx, spend: SpendParameters) => tx.selectNoFrom(sql`purser_spend_or_raise(${argumentsOf(spend)}, true)`.as("result")),
  { marker: WITH_NEXT },
);

function argumentsOf(spend: SpendParameters) {
  return sql`${spend.mode}, ${spend.causeType}, ${spend.causeId}, ${spend.at}, ${spend.reservationId},
    ${spend.amountMicros}, ${spend.lines}, ${spend.reservedAt}, ${spend.kind}, ${spend.transferId}, ${spend.asset},
    ${spend.baseUnits}, ${spend.debitAccountId}, ${spend.creditAccountId}`;
}
