import type { Tx } from "../db/database.ts";
import { type LedgerAccountId, type LedgerTransferId, newId } from "../foundation/ids.ts";
import type { TokenAmount } from "../foundation/money.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import { callLedgerMove, type MoveRefusalReason } from "./queries.ts";

/** What a move is for, for example a payment. */
interface Cause {
  readonly type: string;
  readonly id: string;
}

interface AnyMove {
  readonly mode: Mode;
  readonly cause: Cause;
  readonly at: Date;
}

interface AccountMove extends AnyMove {
  readonly debitAccountId: LedgerAccountId;
  readonly creditAccountId: LedgerAccountId;
  readonly amount: TokenAmount;
}

interface RecordedMove {
  /**
   * True if the move has already happened outside, for example on the chain. Then it is not refused because of a freeze
   * or a stopped agent.
   */
  readonly ignoresFreeze: boolean;
}

export type Move =
  /** Moves the amount from one account to another. */
  | ({ readonly kind: "direct" } & AccountMove & RecordedMove)
  /** Holds the amount on the debit account until a post or a void resolves the hold. */
  | ({ readonly kind: "hold" } & AccountMove)
  /** Moves at most the held amount, and releases the rest. */
  | ({
      readonly kind: "post";
      readonly holdId: LedgerTransferId;
      readonly amount: TokenAmount;
    } & AnyMove &
      RecordedMove)
  /** Releases the whole hold. Never refused because of a freeze. */
  | ({ readonly kind: "void"; readonly holdId: LedgerTransferId } & AnyMove);

export type MoveOutcome = { readonly outcome: "done"; readonly transferId: LedgerTransferId } | MoveRefusal;

export interface MoveRefusal {
  readonly outcome: MoveRefusalReason;
  /** The account that is the reason of the refusal, for example the one that is frozen. */
  readonly accountId: LedgerAccountId | null;
  /** What the account can spend, for `insufficient_funds`. The amount of the hold, for `exceeds_hold`. Else null. */
  readonly available: TokenAmount | null;
}

/** Makes a move in one call of the database. A refusal changes nothing and does not roll back the transaction. */
export async function moveMoney(tx: Tx, move: Move): Promise<MoveOutcome> {
  const transferId = newId("ltr");
  const amount = "amount" in move ? move.amount : null;
  const { outcome, refusedAccountId, available } = await callLedgerMove(tx, {
    kind: move.kind,
    transferId,
    mode: move.mode,
    asset: amount?.asset ?? null,
    amount: amount?.baseUnits ?? null,
    debitAccountId: "debitAccountId" in move ? move.debitAccountId : null,
    creditAccountId: "creditAccountId" in move ? move.creditAccountId : null,
    holdId: "holdId" in move ? move.holdId : null,
    ignoresFreeze: "ignoresFreeze" in move && move.ignoresFreeze,
    causeType: move.cause.type,
    causeId: move.cause.id,
    at: move.at,
  });
  if (outcome === "done") return { outcome, transferId };
  return {
    outcome,
    accountId: refusedAccountId,
    available: amount && available !== null ? { asset: amount.asset, baseUnits: available } : null,
  };
}
