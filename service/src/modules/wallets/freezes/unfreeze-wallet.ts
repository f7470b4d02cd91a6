import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { FreezeSource } from "../../../foundation/vocabulary.ts";
import { updateAccounts } from "../../../ledger/queries.ts";
import type { Wallet, WalletKey } from "../queries.ts";
import { requireWalletAndAccountsLocked } from "../require-wallet.ts";
import { saveFreeze } from "./freeze-wallets.ts";
import type { FreezeColumns } from "./queries.ts";

export interface UnfreezeWallet {
  readonly key: WalletKey;
  /** Whether a developer or an admin lifts the freeze. An admin also lifts the freeze of a developer. */
  readonly liftedBy: FreezeSource;
  readonly reason: Wallet["freezeReason"];
  readonly note: string | null;
  readonly reviewReference: string | null;
  readonly at: Date;
}

const UNFROZEN: FreezeColumns = {
  status: "active",
  freezeMode: null,
  freezeSource: null,
  freezeReason: null,
  freezeNote: null,
  freezeReference: null,
  freezeExpiresAt: null,
  frozenBy: null,
  frozenAt: null,
  onchainFreeze: "not_frozen",
};

/**
 * Lifts the freeze of a wallet in the caller's transaction. Does nothing if the wallet is not frozen. The accounts of an
 * agent that is not active remain stopped. Locks like `freezeWallets`.
 *
 * Throws `wallet_not_found`, `admin_review_required` if a developer lifts an admin's freeze, and `network_unavailable` if
 * the account may be frozen on the chain, which must be unfrozen first.
 */
export async function unfreezeWallet(
  tx: Tx,
  actor: Actor,
  { key, liftedBy, reason, note, reviewReference, at }: UnfreezeWallet,
): Promise<void> {
  const { tenantId, mode, walletId } = key;
  const accounts = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] } as const;
  const before = await requireWalletAndAccountsLocked(tx, key);
  if (before.frozenAt === null) return;
  throwIfNotLiftable(before, liftedBy);
  await updateAccounts(tx, accounts, { frozen: null });
  await saveFreeze(tx, actor, {
    before,
    change: UNFROZEN,
    reason,
    note,
    reference: reviewReference,
    facts: {
      previous_reason: before.freezeReason,
      previous_mode: before.freezeMode,
      previous_source: before.freezeSource,
      reason,
      review_reference: reviewReference,
    },
    at,
  });
}

function throwIfNotLiftable(wallet: Wallet, liftedBy: FreezeSource): void {
  if (wallet.freezeSource === "admin" && liftedBy !== "admin") {
    throw new AppError("admin_review_required", {
      detail: "An admin froze this wallet, so only an admin can unfreeze it. Contact the operator.",
    });
  }
  // A wallet is unfrozen on the chain first, then in the database. This version cannot call a chain.
  if (wallet.mode === "live" && wallet.onchainFreeze !== "not_frozen") {
    throw new AppError("network_unavailable", {
      detail:
        "The account must be unfrozen on the chain first, which is not possible now. The wallet remains frozen. Try again later.",
    });
  }
}
