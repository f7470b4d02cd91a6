import { type Static, Type } from "typebox";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { BANK_VERIFICATION_METHODS, HOLDER_TYPES } from "../../../foundation/vocabulary.ts";
import { NamedObject, OneOf, PRINTABLE_TEXT, StrictObject, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { linkAccount, type NewBankLink, openLinkToken } from "../../../modules/fiat/bank-link.ts";
import { FiatAccountResource, presentFiatAccount } from "../../../modules/fiat/fiat-account-resource.ts";
import { removeAccount, requireAccount } from "../../../modules/fiat/fiat-accounts.ts";
import { listFiatAccounts } from "../../../modules/fiat/queries.ts";
import { actorOf, scopeOf } from "../../auth/principal.ts";
import { replyByReference } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { parseReturnUrl } from "../../return-url.ts";
import { endpoint, type Route } from "../../route.ts";
import { verifyAccountRoute } from "./verify-account.ts";

const LinkAccountRequest = StrictObject("LinkAccountRequest", {
  account_holder_type: Type.Optional(OneOf(HOLDER_TYPES, "Who holds the account. Default: `individual`.")),
  country_codes: Type.Optional(
    Type.Array(Type.Enum(["US"]), { minItems: 1, maxItems: 1, description: "The banks' country: only `US`." }),
  ),
  language: Type.Optional(OneOf(["en", "es", "fr"], "The language of Plaid's pages. Default: `en`.")),
  redirect_uri: Type.Optional(
    Text(
      "The page to which a bank that logs in by OAuth sends the user back. It must be registered in Plaid's dashboard, and use https, or http with a loopback host.",
      { maxLength: 2048 },
    ),
  ),
  account_subtypes: Type.Optional(
    Type.Array(Type.Enum(["checking", "savings"]), {
      minItems: 1,
      maxItems: 2,
      description: "The accounts that the user can choose. Default: both.",
    }),
  ),
  account_id: Type.Optional(
    Text(
      "An account to link again, whose status is `relink_required`. Only `language` and `redirect_uri` can be sent with it, and no verify-account follows.",
      { maxLength: 64 },
    ),
  ),
  verification_method: Type.Optional(
    OneOf(
      BANK_VERIFICATION_METHODS,
      "`instant`: by a login at the bank. `micro_deposit`: by a small deposit, which takes days, for banks without such a login. Default: `instant`.",
    ),
  ),
  webhook_ref: Type.Optional(
    Text("Your own reference, repeated in the events of the account.", { maxLength: 100, ...PRINTABLE_TEXT }),
  ),
});

const LinkTokenResource = NamedObject("LinkToken", {
  object: Type.Literal("link_token"),
  link_token: Type.String({
    description: "Start Plaid Link with it in the user's browser.",
    examples: ["link-sandbox-…"],
  }),
  expiration: Timestamp,
  hosted_link_url: Type.Null({ description: "Always null in this version." }),
  request_id: Type.String(),
});

const linkAccountRoute = endpoint("POST /api/v1/svc/fiat/link-account", {
  operationId: "linkAccount",
  sdk: "fiat.linkAccount",
  summary: "Start linking a bank account",
  description:
    "Returns a token with which Plaid Link runs in a browser. There the user logs in at the bank and chooses an account. Send the public token that Plaid Link returns to verify-account. Ten tokens can be open; the oldest is dropped. Fails with `provider_not_configured` if this server has no Plaid account.",
  auth: "tenant",
  scope: "fiat:write",
  replayGuard: "strict",
  requiresKyb: "fiat",
  body: LinkAccountRequest,
  answers: { 200: LinkTokenResource },
  errors: ["fiat_account_not_found", "provider_not_configured"],
  example: { account_holder_type: "individual" },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const link = newLinkOf(request.body);
    const resolve = async ({ linkId }: { readonly linkId: string }) => {
      const token = await openLinkToken(app, actor, linkId);
      if (token === undefined) return { kind: "error" as const, error: new AppError("bank_link_not_found") };
      const body = {
        object: "link_token" as const,
        link_token: token.linkToken,
        expiration: token.expiresAt.toISOString(),
        hosted_link_url: null,
        request_id: request.id,
      };
      return { kind: "response" as const, body };
    };
    return replyByReference(app, request, reply, { status: 200, resolve }, (saveResponse) =>
      linkAccount(app, { actor, link }, saveResponse),
    );
  },
});

const WITH_ACCOUNT: readonly string[] = ["account_id", "language", "redirect_uri"];

function newLinkOf(body: Static<typeof LinkAccountRequest>): NewBankLink {
  const excess = Object.keys(body).find((name) => !WITH_ACCOUNT.includes(name));
  if (body.account_id !== undefined && excess !== undefined) {
    throw invalidField(`/body/${excess}`, "not_allowed", "cannot be sent with account_id");
  }
  return {
    language: body.language ?? "en",
    redirectUri: body.redirect_uri === undefined ? null : parseReturnUrl("/body/redirect_uri", body.redirect_uri),
    accountSubtypes: body.account_subtypes ?? ["checking", "savings"],
    holderType: body.account_holder_type ?? "individual",
    verificationMethod: body.verification_method ?? "instant",
    webhookRef: body.webhook_ref ?? null,
    accountId: body.account_id === undefined ? null : pathId("ba", body.account_id),
  };
}

const FiatAccountList = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(FiatAccountResource), has_more: Type.Literal(false) },
  { $id: "FiatAccountList" },
);

const listBankAccountsRoute = endpoint("GET /api/v1/svc/fiat/accounts", {
  operationId: "listBankAccounts",
  sdk: "fiat.accounts.list",
  summary: "List bank accounts",
  description: "Returns the linked bank accounts of the caller's mode, newest first, without personal data.",
  auth: "tenant",
  scope: "fiat:read",
  answers: { 200: FiatAccountList },
  run: async (app, request) => {
    const accounts = await listFiatAccounts(app.db, scopeOf(request));
    return { object: "list" as const, data: accounts.map(presentFiatAccount), has_more: false as const };
  },
});

const getBankAccountRoute = endpoint("GET /api/v1/svc/fiat/accounts/:account_id", {
  operationId: "getBankAccount",
  sdk: "fiat.accounts.get",
  summary: "Get a bank account",
  description: "Returns a linked bank account without personal data.",
  auth: "tenant",
  scope: "fiat:read",
  answers: { 200: FiatAccountResource },
  run: async (app, request) => {
    const accountId = pathId("ba", request.params.account_id);
    return presentFiatAccount(await requireAccount(app.db, scopeOf(request), accountId));
  },
});

const removeBankAccountRoute = endpoint("DELETE /api/v1/svc/fiat/accounts/:account_id", {
  operationId: "removeBankAccount",
  sdk: "fiat.accounts.remove",
  summary: "Unlink a bank account",
  description:
    "Removes the account and destroys the personal data of its holder at once. Purser then ends the login at Plaid and removes the account at Bridge. Returns the account as `removed`; from then on it is not found.",
  auth: "tenant",
  scope: "fiat:write",
  replayGuard: "strict",
  errors: ["conflict"],
  answers: { 200: FiatAccountResource },
  run: async (app, request) => {
    const accountId = pathId("ba", request.params.account_id);
    const actor = actorOf(request);
    return presentFiatAccount(await removeAccount(app, { actor, accountId }));
  },
});

export const bankAccountRoutes: readonly Route[] = [
  linkAccountRoute,
  verifyAccountRoute,
  listBankAccountsRoute,
  getBankAccountRoute,
  removeBankAccountRoute,
];
