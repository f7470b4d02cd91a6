import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { LedgerTransferId, TenantId, WalletId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { TokenAmount } from "../../../foundation/money.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { readBalances } from "../../../ledger/accounts.ts";
import { moveMoney } from "../../../ledger/move-money.ts";

export interface CreditWallet {
  readonly tenantId: TenantId;
  readonly walletId: WalletId;
  readonly mode: Mode;
  readonly amount: TokenAmount;
  /** Where the tokens come from: the faucet of test tokens, or the chain. A freeze cannot refuse what is on the chain. */
  readonly source: "faucet" | "external";
  readonly cause: { readonly type: string; readonly id: string };
  readonly at: Date;
}

/** Moves tokens from outside the ledger to a wallet. Throws `wallet_frozen`, and `conflict` for a balance of more than 38 digits. */
export async function creditWallet(tx: Tx, credit: CreditWallet): Promise<LedgerTransferId> {
  const { tenantId, walletId, mode, amount, source, cause, at } = credit;
  const accountOf = async (subjectType: "wallet" | "faucet" | "external", subjectId: string) => {
    const accounts = await readBalances(tx, { tenantId, mode, subjectType, subjectIds: [subjectId] });
    const account = accounts.find(({ total }) => total.asset === amount.asset);
    invariant(account !== undefined, "the accounts were opened with the wallet");
    return account.accountId;
  };
  const moved = await moveMoney(tx, {
    ...{ kind: "direct", mode, amount, at, cause, ignoresFreeze: source === "external" },
    debitAccountId: await accountOf(source, tenantId),
    creditAccountId: await accountOf("wallet", walletId),
  });
  if (moved.outcome === "wallet_frozen") throw new AppError("wallet_frozen");
  if (moved.outcome === "amount_out_of_range") {
    throw new AppError("conflict", { detail: "The balance would have more than 38 digits." });
  }
  invariant(moved.outcome === "done", `what comes from outside is not limited: ${moved.outcome}`);
  return moved.transferId;
}
