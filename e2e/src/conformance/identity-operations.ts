import type { ApiResponse } from "../signed-client.ts";
import { bearerCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

/** Starts a GitHub login and gives consent. Returns the callback's request body and the browser's cookie. */
async function consent({ anonymous }: ConformanceContext) {
  const started = await anonymous({ method: "POST", path: "/developers/oauth/github/state" });
  const consented = await fetch(text(started, "authorization_url"), {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ decision: "allow", persona: "ada" }),
  });
  const callbackUrl = new URL(consented.headers.get("location") ?? "");
  const code = callbackUrl.searchParams.get("code") ?? "";
  return { body: { code, state: text(started, "state") }, headers: { cookie: cookieOf(started) } };
}

function cookieOf({ headers }: ApiResponse): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

const google = (idToken: string) => ({ body: { id_token: idToken } });

export const identityOperations: readonly Operation[] = [
  row("POST /developers/oauth/github/state"),
  row("POST /developers/oauth/github", {
    request: consent,
    wrong: [
      wrong("another browser's state", 422, {
        request: async (context) => ({ ...(await consent(context)), headers: (await consent(context)).headers }),
      }),
      wrong("an unknown code", 401, {
        request: async (context) => {
          const { body, headers } = await consent(context);
          return { body: { ...body, code: "0123456789abcdef0123" }, headers };
        },
      }),
    ],
  }),
  row("POST /developers/oauth/google", {
    request: async ({ sandbox }) => google(await sandbox.google.mint({ email: "grace@example.com" })),
    wrong: [
      wrong("an unsigned token", 401, { request: google("e30.e30.e30") }),
      wrong("a token for another app", 401, {
        request: async ({ sandbox }) =>
          google(await sandbox.google.mint({ email: "g@example.com", flaw: "other_audience" })),
      }),
    ],
  }),
  row("GET /developers/dashboard/identities"),
  row("DELETE /developers/dashboard/identities/{provider}", {
    request: ({ newcomer: { password } }) => ({
      path: "/developers/dashboard/identities/google",
      body: { password },
    }),
    as: async ({ anonymous, sandbox, newcomer, baseUrl }) => {
      const login = google(await sandbox.google.mint({ email: newcomer.email }));
      const response = await anonymous({ method: "POST", path: "/developers/oauth/google", ...login });
      return bearerCaller(baseUrl, text(response, "access_token"));
    },
  }),
];
