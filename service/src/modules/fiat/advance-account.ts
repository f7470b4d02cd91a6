import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type DueWork, type Finish, scheduleWork } from "../../due-work/due-work.ts";
import type { DueItem } from "../../due-work/queries.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import {
  type BankDetails,
  bankRecordKey,
  openPiiVault,
  readBankRecord,
  storeBankRecord,
} from "../../pii/bank-records.ts";
import { forgetBankRecord } from "../../pii/queries.ts";
import { advanceCustomer, isIdentified, releaseHolder } from "./customer.ts";
import { registerExternalAccount } from "./external-account.ts";
import { type FiatAccount, type FiatCustomer, type FiatScope, fiatAccountRows, fiatCustomerRows } from "./queries.ts";
import { recordFiatAccountChange } from "./record-account-change.ts";
import { openRamp, requireBankLink } from "./vendor-access.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The least and the longest pause while something is open, such as the holder's identification. */
const POLL_MS = { min: 30 * SECOND_MS, max: HOUR_MS };

/** The work of taking an account as far as its vendors are. Its subject is the mode and the account's id. */
export const ADVANCE_ACCOUNT = { kind: "advance-fiat-accounts" };

export function advanceSubject({ mode, accountId }: Pick<FiatAccount, "mode" | "accountId">): string {
  return `${mode} ${accountId}`;
}

/**
 * Reads from the vendors what has changed about an account: whether it is verified, whether the bank wants a new login, and how
 * far its holder is identified. Registers the account with the ramp vendor. Removes an account that was removed, or a login that
 * became no account.
 */
export const advanceFiatAccounts: DueWork = {
  ...ADVANCE_ACCOUNT,
  everyMs: SECOND_MS,
  idleEveryMs: 10 * SECOND_MS,
  retryMs: { first: 5 * SECOND_MS, max: HOUR_MS },
  stopsAtFailure: true,
  run: advance,
  giveUp: {
    afterMs: DAY_MS,
    finish: async (app, item) => {
      const { scope, accountId, account } = await findSubject(app, item);
      const dueAt = app.clock.now();
      return account === undefined || account.status === "removed"
        ? (tx) => forget(tx, scope, accountId)
        : (tx) => scheduleWork(tx, ADVANCE_ACCOUNT, { ...item, dueAt });
    },
  },
};

async function findSubject({ db }: Pick<App, "db">, { tenantId, subject }: DueItem) {
  const [mode, accountId] = subject.split(" ") as [Mode, FiatAccountId];
  return { scope: { tenantId, mode }, accountId, account: await fiatAccountRows.find(db, { tenantId, accountId }) };
}

async function advance(app: App, item: DueItem): Promise<Finish | undefined> {
  const { scope, accountId, account } = await findSubject(app, item);
  const customer = await fiatCustomerRows.find(app.db, scope);
  if (account === undefined || account.status === "removed") {
    await removeAtVendors(app, scope, { accountId, account, customer });
    return (tx) => forget(tx, scope, accountId);
  }
  invariant(customer !== undefined, "a linked account has a holder");
  const record = await readBankRecord(app, scope, accountId);
  // The account was removed in the meantime.
  if (record === undefined || record.details === null) return undefined;
  const { accessToken } = record;
  const change = await readAccountChange(app, account, accessToken);
  const details = { ...record.details, numbers: change.numbers ?? record.details.numbers };
  if (change.numbers !== null) await storeNumbers(app, scope, { accountId, details, accessToken });
  const identified = await advanceCustomer(app, customer, details.holder);
  const externalAccountId = account.externalAccountId ?? (await register(app, identified, { account, details }));
  const after = { ...account, ...change.columns, externalAccountId };
  const dueAt = nextDueAt(app.clock.now(), after, identified);
  return async (tx) => {
    await saveAccount(tx, app, { after, customer: identified });
    await scheduleWork(tx, ADVANCE_ACCOUNT, { ...item, dueAt });
  };
}

function register(
  app: App,
  customer: FiatCustomer,
  { account, details }: { readonly account: FiatAccount; readonly details: BankDetails },
): Promise<string | null> {
  return registerExternalAccount(app, customer, { ...account, details });
}

type AccountColumns = Partial<Pick<FiatAccount, "status" | "verificationStatus" | "relinkRequiredAt">>;

interface AccountChange {
  readonly columns: AccountColumns;
  /** The account's numbers, if it has just been verified. */
  readonly numbers: BankDetails["numbers"];
}

async function readAccountChange(app: App, account: FiatAccount, accessToken: string): Promise<AccountChange> {
  const bankLink = requireBankLink(app, account.mode);
  if (account.status === "disabled") return { columns: {}, numbers: null };
  if (account.status === "pending_verification") {
    const { numbers, verificationStatus } = await bankLink.readAccount({
      accessToken,
      accountId: account.vendorAccountId,
    });
    if (verificationStatus === "failed") {
      return { columns: { status: "disabled", verificationStatus }, numbers: null };
    }
    if (numbers === null) return { columns: {}, numbers };
    return { columns: { status: "verified", verificationStatus: "automatically_verified" }, numbers };
  }
  const { errorCode } = await bankLink.readItem(accessToken);
  const status = errorCode === null ? "verified" : "relink_required";
  if (status === account.status) return { columns: {}, numbers: null };
  const relinkRequiredAt = status === "verified" ? null : app.clock.now();
  return { columns: { status, relinkRequiredAt }, numbers: null };
}

/** Stores the numbers before the account is registered with them, so that a crash does not lose them. */
async function storeNumbers(
  app: App,
  scope: FiatScope,
  {
    accountId,
    details,
    accessToken,
  }: { readonly accountId: FiatAccountId; readonly details: BankDetails; readonly accessToken: string },
): Promise<void> {
  const vault = await openPiiVault(app, scope);
  await withTransaction(app.db, scope.tenantId, async (tx) => {
    const account = await fiatAccountRows.lock(tx, { ...scope, accountId });
    if (account?.status === "removed") return;
    await storeBankRecord(tx, vault, bankRecordKey(scope, accountId), { details, accessToken });
  });
}

async function saveAccount(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { after, customer }: { readonly after: FiatAccount; readonly customer: FiatCustomer },
): Promise<void> {
  const before = await fiatAccountRows.lockAndGet(tx, after);
  const at = clock.now();
  if (before.status === "removed") {
    // It was registered meanwhile, and must be removed there too.
    if (before.externalAccountId === after.externalAccountId) return;
    await fiatAccountRows.update(tx, after, { externalAccountId: after.externalAccountId });
    const { tenantId } = after;
    return scheduleWork(tx, ADVANCE_ACCOUNT, { tenantId, subject: advanceSubject(after), dueAt: at });
  }
  const { status, verificationStatus, relinkRequiredAt, externalAccountId } = after;
  const account = await fiatAccountRows.updateAndGet(tx, after, {
    ...{ status, verificationStatus, relinkRequiredAt, externalAccountId },
    updatedAt: at,
  });
  const isNews = status === "verified" || status === "relink_required" || status === "disabled";
  if (!isNews || status === before.status) return;
  await recordFiatAccountChange(tx, systemActor(after), { account, customer }, { change: status, at });
}

/** While something is open, soon, and less often the longer it takes. Otherwise once a day, should the vendor's report be lost. */
function nextDueAt(now: Date, account: FiatAccount, customer: FiatCustomer): Date {
  const { status, relinkRequiredAt, createdAt } = account;
  const isOpen = status === "pending_verification" || status === "relink_required" || !isIdentified(customer);
  const ageMs = now.getTime() - (relinkRequiredAt ?? createdAt).getTime();
  const pauseMs = isOpen ? Math.min(POLL_MS.max, Math.max(POLL_MS.min, ageMs / 10)) : DAY_MS;
  return new Date(now.getTime() + pauseMs);
}

interface RemoveAtVendors {
  readonly accountId: FiatAccountId;
  readonly account: FiatAccount | undefined;
  readonly customer: FiatCustomer | undefined;
}

async function removeAtVendors(
  app: App,
  scope: FiatScope,
  { accountId, account, customer }: RemoveAtVendors,
): Promise<void> {
  const record = await readBankRecord(app, scope, accountId);
  if (record !== undefined) await requireBankLink(app, scope.mode).removeItem(record.accessToken);
  const externalAccountId = account?.externalAccountId ?? null;
  const customerId = customer?.rampCustomerId ?? null;
  if (customer === undefined || externalAccountId === null || customerId === null) return;
  const ramp = await openRamp(app, scope, customer.rampOwner);
  await ramp.removeExternalAccount({ customerId, externalAccountId });
}

async function forget(tx: Tx, scope: FiatScope, accountId: FiatAccountId): Promise<void> {
  await forgetBankRecord(tx, bankRecordKey(scope, accountId));
  // A discarded login has no account.
  const account = await fiatAccountRows.lock(tx, { ...scope, accountId });
  if (account !== undefined) await fiatAccountRows.update(tx, account, { externalAccountId: null });
  await releaseHolder(tx, scope);
}
