import type { ApiResponse } from "../signed-client.ts";
import { bearerCaller, type Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation, publicOperation, wrongCall } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const GITHUB = "/developers/oauth/github";
const IDENTITIES = "/developers/dashboard/identities";
const unlink: Call = { method: "DELETE", path: `${IDENTITIES}/google` };

const google = (idToken: string): Call => ({
  method: "POST",
  path: "/developers/oauth/google",
  body: { id_token: idToken },
});

/** Starts a GitHub login and gives consent. Returns the callback's request body and the browser's cookie. */
async function consent({ anonymous }: ConformanceContext): Promise<{ body: object; cookie: string }> {
  const started = await anonymous({ method: "POST", path: `${GITHUB}/state` });
  const authorizationUrl = text(started, "authorization_url");
  const consented = await fetch(authorizationUrl, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ decision: "allow", persona: "ada" }),
  });
  const callbackUrl = new URL(consented.headers.get("location") ?? "");
  const code = callbackUrl.searchParams.get("code") ?? "";
  return { body: { code, state: text(started, "state") }, cookie: cookieOf(started) };
}

function cookieOf({ headers }: ApiResponse): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

const withGitHub = (body: object, cookie: string): Call => ({
  method: "POST",
  path: GITHUB,
  body,
  headers: { cookie },
});

export const identityOperations: readonly Operation[] = [
  publicOperation("POST /developers/oauth/github/state", 200, {
    method: "POST",
    path: `${GITHUB}/state`,
  }),
  {
    name: "POST /developers/oauth/github",
    credential: "public",
    status: 200,
    wrongCalls: [
      {
        description: "another browser's state",
        status: 422,
        call: async (context) => {
          const { body } = await consent(context);
          return context.anonymous(withGitHub(body, (await consent(context)).cookie));
        },
      },
      {
        description: "an unknown code",
        status: 401,
        call: async (context) => {
          const { body, cookie } = await consent(context);
          return context.anonymous(withGitHub({ ...body, code: "0123456789abcdef0123" }, cookie));
        },
      },
    ],
    call: async (context) => {
      const { body, cookie } = await consent(context);
      return context.anonymous(withGitHub(body, cookie));
    },
  },
  {
    name: "POST /developers/oauth/google",
    credential: "public",
    status: 200,
    wrongCalls: [
      wrongCall("an unsigned token", 401, google("e30.e30.e30")),
      {
        description: "a token for another app",
        status: 401,
        call: async ({ anonymous, sandbox }) =>
          anonymous(google(await sandbox.google.mint({ email: "g@example.com", flaw: "other_audience" }))),
      },
    ],
    call: async ({ anonymous, sandbox }) =>
      anonymous(google(await sandbox.google.mint({ email: "grace@example.com" }))),
  },
  authenticatedOperation("GET /developers/dashboard/identities", "dashboard", 200, {
    method: "GET",
    path: IDENTITIES,
  }),
  {
    ...authenticatedOperation("DELETE /developers/dashboard/identities/{provider}", "dashboard", 204, unlink),
    call: async ({ anonymous, sandbox, newcomer, baseUrl }) => {
      const login = await anonymous(google(await sandbox.google.mint({ email: newcomer.email })));
      return bearerCaller(baseUrl, text(login, "access_token"))(unlink);
    },
  },
];
