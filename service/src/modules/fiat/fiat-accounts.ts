import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Db } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { AppError } from "../../foundation/errors.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import { displayNameOf, type VendorName } from "../../foundation/vendors.ts";
import { bankRecordKey } from "../../pii/bank-records.ts";
import { forgetHolder } from "../../pii/queries.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorObject } from "../vendor-webhooks/vendor-webhooks.ts";
import { ADVANCE_ACCOUNT, advanceSubject } from "./advance-account.ts";
import { expireQuotesOf, hasOpenConversions } from "./conversions/queries.ts";
import { saveKycLink, saveScreening } from "./customer.ts";
import {
  type FiatAccount,
  type FiatLink,
  type FiatScope,
  fiatAccountRows,
  fiatCustomerRows,
  fiatLinkRows,
  findAccount,
  type HeldAccount,
  listAccountsOfItem,
  listCustomersOf,
  listFiatAccounts,
} from "./queries.ts";
import { recordFiatAccountChange } from "./record-account-change.ts";
import { openRamp, requireScreening } from "./vendor-access.ts";

/** Returns a linked account. Throws `fiat_account_not_found`. */
export async function requireAccount(db: Db, scope: FiatScope, accountId: FiatAccountId): Promise<HeldAccount> {
  const found = await findAccount(db, scope, accountId);
  if (found === undefined) throw new AppError("fiat_account_not_found");
  return found;
}

/** Throws the caller's error for a vendor's failure. The vendor's own text is only logged. */
export function vendorFailure(error: unknown): never {
  if (!(error instanceof VendorError)) throw error;
  const { vendor, failure, vendorMessage, retryAfterSeconds } = error;
  const name = displayNameOf(vendor as VendorName);
  const context = { internal: `${error.message}: ${vendorMessage ?? ""}`, cause: error };
  if (failure === "unavailable" || failure === "unknown" || failure === "rate_limited") {
    throw new AppError("provider_unavailable", {
      ...context,
      detail: `${name} did not respond. Repeat the request.`,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  const detail = `${name} rejected the request. Include the request_id when you contact support.`;
  throw new AppError("provider_error", { ...context, detail });
}

/** Reads the accounts of a login at a bank that Plaid reported to have changed. */
export async function refreshBankItem(app: App, { mode, objectId }: VendorObject): Promise<void> {
  for (const account of await listAccountsOfItem(app.db, mode, objectId)) await advanceNow(app, account);
}

/** Reads a screening that Plaid reported to have changed. Plaid repeats screenings, so a holder can become listed later. */
export async function refreshScreening(app: App, { mode, objectId }: VendorObject): Promise<void> {
  for (const customer of await listCustomersOf(app.db, mode, { column: "screeningId", id: objectId })) {
    const screening = { type: customer.holderType, screeningId: objectId };
    const status = await requireScreening(app, mode).readScreening(screening);
    await saveScreening(app, customer, { screeningId: objectId, status });
    await advanceAll(app, customer);
  }
}

/** Reads a customer's identification that Bridge reported to have changed. */
export async function refreshKycLink(app: App, { mode, objectId }: VendorObject): Promise<void> {
  for (const customer of await listCustomersOf(app.db, mode, { column: "kycLinkId", id: objectId })) {
    const ramp = await openRamp(app, customer, customer.rampOwner);
    await saveKycLink(app, customer, await ramp.readKycLink(objectId));
    await advanceAll(app, customer);
  }
}

async function advanceAll(app: App, scope: FiatScope): Promise<void> {
  for (const { account } of await listFiatAccounts(app.db, scope)) await advanceNow(app, account);
}

async function advanceNow({ db, clock }: App, account: FiatAccount): Promise<void> {
  const { tenantId } = account;
  const work = { tenantId, subject: advanceSubject(account), dueAt: clock.now() };
  await withTransaction(db, tenantId, (tx) => scheduleWork(tx, ADVANCE_ACCOUNT, work));
}

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
    await recordFiatAccountChange(tx, actor, held, { change: "removed", at });
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
