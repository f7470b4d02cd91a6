import { Type } from "typebox";
import { accountsOf, presentItem, redeem, requireItem, type StoredItem } from "./items.ts";
import { LOGIN_REQUIRED, PlaidApiError } from "./plaid-errors.ts";
import { plaidRoute } from "./plaid-route.ts";

const text = Type.String({ minLength: 1 });
const body = { access_token: text };
const options = Type.Optional(
  Type.Object({ account_ids: Type.Optional(Type.Array(text)) }, { additionalProperties: false }),
);
const user = Type.Optional(Type.Object({ legal_name: text }, { additionalProperties: false }));

type Accounts = ReturnType<typeof accountsOf>;

/** A route that describes the accounts of an item, or those of them that the request names. */
function accountRoute(
  operation: string,
  url: string,
  describe: (item: StoredItem, accounts: Accounts, legalName: string) => object,
) {
  return plaidRoute({
    ...{ operation, url, body: { ...body, options, ...(operation === "identityMatch" ? { user } : {}) } },
    handle: async (call) => {
      const { user: named }: { readonly user?: unknown } = call.body;
      const item = await requireItem(call, call.body.access_token);
      if (item.state === "login_required") throw new PlaidApiError(...LOGIN_REQUIRED);
      const all = accountsOf(item);
      const ids = call.body.options?.account_ids ?? all.map(({ account_id: id }) => id);
      const accounts = all.filter(({ account_id: id }) => ids.includes(id));
      if (accounts.length !== ids.length) {
        throw new PlaidApiError("INVALID_INPUT", "INVALID_ACCOUNT_ID", "an account is not of this item");
      }
      return { ...describe(item, accounts, Object(named).legal_name ?? ""), item: presentItem(item) };
    },
  });
}

function shown(accounts: Accounts, more: object = {}) {
  return accounts.map(({ numbers: _numbers, ...account }) => ({ ...account, ...more }));
}

const getAuth = accountRoute("authGet", "/auth/get", ({ state }, accounts) => {
  if (state !== "good") throw new PlaidApiError("ITEM_ERROR", "PRODUCT_NOT_READY", "the product is not ready");
  const ach = accounts.map(({ numbers }) => numbers);
  return { accounts: shown(accounts), numbers: { ach, eft: [], international: [], bacs: [] } };
});

const getAccounts = accountRoute("accountsGet", "/accounts/get", (_item, accounts) => ({ accounts: shown(accounts) }));

const getIdentity = accountRoute("identityGet", "/identity/get", ({ data: { ownerName } }, accounts) => {
  const email = `${ownerName.toLowerCase().replace(/\W+/g, ".")}@example.com`;
  const data = { street: "1 Main Street", city: "San Francisco", region: "CA", postal_code: "94105", country: "US" };
  const owner = {
    names: [ownerName],
    emails: [{ data: email, primary: true, type: "primary" }],
    phone_numbers: [{ data: "+14155550100", primary: true, type: "mobile" }],
    addresses: [{ data, primary: true }],
  };
  return { accounts: shown(accounts, { owners: [owner] }) };
});

const matchIdentity = accountRoute("identityMatch", "/identity/match", ({ data }, accounts, legalName) => ({
  accounts: shown(accounts, { legal_name: { score: scoreOf(legalName, data.ownerName) } }),
}));

/** 100 for the same name, 85 for the same words in another order, otherwise 20. Case does not count. */
function scoreOf(given: string, known: string): number {
  const [a = [], b = []] = [given, known].map((name) => name.toLowerCase().trim().split(/\s+/));
  if (a.join(" ") === b.join(" ")) return 100;
  return a.toSorted().join(" ") === b.toSorted().join(" ") ? 85 : 20;
}

const exchange = plaidRoute({
  ...{ operation: "itemPublicTokenExchange", url: "/item/public_token/exchange", body: { public_token: text } },
  handle: (call) => redeem(call, call.body.public_token),
});

const getItem = plaidRoute({
  ...{ operation: "itemGet", url: "/item/get", body },
  handle: async (call) => ({ item: presentItem(await requireItem(call, call.body.access_token)), status: null }),
});

const removeItem = plaidRoute({
  ...{ operation: "itemRemove", url: "/item/remove", body },
  handle: async (call) => {
    const { id } = await requireItem(call, call.body.access_token);
    await call.objects.update("item", id, { state: "removed" });
    return {};
  },
});

const resetLogin = plaidRoute({
  ...{ operation: "sandboxItemResetLogin", url: "/sandbox/item/reset_login", body },
  handle: async (call) => {
    const { id } = await requireItem(call, call.body.access_token);
    await call.events.emit(call, "ITEM.ERROR", id);
    return { reset_login: true };
  },
});

export const itemRoutes = [
  ...[getAuth, getAccounts, getIdentity, matchIdentity],
  ...[exchange, getItem, removeItem, resetLogin],
];
