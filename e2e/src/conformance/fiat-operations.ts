import { randomUUID } from "node:crypto";
import { until } from "../until.ts";
import type { Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation, WrongCall } from "./operation.ts";
import { boundCall, type CallOf, callOf } from "./wrong-credentials.ts";

const HOLDER = {
  legal_name: "Ada Lovelace",
  email: "ada@bank.example",
  address: { line1: "12 Byron Street", city: "London", state: "KY", postal_code: "40741", country: "US" },
};

const rate: Call = { method: "GET", path: "/fiat/rate" };
const link = (body: object = {}): Call => ({ method: "POST", path: "/fiat/link-account", body });
const verify = (publicToken?: string) => (context: ConformanceContext) => ({
  ...({ method: "POST", path: "/fiat/verify-account" } as const),
  body: {
    public_token: publicToken ?? context.recall("public token"),
    account_id: publicToken === undefined ? context.recall("chosen account") : "unknown",
    account_holder: HOLDER,
  },
});
const onAccount = (method: "GET" | "DELETE", name: string) => (context: ConformanceContext) => ({
  method,
  path: `/fiat/accounts/${context.recall(name) || "unknown"}`,
});
const onConversion = (method: "GET" | "POST", name: string, suffix: string) => (context: ConformanceContext) => ({
  method,
  path: `/fiat/conversions/${context.recall(name) || "unknown"}${suffix}`,
});

/** A call that converts the money of the account and wallet that earlier operations have made. */
function convert(direction: "on-ramp" | "off-ramp", fields: object = {}) {
  const accountField = direction === "on-ramp" ? "source_account_id" : "destination_account_id";
  return ({ recall }: ConformanceContext): Call => ({
    method: "POST",
    path: `/fiat/${direction}`,
    headers: { "idempotency-key": randomUUID() },
    body: {
      ...{ [accountField]: recall("bank account"), wallet_id: recall("converting wallet"), amount: "10.00" },
      // Two identical requests of one second have the same signature, which is accepted once.
      external_reference_id: randomUUID(),
      ...fields,
    },
  });
}

function refused(description: string, status: number, call: CallOf): WrongCall {
  return { description, status, call: (context) => context.test(callOf(call, context)) };
}

const bound = (status: number, call: CallOf) =>
  boundCall(status, call, { mode: "test", scopes: ["fiat:read", "fiat:write"] });

function row(
  name: Operation["name"],
  call: CallOf,
  moreWrongCalls: readonly WrongCall[],
  save?: readonly [name: string, field: string],
): Operation {
  return authenticatedOperation(name, "tenant", 200, call, {
    ...{ mode: "test", moreWrongCalls },
    save: (response, { saved }) => save && saved.set(save[0], text(response, save[1])),
  });
}

/** Runs `prepare` before the correct call. */
function after(prepare: (context: ConformanceContext) => Promise<void>, operation: Operation): Operation {
  return {
    ...operation,
    call: async (context) => {
      await prepare(context);
      return operation.call(context);
    },
  };
}

/** Chooses an account on the page that replaces Plaid Link, as a user does in a browser. */
async function chooseAccount({ sandbox, saved, recall }: ConformanceContext): Promise<void> {
  const page = await fetch(`${sandbox.plaid.url}/link?token=${recall("link token")}`, {
    method: "POST",
    body: new URLSearchParams({ user: "good" }),
  });
  const [publicToken = "", accountId = ""] = [...(await page.text()).matchAll(/<code>([^<]+)<\/code>/g)].map(
    ([, value = ""]) => value,
  );
  saved.set("public token", publicToken);
  saved.set("chosen account", accountId);
}

/** Links a second account, to remove it. */
async function linkAnother(context: ConformanceContext): Promise<void> {
  context.saved.set("link token", text(await context.test(link({ language: "es" })), "link_token"));
  await chooseAccount(context);
  context.saved.set("second account", text(await context.test(verify()(context)), "account.account_id"));
}

/** Makes a wallet with money, and waits until the account can convert. */
async function fundWallet(context: ConformanceContext): Promise<void> {
  const { test, saved } = context;
  const body = { agent_id: randomUUID(), network: "base" };
  const walletId = text(await test({ method: "POST", path: "/wallets/create", body }), "wallet_id");
  saved.set("converting wallet", walletId);
  await test({ method: "POST", path: `/wallets/${walletId}/fund`, body: { amount: "100.00" } });
  await until("the holder is approved", async () => {
    const account = await test(onAccount("GET", "bank account")(context));
    return text(account, "kyc_status") === "approved" || undefined;
  });
}

async function quote(context: ConformanceContext): Promise<void> {
  const quoted = await context.test(convert("on-ramp", { execute: false })(context));
  context.saved.set("quote", text(quoted, "conversion_id"));
}

export const fiatOperations: readonly Operation[] = [
  authenticatedOperation("GET /fiat/rate", "tenant", 200, rate, {
    moreWrongCalls: [
      {
        description: "a pair without a rate",
        status: 422,
        call: (context) => context.live({ ...rate, path: "/fiat/rate?dest=jpy" }),
      },
    ],
  }),
  row(
    "POST /fiat/link-account",
    link(),
    [
      refused("another country", 422, link({ country_codes: ["DE"] })),
      refused("an unknown account", 404, link({ account_id: "ba_unknown" })),
      bound(403, link()),
    ],
    ["link token", "link_token"],
  ),
  after(
    chooseAccount,
    row(
      "POST /fiat/verify-account",
      verify(),
      [
        refused("an unknown public token", 404, verify("public-sandbox-unknown")),
        refused("no public token", 422, { method: "POST", path: "/fiat/verify-account", body: {} }),
        bound(403, verify("public-sandbox-unknown")),
      ],
      ["bank account", "account.account_id"],
    ),
  ),
  row("GET /fiat/accounts", { method: "GET", path: "/fiat/accounts" }, [
    bound(403, { method: "GET", path: "/fiat/accounts" }),
  ]),
  row("GET /fiat/accounts/{account_id}", onAccount("GET", "bank account"), [
    {
      description: "a live key",
      status: 404,
      call: (context) => context.live(onAccount("GET", "bank account")(context)),
    },
    bound(403, onAccount("GET", "bank account")),
  ]),
  after(
    fundWallet,
    row(
      "POST /fiat/on-ramp",
      convert("on-ramp"),
      [
        refused("three decimals", 422, convert("on-ramp", { amount: "10.001" })),
        refused("an unknown account", 404, convert("on-ramp", { source_account_id: "ba_unknown" })),
        bound(404, convert("on-ramp")),
      ],
      ["conversion", "conversion_id"],
    ),
  ),
  row("POST /fiat/off-ramp", convert("off-ramp"), [
    refused("another currency", 422, convert("off-ramp", { currency: "eur" })),
    refused("more than the balance", 402, convert("off-ramp", { amount: "999.00" })),
    bound(404, convert("off-ramp")),
  ]),
  row("GET /fiat/conversions", { method: "GET", path: "/fiat/conversions" }, [
    refused("an unknown status", 422, { method: "GET", path: "/fiat/conversions?status=done" }),
  ]),
  row("GET /fiat/conversions/{conversion_id}", onConversion("GET", "conversion", ""), [
    bound(404, onConversion("GET", "conversion", "")),
  ]),
  after(
    quote,
    row("POST /fiat/conversions/{conversion_id}/execute", onConversion("POST", "quote", "/execute"), [
      refused("an executed conversion", 409, onConversion("POST", "conversion", "/execute")),
      bound(404, onConversion("POST", "conversion", "/execute")),
    ]),
  ),
  row("POST /fiat/conversions/{conversion_id}/cancel", onConversion("POST", "quote", "/cancel"), [
    refused("an unknown conversion", 404, onConversion("POST", "unknown", "/cancel")),
    bound(404, onConversion("POST", "quote", "/cancel")),
  ]),
  after(
    linkAnother,
    row("DELETE /fiat/accounts/{account_id}", onAccount("DELETE", "second account"), [
      refused("an account that a conversion uses", 409, onAccount("DELETE", "bank account")),
      bound(403, onAccount("DELETE", "bank account")),
    ]),
  ),
];
