import type { App } from "../../app.ts";
import { AppError, type InvalidField, invalidField } from "../../foundation/errors.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import type { HolderType } from "../../foundation/vocabulary.ts";
import { type BankDetails, type BankHolder, readBankRecord } from "../../pii/bank-records.ts";
import type { BankAccount, BankAccountOwner, BankLink, PostalAddress } from "../../ports/bank-link.ts";
import { isFailure } from "../../ports/vendor-error.ts";
import { vendorFailure } from "./fiat-accounts.ts";
import type { FiatScope } from "./queries.ts";
import { requireBankLink } from "./vendor-access.ts";

/** The score from which Plaid itself calls two names equal (https://plaid.com/docs/api/products/identity/#identitymatch). */
const MATCH_SCORE_MIN = 70;

/** The holder as the caller names it. What is missing comes from the bank. */
export interface GivenHolder {
  readonly type: HolderType | undefined;
  readonly legalName: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly address: PostalAddress | undefined;
}

/** What the bank says about an account. */
export interface BankEvidence {
  readonly account: BankAccount;
  readonly institutionName: string | null;
  readonly details: BankDetails;
  readonly accessToken: string;
}

interface EvidenceOf {
  readonly exchanged: { readonly accountId: FiatAccountId; readonly link: { readonly holderType: HolderType } };
  readonly account: { readonly vendorAccountId: string; readonly holder: GivenHolder | null };
}

/**
 * Reads the account, its bank and its owner. Throws a 422 if the account cannot be used, if its owner has another name than
 * the caller says, or if a detail of the holder is known to neither; and `provider_unavailable`.
 */
export async function readEvidence(
  app: Pick<App, "piiDb" | "clock" | "keyEncryptionKey" | "bankLink">,
  scope: FiatScope,
  { exchanged, account: { vendorAccountId, holder: given } }: EvidenceOf,
): Promise<BankEvidence> {
  const bankLink = requireBankLink(app, scope.mode);
  const record = await readBankRecord(app, scope, exchanged.accountId);
  if (record === undefined) throw new AppError("bank_link_not_found", { internal: "the link was discarded" });
  const { accessToken } = record;
  const key = { accessToken, accountId: vendorAccountId };
  const account = await readAccount(bankLink, key);
  const { institutionName } = await bankLink.readItem(accessToken).catch(vendorFailure);
  if (given?.legalName !== undefined) await requireOwner(bankLink, { ...key, legalName: given.legalName });
  const known = isComplete(given) ? null : await bankLink.readOwner(key).catch(vendorFailure);
  const holder = holderOf(given, known, exchanged.link.holderType);
  return { account, institutionName, accessToken, details: { holder, numbers: account.numbers } };
}

async function readAccount(bankLink: BankLink, key: Parameters<BankLink["readAccount"]>[0]): Promise<BankAccount> {
  const account = await bankLink.readAccount(key).catch((error: unknown) => {
    if (isFailure(error, "not_found")) throw new AppError("bank_link_not_found", { cause: error });
    return vendorFailure(error);
  });
  const isUsable = account.type === "depository" && ["checking", "savings"].includes(account.subtype ?? "");
  if (isUsable) return account;
  throw invalidField("/body/account_id", "unsupported", "is neither a checking nor a savings account");
}

async function requireOwner(bankLink: BankLink, owner: Parameters<BankLink["matchOwnerName"]>[0]): Promise<void> {
  const score = await bankLink.matchOwnerName(owner).catch(vendorFailure);
  if (score !== null && score >= MATCH_SCORE_MIN) return;
  const detail = "is not the name of the account's owner at the bank";
  throw invalidField("/body/account_holder/legal_name", "owner_mismatch", detail);
}

function isComplete(given: GivenHolder | null): boolean {
  return given?.legalName !== undefined && given.email !== undefined && given.address !== undefined;
}

function holderOf(given: GivenHolder | null, known: BankAccountOwner | null, type: HolderType): BankHolder {
  const legalName = given?.legalName ?? known?.legalName ?? null;
  const email = given?.email ?? known?.email ?? null;
  const address = given?.address ?? known?.address ?? null;
  if (legalName === null || email === null || address === null) {
    throw new AppError("validation_error", { errors: missingOf({ legal_name: legalName, email, address }) });
  }
  return { type: given?.type ?? type, legalName, email, phone: given?.phone ?? known?.phone ?? null, address };
}

function missingOf(fields: Readonly<Record<string, unknown>>): InvalidField[] {
  return Object.entries(fields)
    .filter(([, value]) => value === null)
    .map(([name]) => ({
      pointer: `/body/account_holder/${name}`,
      code: "required",
      detail: "is required, because the bank does not know it",
    }));
}
