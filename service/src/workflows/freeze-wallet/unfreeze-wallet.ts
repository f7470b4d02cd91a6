import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { type MoneyAnswer, type MoneyClaim, runClaimedRequest } from "../../idempotency/money/run-money-request.ts";
import { cancelPaymentsOf } from "../../modules/payments/end-waiting-payments.ts";
import { type UnfreezeWallet, unfreezeWallet } from "../../modules/wallets/freezes/unfreeze-wallet.ts";
import { type WalletKey, walletRows } from "../../modules/wallets/queries.ts";
import { getWallet } from "../../modules/wallets/wallets.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { advanceUntil } from "../operator-transactions/send-transactions.ts";

type Unfreeze = Omit<UnfreezeWallet, "liftedBy" | "idempotencyKey" | "at">;

/**
 * Lifts a developer's freeze of a wallet, in one transaction that also claims the request's Idempotency-Key and signature.
 * A captured request therefore cannot lift a later freeze. Payments that waited when the wallet was frozen are canceled
 * first, so that none of them is made afterwards. Throws `conflict` while a kill switch runs that covers the wallet.
 *
 * An account that is frozen on its chain is unfrozen there first. Throws `network_unavailable` if that takes longer than
 * `PURSER_SYNC_WAIT_MS`: a job continues, and the request can be repeated.
 */
export async function unfreezeAsDeveloper(
  app: App,
  actor: Actor,
  { claim, ...unfreeze }: Unfreeze & { readonly claim: MoneyClaim<void> },
): Promise<MoneyAnswer> {
  await cancelPaymentsOf(app, unfreeze.key);
  let isBegun = false;
  const begun = runClaimedRequest(app, claim, async (tx) => {
    const { agentId } = await getWallet(tx, unfreeze.key);
    await assertNotRevoked(tx, actor, { agentIds: [agentId] });
    const request = { liftedBy: "developer", idempotencyKey: claim.call?.idempotencyKey ?? null } as const;
    isBegun = !(await unfreezeWallet(tx, actor, { ...unfreeze, ...request, at: app.clock.now() }));
    // The transaction commits, and the key is free for a repeated request.
    return isBegun ? stillUnfreezing() : undefined;
  });
  return await begun.catch(async (error: unknown) => {
    if (!isBegun) throw error;
    await waitUntilUnfrozen(app, unfreeze.key);
    // The signature was remembered when the unfreezing began.
    return runClaimedRequest(app, { ...claim, signature: undefined }, async () => undefined);
  });
}

/** Lifts any freeze of a wallet. Like `unfreezeAsDeveloper`, it cancels waiting payments first, and waits for the chain. */
export async function unfreezeAsAdmin(
  app: App,
  actor: Actor,
  unfreeze: Unfreeze,
  saveResponse: SaveResponse<void>,
): Promise<void> {
  await cancelPaymentsOf(app, unfreeze.key);
  const isDone = await withTransaction(app.db, actor.tenantId, async (tx) => {
    const request = { liftedBy: "admin", idempotencyKey: null } as const;
    const isLifted = await unfreezeWallet(tx, actor, { ...unfreeze, ...request, at: app.clock.now() });
    if (isLifted) await saveResponse(tx, undefined);
    return isLifted;
  });
  if (isDone) return;
  await waitUntilUnfrozen(app, unfreeze.key);
  await withTransaction(app.db, actor.tenantId, (tx) => saveResponse(tx, undefined));
}

/** Throws `network_unavailable` if the wallet is still frozen after `PURSER_SYNC_WAIT_MS`. */
async function waitUntilUnfrozen(app: App, key: WalletKey): Promise<void> {
  const { network } = await walletRows.get(app.db, key);
  const status = async () => (await walletRows.get(app.db, key)).status;
  await advanceUntil(app, { ...key, network }, async () => (await status()) !== "unfreezing");
  if ((await status()) !== "active") throw stillUnfreezing();
}

function stillUnfreezing(): AppError {
  return new AppError("network_unavailable", {
    detail:
      "The account must be unfrozen on its network first, which is not done yet. The wallet stays frozen until then, and Purser goes on. Repeat the request to see the outcome.",
    retryAfterSeconds: 5,
  });
}
