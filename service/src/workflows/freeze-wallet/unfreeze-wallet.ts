import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { type MoneyAnswer, type MoneyClaim, runClaimedRequest } from "../../idempotency/money/run-money-request.ts";
import { cancelPaymentsOf } from "../../modules/payments/end-waiting-payments.ts";
import { type UnfreezeWallet, unfreezeWallet } from "../../modules/wallets/freezes/unfreeze-wallet.ts";
import { getWallet } from "../../modules/wallets/wallets.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";

type Unfreeze = Omit<UnfreezeWallet, "liftedBy" | "at">;

/**
 * Lifts a developer's freeze of a wallet, in one transaction that also claims the request's Idempotency-Key and signature.
 * A captured request therefore cannot lift a later freeze. Payments that waited when the wallet was frozen are canceled
 * first, so that none of them is made afterwards. Throws `conflict` while a kill switch runs that covers the wallet.
 */
export async function unfreezeAsDeveloper(
  app: App,
  actor: Actor,
  { claim, ...unfreeze }: Unfreeze & { readonly claim: MoneyClaim<void> },
): Promise<MoneyAnswer> {
  await cancelPaymentsOf(app, unfreeze.key);
  return runClaimedRequest(app, claim, async (tx) => {
    const { agentId } = await getWallet(tx, unfreeze.key);
    await assertNotRevoked(tx, actor, { agentIds: [agentId] });
    await unfreezeWallet(tx, actor, { ...unfreeze, liftedBy: "developer", at: app.clock.now() });
  });
}

/** Lifts any freeze of a wallet. Like `unfreezeAsDeveloper`, it cancels waiting payments first. */
export async function unfreezeAsAdmin(
  app: App,
  actor: Actor,
  unfreeze: Unfreeze,
  saveResponse: SaveResponse<void>,
): Promise<void> {
  await cancelPaymentsOf(app, unfreeze.key);
  await withTransaction(app.db, actor.tenantId, async (tx) => {
    await unfreezeWallet(tx, actor, { ...unfreeze, liftedBy: "admin", at: app.clock.now() });
    await saveResponse(tx, undefined);
  });
}
