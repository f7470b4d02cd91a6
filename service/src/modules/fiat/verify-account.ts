import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import { cancelWork, scheduleWork } from "../../due-work/due-work.ts";
import { AppError } from "../../foundation/errors.ts";
import { type FiatAccountId, newId } from "../../foundation/ids.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { bankRecordKey, openPiiVault, storeBankRecord } from "../../pii/bank-records.ts";
import type { BankAccount } from "../../ports/bank-link.ts";
import { isFailure, VendorError } from "../../ports/vendor-error.ts";
import type { TenantVault } from "../../vault/vault.ts";
import { ADVANCE_ACCOUNT, advanceSubject } from "./advance-account.ts";
import { type BankEvidence, type GivenHolder, readEvidence } from "./bank-evidence.ts";
import { findLinkOf } from "./bank-link.ts";
import { advanceCustomer, type CustomerApp } from "./customer.ts";
import { registerExternalAccount } from "./external-account.ts";
import { discardLink, vendorFailure } from "./fiat-accounts.ts";
import {
  countAccounts,
  type FiatAccount,
  type FiatCustomer,
  type FiatLink,
  fiatAccountRows,
  fiatCustomerRows,
  fiatLinkRows,
  type HeldAccount,
} from "./queries.ts";
import { recordFiatAccountChange } from "./record-account-change.ts";
import { getRampOwner, openRamp, requireBankLink } from "./vendor-access.ts";

const HOUR_MS = 3_600_000;

const VERIFIED = { status: "verified", verificationStatus: "automatically_verified" } as const;
const PENDING = { status: "pending_verification", verificationStatus: "pending" } as const;

export interface NewAccount {
  readonly publicToken: string;
  /** The vendor's id of the account that the user chose. */
  readonly vendorAccountId: string;
  readonly holder: GivenHolder | null;
  readonly consentVersion: string | null;
}

type VerifyApp = CustomerApp & Pick<App, "log" | "piiDb" | "bankLink" | "settings">;

/** A public token that was exchanged. The account exists once it is verified; until then it has only an id. */
interface ExchangedLink {
  readonly link: FiatLink;
  readonly accountId: FiatAccountId;
  readonly itemId: string;
  readonly vault: TenantVault;
}

/**
 * Exchanges the public token of a link of this tenant, checks the owner, stores the personal data, and starts the holder's
 * identification. The order is such that it can be repeated after each vendor call, until there is an account: a public token
 * can be exchanged only once, so the access token is stored first. What is never finished is removed after an hour.
 */
export async function verifyAccount(
  app: VerifyApp,
  { actor, account }: { readonly actor: Actor; readonly account: NewAccount },
  saveResponse: SaveResponse<HeldAccount>,
): Promise<HeldAccount> {
  const owner = await getRampOwner(app.db, actor);
  await openRamp(app, actor, owner);
  const link = await findLinkOf(app, actor, account);
  if (link.accountId === null) await requireRoom(app, actor);
  const exchanged = await exchange(app, { actor, link, account });
  try {
    const evidence = await readEvidence(app, actor, { exchanged, account });
    const customer = await storeHolder(app, { actor, exchanged, evidence, owner });
    const identified = await tryToAdvance(app, customer, evidence);
    const externalAccountId = await tryToRegister(app, identified, { exchanged, evidence });
    const saved = { actor, account, exchanged, evidence, customer: identified, externalAccountId };
    return await storeAccount(app, saved, saveResponse);
  } catch (error) {
    if (isAboutBankAccount(error)) await discardLink(app, actor, exchanged);
    throw error;
  }
}

/** Returns true if only another bank account can help. After any other error the same request can be corrected or repeated. */
function isAboutBankAccount(error: unknown): boolean {
  const codes = error instanceof AppError ? error.errors.map(({ code }) => code) : [];
  return codes.includes("owner_mismatch") || codes.includes("unsupported");
}

async function requireRoom({ db }: Pick<App, "db">, actor: Actor): Promise<void> {
  const { max } = QUOTAS.fiatAccounts;
  if ((await countAccounts(db, actor)) < max) return;
  throw new AppError("conflict", { detail: `There are ${max} bank accounts. Remove one first.` });
}

/** Exchanges the public token, and stores the access token before anything else. */
async function exchange(
  app: VerifyApp,
  { actor, link, account }: { readonly actor: Actor; readonly link: FiatLink; readonly account: NewAccount },
): Promise<ExchangedLink> {
  const { tenantId, mode } = actor;
  const vault = await openPiiVault(app, actor);
  if (link.accountId !== null && link.itemId !== null) {
    return { link, accountId: link.accountId, itemId: link.itemId, vault };
  }
  const { accessToken, itemId } = await requireBankLink(app, mode)
    .exchangePublicToken(account.publicToken)
    .catch((error: unknown) => {
      if (isFailure(error, "refused")) throw new AppError("bank_link_not_found", { cause: error });
      return vendorFailure(error);
    });
  const accountId = newId("ba");
  const dueAt = new Date(app.clock.now().getTime() + HOUR_MS);
  const store = async (vault: TenantVault) => {
    await withTransaction(app.db, tenantId, async (tx) => {
      const publicTokenHash = sha256Hex(account.publicToken);
      await fiatLinkRows.update(tx, link, { publicTokenHash, accountId, itemId });
      await storeBankRecord(tx, vault, bankRecordKey(actor, accountId), { details: null, accessToken });
      await scheduleWork(tx, ADVANCE_ACCOUNT, { tenantId, subject: advanceSubject({ mode, accountId }), dueAt });
    });
    return { link, accountId, itemId, vault };
  };
  // The vault's key is destroyed with its last record, which can happen during the exchange. The token must not be lost.
  return store(vault).catch(async () => store(await openPiiVault(app, actor)));
}

interface StoreHolder {
  readonly actor: Actor;
  readonly exchanged: ExchangedLink;
  readonly evidence: BankEvidence;
  readonly owner: FiatCustomer["rampOwner"];
}

/** Stores the holder: of the account, and as the one holder of the tenant's accounts. Throws `conflict` for another one. */
async function storeHolder(
  app: VerifyApp,
  { actor, exchanged: { accountId, vault }, evidence: { details, accessToken }, owner: rampOwner }: StoreHolder,
): Promise<FiatCustomer> {
  const { tenantId, mode } = actor;
  const { type: holderType, legalName } = details.holder;
  const nameHash = vault.fingerprint(legalName.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim());
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    const fresh = { tenantId, mode, customerId: newId("fcu"), holderType, nameHash, rampOwner };
    await fiatCustomerRows.insertIfNew(tx, { ...fresh, createdAt: at, updatedAt: at });
    const customer = await fiatCustomerRows.lockAndGet(tx, actor);
    requireSameHolder(customer, fresh);
    await storeBankRecord(tx, vault, bankRecordKey(actor, accountId), { details, accessToken });
    return customer;
  });
}

type Holder = Pick<FiatCustomer, "nameHash" | "holderType">;

function requireSameHolder(present: Holder, other: Holder): void {
  if (present.nameHash === other.nameHash && present.holderType === other.holderType) return;
  throw new AppError("conflict", {
    detail:
      "Your bank accounts must have one holder, and this account has another name or type. Remove the accounts of the present holder first.",
  });
}

/** Starts the identification. If a vendor does not respond, the job goes on later. */
async function tryToAdvance(app: VerifyApp, customer: FiatCustomer, evidence: BankEvidence): Promise<FiatCustomer> {
  return (await unlessVendorFails(app, () => advanceCustomer(app, customer, evidence.details.holder))) ?? customer;
}

async function tryToRegister(
  app: VerifyApp,
  customer: FiatCustomer,
  { exchanged, evidence }: { readonly exchanged: ExchangedLink; readonly evidence: BankEvidence },
): Promise<string | null> {
  const { account, details, institutionName } = evidence;
  const target = { accountId: exchanged.accountId, subtype: subtypeOf(account), institutionName };
  return (await unlessVendorFails(app, () => registerExternalAccount(app, customer, { ...target, details }))) ?? null;
}

async function unlessVendorFails<Result>(
  { log }: Pick<App, "log">,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    log.warn({ message: error.message, vendorMessage: error.vendorMessage }, "a bank account is verified later");
    return undefined;
  }
}

function subtypeOf({ subtype }: BankAccount): FiatAccount["subtype"] {
  return subtype === "savings" ? "savings" : "checking";
}

interface StoreAccount {
  readonly actor: Actor;
  readonly account: NewAccount;
  readonly exchanged: ExchangedLink;
  readonly evidence: BankEvidence;
  readonly customer: FiatCustomer;
  readonly externalAccountId: string | null;
}

async function storeAccount(
  app: VerifyApp,
  {
    actor,
    account: { consentVersion },
    exchanged: { link, accountId, itemId },
    evidence: { account, institutionName },
    customer,
    externalAccountId,
  }: StoreAccount,
  saveResponse: SaveResponse<HeldAccount>,
): Promise<HeldAccount> {
  const { tenantId, mode } = actor;
  const at = app.clock.now();
  const isVerified = account.numbers !== null;
  return withTransaction(app.db, tenantId, async (tx) => {
    const locked = await fiatLinkRows.lock(tx, link);
    if (locked === undefined || locked.usedAt !== null) throw new AppError("bank_link_not_found");
    // The holder was released if the last other account was removed in the meantime, and can be another one by now.
    await fiatCustomerRows.insertIfNew(tx, customer);
    const holder = await fiatCustomerRows.lockAndGet(tx, customer);
    requireSameHolder(holder, customer);
    await requireRoom({ db: tx }, actor);
    const stored = await fiatAccountRows.insertAndGet(tx, {
      ...{ tenantId, accountId, mode, itemId, vendorAccountId: account.accountId, institutionName },
      ...{ name: account.name, mask: account.mask, type: account.type, subtype: subtypeOf(account) },
      ...{ verificationMethod: link.verificationMethod, webhookRef: link.webhookRef },
      // An account that was registered for a holder who was released and stored anew belongs to another customer of Bridge.
      externalAccountId: holder.customerId === customer.customerId ? externalAccountId : null,
      ...(isVerified ? VERIFIED : PENDING),
      ...{ createdAt: at, updatedAt: at },
    });
    await fiatLinkRows.update(tx, link, { usedAt: at });
    const held = { account: stored, customer: holder };
    await recordFiatAccountChange(tx, actor, held, {
      change: "linked",
      facts: { consent_version: consentVersion },
      at,
    });
    if (isVerified) await recordFiatAccountChange(tx, actor, held, { change: "verified", at });
    const work = { tenantId, subject: advanceSubject(stored) };
    await cancelWork(tx, ADVANCE_ACCOUNT, work);
    await scheduleWork(tx, ADVANCE_ACCOUNT, { ...work, dueAt: at });
    await saveResponse(tx, held);
    return held;
  });
}
