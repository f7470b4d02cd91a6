import { Type } from "typebox";
import { FiatAccountResource, presentFiatAccount } from "../../../modules/fiat/fiat-account-resource.ts";
import { listAccounts } from "../../../modules/fiat/queries.ts";
import { requireAccount } from "../../../modules/fiat/read-accounts.ts";
import { removeAccount } from "../../../modules/fiat/remove-account.ts";
import { actorOf, scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

const FiatAccountList = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(FiatAccountResource), has_more: Type.Literal(false) },
  { $id: "FiatAccountList" },
);

export const listBankAccountsRoute = endpoint("GET /api/v1/svc/fiat/accounts", {
  operationId: "listBankAccounts",
  sdk: "fiat.accounts.list",
  summary: "List bank accounts",
  description: "Returns the linked bank accounts of the caller's mode, newest first, without personal data.",
  auth: "tenant",
  scope: "fiat:read",
  answers: { 200: FiatAccountList },
  run: async (app, request) => {
    const accounts = await listAccounts(app.db, scopeOf(request));
    return { object: "list" as const, data: accounts.map(presentFiatAccount), has_more: false as const };
  },
});

export const getBankAccountRoute = endpoint("GET /api/v1/svc/fiat/accounts/:account_id", {
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

export const removeBankAccountRoute = endpoint("DELETE /api/v1/svc/fiat/accounts/:account_id", {
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
