import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { type FiatAccountId, newId } from "../../foundation/ids.ts";
import type { BankVerificationMethod, HolderType } from "../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { readBankRecord } from "../../pii/bank-records.ts";
import type { BankLink } from "../../ports/bank-link.ts";
import { isFailure } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/vault.ts";
import { ADVANCE_ACCOUNT, advanceSubject } from "./advance-account.ts";
import { requireAccount, vendorFailure } from "./fiat-accounts.ts";
import {
  deleteOldestLinks,
  exchangedLinkRows,
  type FiatLink,
  type FiatScope,
  fiatLinkRows,
  listOpenLinks,
} from "./queries.ts";
import { requireBankLink } from "./vendor-access.ts";

interface ChosenAccount {
  readonly publicToken: string;
  readonly vendorAccountId: string;
}

/**
 * Returns the tenant's link with which the user got the public token, and chose the account. The vendor's exchange does not say
 * which link a token belongs to, so its sessions are read first: a token of another tenant is never exchanged. Throws
 * `bank_link_not_found`.
 */
export async function findLinkOf(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "bankLink">,
  { tenantId, mode }: FiatScope,
  { publicToken, vendorAccountId }: ChosenAccount,
): Promise<FiatLink> {
  const bankLink = requireBankLink(app, mode);
  const scope = { tenantId, mode };
  const exchanged = await exchangedLinkRows.find(app.db, { ...scope, publicTokenHash: sha256Hex(publicToken) });
  if (exchanged !== undefined && exchanged.usedAt === null) return exchanged;
  if (exchanged !== undefined) throw new AppError("bank_link_not_found", { internal: "the public token was used" });
  const vault = await openVault(app, tenantId);
  for (const link of await listOpenLinks(app.db, scope, app.clock.now())) {
    const token = vault.open(linkTokenContext(link.linkId), link.tokenSealed).toString("utf8");
    const items = await bankLink.readLinkToken(token).catch(vendorFailure);
    const item = items.find((one) => one.publicToken === publicToken);
    if (item?.accountIds.includes(vendorAccountId)) return link;
  }
  throw new AppError("bank_link_not_found", { internal: "no open link of the tenant has this public token" });
}

/** How long a user takes to log in again. */
const RELINK_MS = 60_000;
const WEBHOOK_PATH = "/api/v1/svc/vendor-webhooks/plaid";

export interface NewBankLink {
  readonly language: string;
  readonly redirectUri: string | null;
  readonly accountSubtypes: readonly ("checking" | "savings")[];
  readonly holderType: HolderType;
  readonly verificationMethod: BankVerificationMethod;
  readonly webhookRef: string | null;
  /** The account to link again. Null for a new one. */
  readonly accountId: FiatAccountId | null;
}

interface LinkToken {
  readonly linkToken: string;
  readonly expiresAt: Date;
}

type LinkApp = Pick<App, "db" | "clock" | "settings" | "keyEncryptionKey" | "vaults" | "piiDb" | "bankLink">;

/**
 * Creates a link token, with which a user links a bank account in the browser. Ten can be open; the oldest is dropped. Throws
 * `fiat_account_not_found`, `provider_not_configured`, `provider_unavailable`, and a 422 for a redirect URI that the vendor
 * refuses.
 */
export async function linkAccount(
  app: LinkApp,
  { actor, link }: { readonly actor: Actor; readonly link: NewBankLink },
  saveResponse: SaveResponse<{ readonly linkId: string }>,
): Promise<{ readonly linkId: string }> {
  const { tenantId, mode } = actor;
  const bankLink = requireBankLink(app, mode);
  const accessToken = await findAccessToken(app, actor, link.accountId);
  const vault = await openVault(app, tenantId);
  const token = await createToken(app, bankLink, { actor, link, accessToken });
  const linkId = newId("bl");
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    await fiatLinkRows.insert(tx, {
      ...{ tenantId, linkId, mode, relinkedAccountId: link.accountId, holderType: link.holderType },
      ...{ verificationMethod: link.verificationMethod, webhookRef: link.webhookRef },
      tokenSealed: vault.seal(linkTokenContext(linkId), token.linkToken),
      ...{ expiresAt: token.expiresAt, createdAt: at },
    });
    await deleteOldestLinks(tx, { tenantId, mode });
    if (link.accountId !== null) {
      // Plaid does not report that a user has repaired a login with our own link.
      const work = { tenantId, subject: advanceSubject({ mode, accountId: link.accountId }) };
      await scheduleWork(tx, ADVANCE_ACCOUNT, { ...work, dueAt: new Date(at.getTime() + RELINK_MS) });
    }
    await appendAuditEntry(tx, actor, {
      action: "fiat_link.created",
      subject: { type: "fiat_link", id: linkId },
      facts: { account_id: link.accountId, verification_method: link.verificationMethod },
      occurredAt: at,
    });
    await saveResponse(tx, { linkId });
    return { linkId };
  });
}

/** Returns the token of a link. Returns undefined if the link was dropped. */
export async function openLinkToken(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { tenantId }: Pick<Actor, "tenantId">,
  linkId: string,
): Promise<LinkToken | undefined> {
  const link = await fiatLinkRows.find(app.db, { tenantId, linkId });
  if (link === undefined) return undefined;
  const vault = await openVault(app, tenantId);
  const linkToken = vault.open(linkTokenContext(linkId), link.tokenSealed).toString("utf8");
  return { linkToken, expiresAt: link.expiresAt };
}

/** The encryption context of a link token. */
export function linkTokenContext(linkId: string) {
  return { kind: "fiat_link", subject: linkId, field: "token", version: 1 };
}

async function findAccessToken(app: LinkApp, actor: Actor, accountId: FiatAccountId | null): Promise<string | null> {
  if (accountId === null) return null;
  await requireAccount(app.db, actor, accountId);
  const record = await readBankRecord(app, actor, accountId);
  // The account was unlinked while it was read.
  if (record === undefined) throw new AppError("fiat_account_not_found");
  return record.accessToken;
}

async function createToken(
  { settings }: LinkApp,
  bankLink: BankLink,
  {
    actor: { tenantId },
    link,
    accessToken,
  }: { readonly actor: Actor; readonly link: NewBankLink; readonly accessToken: string | null },
): Promise<LinkToken> {
  const { language, redirectUri, accountSubtypes, verificationMethod } = link;
  try {
    return await bankLink.createLinkToken({
      ...{ language, redirectUri, accountSubtypes, verificationMethod, accessToken },
      clientUserId: tenantId,
      webhookUrl: settings.publicUrl + WEBHOOK_PATH,
    });
  } catch (error) {
    if (redirectUri === null || !isFailure(error, "refused")) return vendorFailure(error);
    throw invalidField("/body/redirect_uri", "refused", "was refused by Plaid. Register it in Plaid's dashboard first");
  }
}
