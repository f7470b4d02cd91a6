import type { Answer } from "../signed-client.ts";
import { bearing, type Call } from "./callers.ts";
import type { Operation } from "./operation.ts";
import { guarded, open, wrong } from "./rows.ts";
import { text, type World } from "./world.ts";

const GITHUB = "/developers/oauth/github";
const IDENTITIES = "/developers/dashboard/identities";
const unlink: Call = { method: "DELETE", path: `${IDENTITIES}/google` };

const google = (idToken: string): Call => ({
  method: "POST",
  path: "/developers/oauth/google",
  body: { id_token: idToken },
});

/** Begins a login and agrees on GitHub's page, as a person would: what GitHub sends back, and the browser's own half. */
async function consent({ nobody }: World): Promise<{ body: object; cookie: string }> {
  const begun = await nobody({ method: "POST", path: `${GITHUB}/state` });
  const address = text(begun, "authorization_url");
  const agreed = await fetch(address, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ decision: "allow", persona: "ada" }),
  });
  const back = new URL(agreed.headers.get("location") ?? "");
  const code = back.searchParams.get("code") ?? "";
  return { body: { code, state: text(begun, "state") }, cookie: cookieOf(begun) };
}

function cookieOf({ headers }: Answer): string {
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
  open("POST /developers/oauth/github/state", 200, { method: "POST", path: `${GITHUB}/state` }),
  {
    name: "POST /developers/oauth/github",
    credential: "public",
    status: 200,
    wrong: [
      {
        as: "another browser's state",
        status: 422,
        call: async (world) => {
          const { body } = await consent(world);
          return world.nobody(withGitHub(body, (await consent(world)).cookie));
        },
      },
      {
        as: "a code that GitHub did not give",
        status: 401,
        call: async (world) => {
          const { body, cookie } = await consent(world);
          return world.nobody(withGitHub({ ...body, code: "0123456789abcdef0123" }, cookie));
        },
      },
    ],
    call: async (world) => {
      const { body, cookie } = await consent(world);
      return world.nobody(withGitHub(body, cookie));
    },
  },
  {
    name: "POST /developers/oauth/google",
    credential: "public",
    status: 200,
    wrong: [
      wrong("a token that nobody signed", 401, google("e30.e30.e30")),
      {
        as: "a token for another app",
        status: 401,
        call: async ({ nobody, sandbox }) =>
          nobody(
            google(await sandbox.google.mint({ email: "g@example.com", flaw: "other_audience" })),
          ),
      },
    ],
    call: async ({ nobody, sandbox }) =>
      nobody(google(await sandbox.google.mint({ email: "grace@example.com" }))),
  },
  guarded("GET /developers/dashboard/identities", "dashboard", 200, {
    method: "GET",
    path: IDENTITIES,
  }),
  {
    ...guarded("DELETE /developers/dashboard/identities/{provider}", "dashboard", 204, unlink),
    call: async ({ nobody, sandbox, newcomer, baseUrl }) => {
      const login = await nobody(google(await sandbox.google.mint({ email: newcomer.email })));
      return bearing(baseUrl, text(login, "access_token"))(unlink);
    },
  },
];
