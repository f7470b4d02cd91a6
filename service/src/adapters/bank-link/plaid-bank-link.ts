import { type Static, type TSchema, Type } from "typebox";
import { Nullable } from "../../foundation/wire/fields.ts";
import type { BankAccount, BankAccountOwner, BankLink, PostalAddress } from "../../ports/bank-link.ts";
import { isFailure, unlessMissing } from "../../ports/vendor-error.ts";
import { VendorId } from "../http-client/vendor-client.ts";
import { createPlaidCaller, type PlaidCaller, type PlaidOptions } from "./call-plaid.ts";

const linkTokenResponse = Type.Object({ link_token: VendorId, expiration: Type.String({ format: "date-time" }) });

const sessionAccounts = Type.Array(Type.Object({ id: Type.Optional(VendorId) }));
const linkSession = Type.Object({
  on_success: Type.Optional(
    Nullable(
      Type.Object({
        public_token: VendorId,
        metadata: Nullable(Type.Object({ accounts: Type.Optional(sessionAccounts) })),
      }),
    ),
  ),
  results: Type.Optional(
    Nullable(
      Type.Object({ item_add_results: Type.Array(Type.Object({ public_token: VendorId, accounts: sessionAccounts })) }),
    ),
  ),
});
const linkTokenState = Type.Object({ link_token: VendorId, link_sessions: Type.Optional(Type.Array(linkSession)) });

const exchangeResponse = Type.Object({ access_token: VendorId, item_id: VendorId });

const account = {
  account_id: VendorId,
  name: Type.String(),
  mask: Nullable(Type.String()),
  type: VendorId,
  subtype: Nullable(VendorId),
  verification_status: Type.Optional(Nullable(VendorId)),
};
const accountsResponse = Type.Object({ accounts: Type.Array(Type.Object(account)) });
const authResponse = Type.Object({
  accounts: Type.Array(Type.Object(account)),
  numbers: Type.Object({
    ach: Type.Array(
      Type.Object({
        account_id: VendorId,
        account: Type.String({ pattern: "^\\d{1,17}$" }),
        routing: Type.String({ pattern: "^\\d{9}$" }),
      }),
    ),
  }),
});

const contacts = Type.Array(Type.Object({ data: Type.String(), primary: Type.Boolean() }));
const addressData = Type.Object({
  street: Type.String(),
  city: Nullable(Type.String()),
  region: Nullable(Type.String()),
  postal_code: Nullable(Type.String()),
  country: Nullable(Type.String()),
});
const owner = Type.Object({
  names: Type.Array(Type.String()),
  emails: contacts,
  phone_numbers: contacts,
  addresses: Type.Array(Type.Object({ data: addressData, primary: Type.Optional(Type.Boolean()) })),
});
const identityResponse = Type.Object({
  accounts: Type.Array(Type.Object({ account_id: VendorId, owners: Type.Array(owner) })),
});
const matchScore = Type.Object({ score: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100 }))) });
const matchResponse = Type.Object({
  accounts: Type.Array(Type.Object({ account_id: VendorId, legal_name: Type.Optional(Nullable(matchScore)) })),
});

const AUTH = { operation: "authGet", path: "/auth/get", schema: authResponse } as const;
const ACCOUNTS = { operation: "accountsGet", path: "/accounts/get", schema: accountsResponse } as const;
const IDENTITY = { operation: "identityGet", path: "/identity/get", schema: identityResponse } as const;
const MATCH = { operation: "identityMatch", path: "/identity/match", schema: matchResponse } as const;

const itemResponse = Type.Object({
  item: Type.Object({
    institution_name: Type.Optional(Nullable(Type.String())),
    error: Nullable(Type.Object({ error_type: VendorId, error_code: VendorId })),
  }),
});
const removeResponse = Type.Object({ request_id: VendorId });

/** Plaid's adapter (https://plaid.com/docs/api/link, https://plaid.com/docs/api/items). */
export function createPlaidBankLink(options: PlaidOptions): BankLink {
  const plaid = createPlaidCaller(options);
  return {
    createLinkToken: (link) => createLinkToken(plaid, link),
    readLinkToken: async (linkToken) => {
      const { link_sessions: sessions = [] } = await plaid.call({
        operation: "linkTokenGet",
        path: "/link/token/get",
        reads: true,
        body: { link_token: linkToken },
        secrets: [linkToken],
        schema: linkTokenState,
        isRequestedObject: (response) => response.link_token === linkToken,
      });
      return sessions.flatMap(linkedItems);
    },
    exchangePublicToken: async (publicToken) => {
      const item = await plaid.call({
        operation: "itemPublicTokenExchange",
        path: "/item/public_token/exchange",
        body: { public_token: publicToken },
        secrets: [publicToken],
        schema: exchangeResponse,
      });
      return { accessToken: item.access_token, itemId: item.item_id };
    },
    readAccount: (asked) => readAccount(plaid, asked),
    readOwner: async (asked) => {
      const answer = await unlessUnsupported(readOfAccount(plaid, IDENTITY, asked));
      return ownerOf(answer && requireAccount(plaid, IDENTITY, answer.accounts, asked).owners[0]);
    },
    matchOwnerName: async ({ legalName, ...asked }) => {
      const user = { legal_name: legalName };
      const answer = await unlessUnsupported(readOfAccount(plaid, MATCH, asked, { user }));
      return (answer && requireAccount(plaid, MATCH, answer.accounts, asked).legal_name?.score) ?? null;
    },
    readItem: async (accessToken) => {
      const { item } = await plaid.call({
        ...{ operation: "itemGet", path: "/item/get", reads: true },
        ...{ body: { access_token: accessToken }, secrets: [accessToken], schema: itemResponse },
      });
      // Other errors, such as a bank that is down, end without the user.
      const errorCode = item.error?.error_type === "ITEM_ERROR" ? item.error.error_code : null;
      return { institutionName: item.institution_name ?? null, errorCode };
    },
    removeItem: async (accessToken) => {
      const removal = plaid.call({
        ...{ operation: "itemRemove", path: "/item/remove" },
        ...{ body: { access_token: accessToken }, secrets: [accessToken], schema: removeResponse },
      });
      await unlessMissing(removal);
    },
  };
}

async function createLinkToken(
  plaid: PlaidCaller,
  link: Parameters<BankLink["createLinkToken"]>[0],
): ReturnType<BankLink["createLinkToken"]> {
  const { clientUserId, language, redirectUri, accessToken } = link;
  const created = await plaid.call({
    operation: "linkTokenCreate",
    path: "/link/token/create",
    body: {
      client_name: "Purser",
      language,
      country_codes: ["US"],
      user: { client_user_id: clientUserId },
      ...(redirectUri === null ? {} : { redirect_uri: redirectUri }),
      ...(accessToken === null ? newItem(link) : { access_token: accessToken }),
    },
    secrets: accessToken === null ? [] : [accessToken],
    schema: linkTokenResponse,
  });
  return { linkToken: created.link_token, expiresAt: new Date(created.expiration) };
}

/**
 * The fields for a new login. Update mode refuses products and ignores the rest
 * (https://plaid.com/docs/link/update-mode). With micro-deposits, banks that do not tell the owner's identity are offered
 * too (https://plaid.com/docs/auth/coverage/automated).
 */
function newItem({
  accountSubtypes,
  verificationMethod,
  webhookUrl,
}: Pick<Parameters<BankLink["createLinkToken"]>[0], "accountSubtypes" | "verificationMethod" | "webhookUrl">) {
  const common = { webhook: webhookUrl, account_filters: { depository: { account_subtypes: accountSubtypes } } };
  if (verificationMethod === "instant") return { ...common, products: ["auth", "identity"] };
  return {
    ...common,
    products: ["auth"],
    required_if_supported_products: ["identity"],
    auth: { automated_microdeposits_enabled: true },
  };
}

/** Returns each public token of a session once. Older sessions have it only in `on_success`. */
function linkedItems({ on_success: success, results }: Static<typeof linkSession>) {
  const added = results?.item_add_results ?? [];
  const isListed = added.some(({ public_token: token }) => token === success?.public_token);
  const { public_token: token, metadata } = success ?? {};
  const all =
    token === undefined || isListed ? added : [...added, { public_token: token, accounts: metadata?.accounts ?? [] }];
  return all.map(({ public_token: publicToken, accounts }) => ({
    publicToken,
    accountIds: accounts.flatMap(({ id: accountId = [] }) => accountId),
  }));
}

interface AskedAccount {
  readonly accessToken: string;
  readonly accountId: string;
}

/** Plaid's error codes for an account without numbers whose deposits have not settled, or did not in time. */
const WITHOUT_NUMBERS: ReadonlySet<string | undefined> = new Set(["PRODUCT_NOT_READY", "VERIFICATION_EXPIRED"]);

async function readAccount(plaid: PlaidCaller, asked: AskedAccount): Promise<BankAccount> {
  try {
    const { accounts, numbers } = await readOfAccount(plaid, AUTH, asked);
    const ach = numbers.ach.find((entry) => entry.account_id === asked.accountId);
    return accountOf(requireAccount(plaid, AUTH, accounts, asked), ach);
  } catch (error) {
    if (!isFailure(error, "refused") || !WITHOUT_NUMBERS.has(error.vendorCode)) throw error;
    const { accounts } = await readOfAccount(plaid, ACCOUNTS, asked);
    const found = requireAccount(plaid, ACCOUNTS, accounts, asked);
    return accountOf({ ...found, verification_status: found.verification_status ?? "pending" }, undefined);
  }
}

function accountOf(
  found: Static<typeof accountsResponse>["accounts"][number],
  ach: Static<typeof authResponse>["numbers"]["ach"][number] | undefined,
): BankAccount {
  const { account_id: accountId, name, mask, type, subtype } = found;
  const verificationStatus = verificationStatusOf(found.verification_status ?? null);
  const isVerified = verificationStatus === null || verificationStatus === "automatically_verified";
  const numbers = ach && isVerified ? { accountNumber: ach.account, routingNumber: ach.routing } : null;
  return { accountId, name, mask, type, subtype, verificationStatus, numbers };
}

function verificationStatusOf(status: string | null): BankAccount["verificationStatus"] {
  if (status === null || status === "automatically_verified") return status;
  return status === "verification_expired" || status === "verification_failed" ? "failed" : "pending";
}

function readOfAccount<Schema extends TSchema>(
  plaid: PlaidCaller,
  endpoint: { readonly operation: string; readonly path: string; readonly schema: Schema },
  { accessToken, accountId }: AskedAccount,
  user: { readonly user?: { readonly legal_name: string } } = {},
): Promise<Static<Schema>> {
  const body = { access_token: accessToken, options: { account_ids: [accountId] }, ...user };
  const secrets = [accessToken, ...Object.values(user.user ?? {})];
  return plaid.call({ ...endpoint, reads: true, body, secrets });
}

/** Returns undefined if the bank does not tell who owns its accounts. */
function unlessUnsupported<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  return read.catch((error: unknown) => {
    if (isFailure(error, "refused") && error.vendorCode === "PRODUCTS_NOT_SUPPORTED") return undefined;
    throw error;
  });
}

/** Returns the account that was asked for. Throws `not_found` if the response does not have it. */
function requireAccount<Account extends { readonly account_id: string }>(
  plaid: PlaidCaller,
  { operation }: { readonly operation: string },
  accounts: readonly Account[],
  { accountId }: AskedAccount,
): Account {
  const found = accounts.find((account) => account.account_id === accountId);
  if (found === undefined) throw plaid.error("not_found", operation, "the login has no such account");
  return found;
}

function ownerOf(found: Static<typeof owner> | undefined): BankAccountOwner {
  if (found === undefined) return { legalName: null, email: null, phone: null, address: null };
  const { names, emails, phone_numbers: phones, addresses } = found;
  return {
    legalName: names[0] || null,
    email: primaryOf(emails)?.data || null,
    phone: primaryOf(phones)?.data || null,
    address: addressOf(primaryOf(addresses)?.data),
  };
}

function primaryOf<Entry extends { readonly primary?: boolean }>(entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ primary }) => primary) ?? entries[0];
}

/** Returns null for an address that lacks a part. Plaid puts all lines of the street into one text. */
function addressOf(data: Static<typeof addressData> | undefined): PostalAddress | null {
  if (data === undefined) return null;
  const { street: line1, city, region: state, postal_code: postalCode, country } = data;
  if (!(line1 && city && state && postalCode && country)) return null;
  return { line1, line2: null, city, state, postalCode, country };
}
