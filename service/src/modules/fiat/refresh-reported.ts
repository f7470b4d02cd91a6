import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import type { VendorObject } from "../vendor-webhooks/reported-object.ts";
import { ADVANCE_ACCOUNT, advanceSubject } from "./advance-account.ts";
import { requireScreening } from "./bank-link-access.ts";
import { saveKycLink, saveScreening } from "./customer.ts";
import { type FiatAccount, type FiatScope, listAccounts, listAccountsOfItem, listCustomersOf } from "./queries.ts";
import { openRamp } from "./ramp-access.ts";

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
  for (const { account } of await listAccounts(app.db, scope)) await advanceNow(app, account);
}

async function advanceNow({ db, clock }: App, account: FiatAccount): Promise<void> {
  const { tenantId } = account;
  const work = { tenantId, subject: advanceSubject(account), dueAt: clock.now() };
  await withTransaction(db, tenantId, (tx) => scheduleWork(tx, ADVANCE_ACCOUNT, work));
}
