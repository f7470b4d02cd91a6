import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { ONCHAIN_FREEZE_STATUSES, WALLET_STATUSES } from "../../../foundation/vocabulary.ts";
import { ModeName, NamedObject, Nullable } from "../../../foundation/wire/fields.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { proveRevocation, RevocationProof } from "../../../revocations/revocations.ts";
import { presentFreeze, WalletFreeze } from "../wallet-resource.ts";
import { type FreezeWallet, freezeInTransaction } from "./freeze-wallets.ts";
import { countWaitingPayments } from "./queries.ts";

const PROOF_DOMAIN = "purser-wallet-freeze-v1";

export const FreezeReport = NamedObject("WalletFreezeReport", {
  wallet_id: Type.String(),
  mode: ModeName,
  status: Type.Enum([...WALLET_STATUSES]),
  freeze: WalletFreeze,
  onchain: Type.Object(
    {
      status: Type.Enum([...ONCHAIN_FREEZE_STATUSES]),
      user_op_hash: Nullable(Type.String()),
      tx_hash: Nullable(Type.String()),
      block_number: Nullable(Type.Integer()),
    },
    { description: "The freeze of the account's contract. `simulated` in test mode." },
  ),
  blocked: Type.Object({
    payments_canceled: Type.Integer({
      description:
        "The payments that waited for an approval or a capture. Purser cancels them shortly after the freeze.",
    }),
    user_ops_dropped: Type.Integer(),
    user_ops_already_mined: Type.Integer(),
  }),
  proof: RevocationProof,
});
export type FreezeReport = Static<typeof FreezeReport>;

/**
 * Freezes a wallet in the database and on its chain. Test mode has no chain: the freeze on the chain is simulated. In live
 * mode, commits the freeze in the database, then throws `network_unavailable`, because this version cannot call a chain.
 */
export async function freezeWalletOnChain(
  app: Pick<App, "db" | "clock" | "signer">,
  command: FreezeWallet,
  saveResponse: SaveResponse<FreezeReport>,
): Promise<FreezeReport> {
  const { tenantId, mode, walletId } = command.key;
  const report = await withTransaction(app.db, tenantId, async (tx) => {
    const at = app.clock.now();
    const isTest = mode === "test";
    const frozen = await freezeInTransaction(tx, command, { at, simulatesChain: isTest });
    if (!isTest) return undefined;
    const wallet = frozen.find((each) => each.walletId === walletId);
    invariant(wallet !== undefined, "the wallet that the caller names is frozen");
    const walletIds = frozen.map((each) => each.walletId);
    const body = {
      wallet_id: wallet.walletId,
      mode: wallet.mode,
      status: wallet.status,
      freeze: presentFreeze(wallet),
      onchain: {
        status: wallet.onchainFreeze,
        user_op_hash: null,
        tx_hash: null,
        block_number: null,
      },
      blocked: {
        payments_canceled: await countWaitingPayments(tx, { tenantId, walletIds, at }),
        user_ops_dropped: 0,
        user_ops_already_mined: 0,
      },
    };
    const signed = {
      ...body,
      proof: proveRevocation(app.signer, PROOF_DOMAIN, newId("rev"), body),
    };
    await saveResponse(tx, signed);
    return signed;
  });
  if (report !== undefined) return report;
  throw new AppError("network_unavailable", {
    detail:
      "The wallet is frozen in Purser, but its network cannot be used now, so its account is not frozen on the chain. Try again later.",
  });
}
