import { AppError } from "../../foundation/errors.ts";
import { formatTokenAmount, type TokenAmount } from "../../foundation/money/token-amount.ts";
import type { MoveRefusal } from "../../ledger/move-money.ts";

/** Returns the error for a move that the ledger refuses. Any other refusal is a bug. */
export function moveRefused({ outcome, available }: MoveRefusal, amount: TokenAmount): AppError {
  if (outcome === "wallet_frozen") return new AppError("wallet_frozen");
  if (outcome === "agent_stopped") return new AppError("agent_suspended");
  if (outcome === "insufficient_funds" && available !== null) {
    const decision = {
      available: formatTokenAmount(available),
      required: formatTokenAmount(amount),
    };
    return new AppError("insufficient_funds", { decision });
  }
  throw new Error(`the ledger refused a valid move: ${outcome}`);
}
