import { withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { enqueueKeyListEmail } from "@purser/service/modules/developers/keys/emailed-keys.ts";
import { getDeveloper } from "@purser/service/modules/developers/queries.ts";
import { openVault } from "@purser/service/vault/vault.ts";
import { bearerCaller } from "./callers.ts";
import type { ConformanceContext } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";
import { sessionInLiveMode } from "./wrong-credentials.ts";

const UNKNOWN_TOKEN = "x".repeat(43);

/** Calls as the developer who signs up below. The demo developer's account therefore stays unchanged. */
export function asNewcomer({ baseUrl, recall }: ConformanceContext) {
  return bearerCaller(baseUrl, recall("newcomer's token"));
}

/** Emails the list of the newcomer's keys, as a provider login to an account without confirmed ownership does. */
async function mailKeyList({ app, recall }: ConformanceContext): Promise<void> {
  const tenantId = recall("newcomer's id") as TenantId;
  const vault = await openVault(app, tenantId);
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, async (tx) =>
    enqueueKeyListEmail(tx, vault, { developer: await getDeveloper(tx, tenantId), at }),
  );
}

/** Operations for signup, login, profile, sessions and the first key pair. */
export const accountOperations: readonly Operation[] = [
  row("GET /time"),
  row("GET /developers/captcha"),
  row("POST /developers/signup", {
    request: ({ newcomer }) => ({ body: { ...newcomer, captcha_token: "sandbox-pass" } }),
    wrong: [
      wrong("an unsolved captcha", 422, {
        request: ({ newcomer }) => ({ body: { ...newcomer, captcha_token: "sandbox-fail" } }),
      }),
    ],
  }),
  row("POST /developers/resend-verification", {
    request: ({ newcomer: { email } }) => ({ body: { email } }),
  }),
  row("GET /developers/verify-email", {
    request: async ({ mail, newcomer }) => ({
      path: `/developers/verify-email?token=${await mail(newcomer.email, "Verify")}`,
    }),
    wrong: [
      wrong("an unknown token", 422, { request: { path: `/developers/verify-email?token=${UNKNOWN_TOKEN}` } }),
      wrong("no token", 422, { request: {} }),
    ],
    after: ({ saved }, response) => {
      const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
      saved.set("verification cookie", cookies.join("; "));
    },
  }),
  row("POST /developers/verify-email", {
    request: async ({ anonymous, mail, newcomer }) => {
      const body = { ...newcomer, email: `second.${newcomer.email}`, captcha_token: "sandbox-pass" };
      await anonymous({ method: "POST", path: "/developers/signup", body });
      return { body: { token: await mail(body.email, "Verify") } };
    },
    wrong: [
      wrong("an unknown token", 422, { request: { body: { token: UNKNOWN_TOKEN } } }),
      wrong("no token", 422, { request: {} }),
    ],
  }),
  row("POST /developers/login", {
    // Logging in from the browser that opened the emailed URL verifies the email address.
    request: ({ newcomer, recall }) => ({ body: newcomer, headers: { cookie: recall("verification cookie") } }),
    save: {
      "newcomer's token": "access_token",
      "newcomer's id": "developer.developer_id",
      "refresh token": "refresh_token",
    },
    wrong: [
      wrong("a wrong password", 401, {
        request: ({ newcomer: { email } }) => ({ body: { email, password: "another password" } }),
      }),
      wrong("an unknown address", 401, {
        request: ({ newcomer }) => ({ body: { ...newcomer, email: `no.${newcomer.email}` } }),
      }),
    ],
  }),
  row("POST /developers/register", { as: asNewcomer, request: { body: { company_name: "Lovelace Ltd" } } }),
  row("GET /developers/dashboard/me"),
  row("GET /developers/dashboard/overview", {
    as: sessionInLiveMode,
    wrong: [wrong("a session without a mode", 422, { as: ({ session }) => session })],
  }),
  row("PUT /developers/dashboard/me", { request: { body: { name: "Ada" } } }),
  row("GET /developers/me", { save: { developer_id: "developer_id" } }),
  row("POST /developers/token/refresh", {
    request: ({ recall }) => ({ body: { refresh_token: recall("refresh token") } }),
    save: { "refresh token": "refresh_token" },
    wrong: [
      wrong("no token", 401, { request: {} }),
      wrong("an unknown token", 401, { request: { body: { refresh_token: "x" } } }),
    ],
  }),
  // The first session in the list is the one that sends this request.
  row("GET /developers/dashboard/sessions", { save: { session_id: "data.1.session_id" } }),
  row("DELETE /developers/dashboard/sessions/{session_id}"),
];

/** Operations that end the signed-up developer's sessions. */
export const endingOperations: readonly Operation[] = [
  row("POST /developers/logout", {
    request: ({ recall }) => ({ body: { refresh_token: recall("refresh token") } }),
    wrong: [wrong("an unknown token", 204, { request: { body: { refresh_token: "x" } } })],
  }),
  row("POST /developers/password/forgot", {
    request: ({ newcomer: { email } }) => ({ body: { email } }),
  }),
  row("POST /developers/emailed-tokens", {
    request: async ({ mail, newcomer }) => ({
      body: { token: await mail(newcomer.email, "password"), purpose: "reset_password" },
    }),
    wrong: [
      wrong("an unknown token", 422, { request: { body: { token: UNKNOWN_TOKEN, purpose: "reset_password" } } }),
      wrong("an unknown purpose", 422, { request: { body: { token: UNKNOWN_TOKEN, purpose: "unknown" } } }),
    ],
  }),
  row("POST /developers/emailed-tokens/revoke-keys", {
    before: mailKeyList,
    request: async ({ mail, newcomer }) => ({ body: { token: await mail(newcomer.email, "Check the API keys") } }),
    wrong: [wrong("an unknown token", 422, { request: { body: { token: UNKNOWN_TOKEN } } })],
  }),
  row("POST /developers/password/reset", {
    request: async ({ mail, newcomer }) => ({
      body: { token: await mail(newcomer.email, "password"), password: `${newcomer.password}-new` },
    }),
    wrong: [
      wrong("an unknown token", 422, {
        request: { body: { token: UNKNOWN_TOKEN, password: "a new password of mine" } },
      }),
    ],
  }),
];
