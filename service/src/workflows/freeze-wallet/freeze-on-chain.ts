import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId, type WalletId } from "../../foundation/ids.ts";
import { ONCHAIN_FREEZE_STATUSES, WALLET_STATUSES } from "../../foundation/vocabulary.ts";
import { Count, ModeName, NamedObject, Nullable } from "../../foundation/wire/fields.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { type FreezeWallet, freezeInTransaction } from "../../modules/wallets/freezes/freeze-wallets.ts";
import { countOpenOperations, countWaitingPayments } from "../../modules/wallets/freezes/queries.ts";
import { type WalletKey, walletRows } from "../../modules/wallets/queries.ts";
import { presentFreeze, WalletFreeze } from "../../modules/wallets/wallet-resource.ts";
import { getWallet } from "../../modules/wallets/wallets.ts";
import { proveRevocation, RevocationProof } from "../../revocations/revocations.ts";
import { advanceUntil } from "../operator-transactions/send-transactions.ts";

const PROOF_DOMAIN = "purser-wallet-freeze-v1";

export const FreezeReport = NamedObject("WalletFreezeReport", {
  wallet_id: Type.String(),
  mode: ModeName,
  status: Type.Enum([...WALLET_STATUSES]),
  freeze: WalletFreeze,
  onchain: Type.Object(
    {
      status: Type.Enum([...ONCHAIN_FREEZE_STATUSES]),
      user_op_hash: Nullable(Type.String(), "Always null: a freeze is a transaction of Purser, not of the account."),
      tx_hash: Nullable(Type.String(), "The transaction. It can change until the freeze is `confirmed`."),
      block_number: Nullable(Type.Integer()),
    },
    {
      description:
        "The freeze of the account's contract: `confirmed` once a block contains it, `pending` until then, `failed` after 10 minutes. `simulated` in test mode.",
    },
  ),
  blocked: Type.Object({
    payments_canceled: Count(
      "The payments that waited for an approval, a capture or their turn. Purser cancels them shortly after the freeze.",
    ),
    user_ops_dropped: Count(
      "The operations that were being signed or sent, and were in no block. The freeze on the chain ends them.",
    ),
    user_ops_already_mined: Count(
      "The operations that were in a block that was not final yet. Their payments are made.",
    ),
  }),
  proof: RevocationProof,
});
export type FreezeReport = Static<typeof FreezeReport>;

/** A freeze on a chain. Its report is made anew from it each time. */
export interface ChainFreeze {
  readonly walletId: WalletId;
  readonly revocationId: string;
  readonly blocked: FreezeReport["blocked"];
}

/**
 * Freezes a wallet in the database, and queues the freeze of its account on the chain in the same transaction. Then waits until a
 * block contains that, for `PURSER_SYNC_WAIT_MS` at most. A job continues. Test mode has no chain: the freeze there is simulated.
 */
export async function freezeWalletOnChain(
  app: App,
  command: FreezeWallet,
  saveResponse: SaveResponse<ChainFreeze>,
): Promise<ChainFreeze> {
  const { tenantId, walletId } = command.key;
  const chainFreeze = await withTransaction(app.db, tenantId, async (tx) => {
    const at = app.clock.now();
    const frozen = await freezeInTransaction(tx, command, { at, onchain: true });
    const walletIds = frozen.map((each) => each.walletId);
    const operations = await countOpenOperations(tx, { tenantId, walletIds });
    const blocked = {
      payments_canceled: await countWaitingPayments(tx, { tenantId, walletIds, at }),
      user_ops_dropped: operations.inNoBlock,
      user_ops_already_mined: operations.inBlock,
    };
    const reference = { walletId, revocationId: newId("rev"), blocked };
    await saveResponse(tx, reference);
    return reference;
  });
  const { network } = await walletRows.get(app.db, { tenantId, walletId });
  await advanceUntil(app, { tenantId, walletId, network }, async () => {
    const { onchainFreeze } = await walletRows.get(app.db, { tenantId, walletId });
    return onchainFreeze !== "pending";
  });
  return chainFreeze;
}

/** Returns the report of a freeze as the wallet is now, with its proof. Throws `wallet_not_found`. */
export async function reportChainFreeze(
  app: Pick<App, "db" | "signer">,
  key: WalletKey,
  { revocationId, blocked }: ChainFreeze,
): Promise<FreezeReport> {
  const wallet = await getWallet(app.db, key);
  const freeze = presentFreeze(wallet);
  const body = {
    ...{ wallet_id: wallet.walletId, mode: wallet.mode, status: wallet.status, freeze },
    ...{ onchain: { ...freeze.onchain, user_op_hash: null }, blocked },
  };
  return { ...body, proof: proveRevocation(app.signer, PROOF_DOMAIN, revocationId, body) };
}
