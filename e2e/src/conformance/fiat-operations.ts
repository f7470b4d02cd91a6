import { randomUUID } from "node:crypto";
import { until } from "../until.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";
import { boundToAgent } from "./wrong-credentials.ts";

const HOLDER = {
  legal_name: "Ada Lovelace",
  email: "ada@bank.example",
  address: { line1: "12 Byron Street", city: "London", state: "KY", postal_code: "40741", country: "US" },
};

const inTestMode = { as: ({ test }: ConformanceContext) => test };
const bound = (status: number) => boundToAgent(status, { mode: "test", scopes: ["fiat:read", "fiat:write"] });

const verify = ({ recall }: ConformanceContext) => ({
  body: { public_token: recall("public token"), account_id: recall("chosen account"), account_holder: HOLDER },
});
const verifyUnknown = {
  body: { public_token: "public-sandbox-unknown", account_id: "unknown", account_holder: HOLDER },
};

/** Converts the money of the account and wallet that earlier operations have made. */
function convert(direction: "on-ramp" | "off-ramp", fields: object = {}) {
  const accountField = direction === "on-ramp" ? "source_account_id" : "destination_account_id";
  return ({ recall }: ConformanceContext) => ({
    headers: { "idempotency-key": randomUUID() },
    body: {
      ...{ [accountField]: recall("account_id"), wallet_id: recall("converting wallet"), amount: "10.00" },
      // Two identical requests of one second have the same signature, which is accepted once.
      external_reference_id: randomUUID(),
      ...fields,
    },
  });
}

/** Chooses an account on the page that replaces Plaid Link, as a user does in a browser. */
async function chooseAccount({ sandbox, saved, recall }: ConformanceContext): Promise<void> {
  const page = await fetch(`${sandbox.plaid.url}/link?token=${recall("link token")}`, {
    method: "POST",
    body: new URLSearchParams({ user: "good" }),
  });
  const codes = [...(await page.text()).matchAll(/<code>([^<]+)<\/code>/g)].map(([, value = ""]) => value);
  saved.set("public token", codes[0] ?? "");
  saved.set("chosen account", codes[1] ?? "");
}

/** Links a second account, to remove it. */
async function linkAnother(context: ConformanceContext): Promise<void> {
  const { test, saved } = context;
  const link = await test({ method: "POST", path: "/fiat/link-account", body: { language: "es" } });
  saved.set("link token", text(link, "link_token"));
  await chooseAccount(context);
  const verified = await test({ method: "POST", path: "/fiat/verify-account", ...verify(context) });
  saved.set("account_id", text(verified, "account.account_id"));
}

/** Makes a wallet with money, and waits until the account can convert. */
async function fundWallet({ test, saved, recall }: ConformanceContext): Promise<void> {
  const body = { agent_id: randomUUID(), network: "base" };
  const walletId = text(await test({ method: "POST", path: "/wallets/create", body }), "wallet_id");
  saved.set("converting wallet", walletId);
  await test({ method: "POST", path: `/wallets/${walletId}/fund`, body: { amount: "100.00" } });
  await until("the holder is approved", async () => {
    const account = await test({ method: "GET", path: `/fiat/accounts/${recall("account_id")}` });
    return text(account, "kyc_status") === "approved" || undefined;
  });
}

async function quote(context: ConformanceContext): Promise<void> {
  const request = convert("on-ramp", { execute: false })(context);
  const quoted = await context.test({ method: "POST", path: "/fiat/on-ramp", ...request });
  context.saved.set("conversion_id", text(quoted, "conversion_id"));
}

export const fiatOperations: readonly Operation[] = [
  row("GET /fiat/rate", {
    wrong: [wrong("a pair without a rate", 422, { request: { path: "/fiat/rate?dest=jpy" } })],
  }),
  row("POST /fiat/link-account", {
    ...inTestMode,
    request: { body: {} },
    save: { "link token": "link_token" },
    wrong: [
      wrong("another country", 422, { request: { body: { country_codes: ["DE"] } } }),
      wrong("an unknown account", 404, { request: { body: { account_id: "ba_unknown" } } }),
      bound(403),
    ],
  }),
  row("POST /fiat/verify-account", {
    ...inTestMode,
    before: chooseAccount,
    request: verify,
    save: { account_id: "account.account_id" },
    wrong: [
      wrong("an unknown public token", 404, { request: verifyUnknown }),
      wrong("no public token", 422, { request: { body: {} } }),
      { ...bound(403), request: verifyUnknown },
    ],
  }),
  row("GET /fiat/accounts", { ...inTestMode, wrong: [bound(403)] }),
  row("GET /fiat/accounts/{account_id}", {
    ...inTestMode,
    wrong: [wrong("a live key", 404, { as: ({ live }) => live }), bound(403)],
  }),
  row("POST /fiat/on-ramp", {
    ...inTestMode,
    before: fundWallet,
    request: convert("on-ramp"),
    save: { conversion_id: "conversion_id" },
    wrong: [
      wrong("three decimals", 422, { request: convert("on-ramp", { amount: "10.001" }) }),
      wrong("an unknown account", 404, { request: convert("on-ramp", { source_account_id: "ba_unknown" }) }),
      bound(404),
    ],
  }),
  row("POST /fiat/off-ramp", {
    ...inTestMode,
    request: convert("off-ramp"),
    wrong: [
      wrong("another currency", 422, { request: convert("off-ramp", { currency: "eur" }) }),
      wrong("more than the balance", 402, { request: convert("off-ramp", { amount: "999.00" }) }),
      bound(404),
    ],
  }),
  row("GET /fiat/conversions", {
    ...inTestMode,
    wrong: [wrong("an unknown status", 422, { request: { path: "/fiat/conversions?status=done" } })],
  }),
  row("GET /fiat/conversions/{conversion_id}", { ...inTestMode, wrong: [bound(404)] }),
  row("POST /fiat/conversions/{conversion_id}/execute", {
    ...inTestMode,
    before: quote,
    wrong: [wrong("an executed conversion", 409), bound(404)],
  }),
  row("POST /fiat/conversions/{conversion_id}/cancel", {
    ...inTestMode,
    wrong: [wrong("an unknown conversion", 404, { request: { path: "/fiat/conversions/unknown/cancel" } }), bound(404)],
  }),
  row("DELETE /fiat/accounts/{account_id}", {
    ...inTestMode,
    before: linkAnother,
    wrong: [wrong("an account that a conversion uses", 409), bound(403)],
  }),
];
