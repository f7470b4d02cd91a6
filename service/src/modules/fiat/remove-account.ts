import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { AppError } from "../../foundation/errors.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import { bankRecordKey } from "../../pii/bank-records.ts";
import { forgetHolder } from "../../pii/queries.ts";
import { ADVANCE_ACCOUNT, advanceSubject } from "./advance-account.ts";
import { expireQuotesOf, hasOpenConversions } from "./conversions/queries.ts";
import { type FiatLink, fiatAccountRows, fiatCustomerRows, fiatLinkRows, type HeldAccount } from "./queries.ts";
import { recordAccountChange } from "./record-account-change.ts";

/**
 * Removes an account, and destroys the personal data of its holder. The access token is destroyed once the vendors have removed
 * the account too, which a job does. Throws `fiat_account_not_found`.
 */
export async function removeAccount(
  app: Pick<App, "db" | "clock">,
  { actor, accountId }: { readonly actor: Actor; readonly accountId: FiatAccountId },
): Promise<HeldAccount> {
  const { tenantId, mode } = actor;
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    // Conversions are locked before their account.
    await expireQuotesOf(tx, { tenantId, accountId, at });
    const before = await fiatAccountRows.lock(tx, { tenantId, accountId });
    if (before === undefined || before.mode !== mode || before.status === "removed") {
      throw new AppError("fiat_account_not_found");
    }
    if (await hasOpenConversions(tx, tenantId, accountId)) {
      throw new AppError("conflict", {
        detail: "A conversion that uses this account has not ended. Wait for it, or cancel it.",
      });
    }
    const account = await fiatAccountRows.updateAndGet(tx, before, { status: "removed", updatedAt: at });
    await forgetHolder(tx, bankRecordKey(actor, accountId));
    await scheduleWork(tx, ADVANCE_ACCOUNT, { tenantId, subject: advanceSubject(account), dueAt: at });
    const held = { account, customer: await fiatCustomerRows.get(tx, account) };
    await recordAccountChange(tx, actor, held, { change: "removed", at });
    return held;
  });
}

/** Ends a link whose bank account cannot be used. A job removes the login at the vendor, and the access token. */
export async function discardLink(
  { db, clock }: Pick<App, "db" | "clock">,
  { tenantId, mode }: Actor,
  { link, accountId }: { readonly link: FiatLink; readonly accountId: FiatAccountId },
): Promise<void> {
  const at = clock.now();
  await withTransaction(db, tenantId, async (tx) => {
    await fiatLinkRows.update(tx, link, { usedAt: at });
    await scheduleWork(tx, ADVANCE_ACCOUNT, { tenantId, subject: advanceSubject({ mode, accountId }), dueAt: at });
  });
}
