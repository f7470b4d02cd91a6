import { randomUUID } from "node:crypto";
import { invariant } from "../../src/foundation/invariant.ts";
import { type accountsOf, type CallOptions, cookieOf } from "../accounts.ts";
import type { ApiResponse, useHarness } from "../harness.ts";
import type { TestSandbox } from "./sandbox.ts";

/** The user's choices on the sandbox's consent page. */
export interface Consent {
  readonly email?: string;
  readonly persona?: "ada" | "grace" | "linus" | "other";
  readonly unverified?: "yes";
  /** The defect that the sandbox puts into Google's ID token. */
  readonly id_token?: string;
  readonly decision?: "allow" | "deny";
}

/** The optional fields of a sandbox ID token. */
type TokenFields = Omit<Parameters<TestSandbox["google"]["mint"]>[0], "email">;

/** A GitHub login that a browser has started. */
export interface StartedLogin {
  readonly state: string;
  readonly url: string;
  readonly cookie: string;
}

/** Helpers for logins with the sandbox's GitHub and Google. */
export function providerLoginsOf(
  harness: ReturnType<typeof useHarness>,
  { call }: Pick<ReturnType<typeof accountsOf>, "call">,
) {
  async function begin(options: CallOptions = {}): Promise<StartedLogin> {
    const answer = await call("POST", "/oauth/github/state", undefined, options);
    invariant(answer.status === 200, "a login can be started");
    const { state, authorization_url: url } = answer.body;
    return { state, url, cookie: cookieOf(answer, "svc_browser") };
  }

  /** Submits the consent page at this URL. Returns the URL that the page redirects to. */
  async function consent(url: string, choice: Consent = {}): Promise<URL> {
    const persona = choice.persona ?? (choice.email === undefined ? "ada" : "other");
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ persona, decision: "allow", ...choice }),
    });
    const location = answer.headers.get("location");
    invariant(location !== null, "the consent page redirects the browser");
    return new URL(location);
  }

  const codeOf = async (url: string, choice?: Consent) => (await consent(url, choice)).searchParams.get("code") ?? "";

  /** Completes a login with an authorization code, from the browser that has this cookie. */
  const finish = ({ state, cookie }: Pick<StartedLogin, "state" | "cookie">, code: string, more = {}) =>
    call("POST", "/oauth/github", { code, state, ...more }, { headers: { cookie } });

  /** Logs in with GitHub. */
  async function withGitHub(choice?: Consent): Promise<ApiResponse> {
    const started = await begin();
    return finish(started, await codeOf(started.url, choice));
  }

  /**
   * Returns a new ID token for each call, as Google does. Without `jti`, tokens issued in the same second would be
   * identical.
   */
  const tokenFor = (email: string, { claims = {}, ...more }: TokenFields = {}) =>
    harness.sandbox.google.mint({ email, ...more, claims: { jti: randomUUID(), ...claims } });

  const sendToken = (id_token: string, more = {}) => call("POST", "/oauth/google", { id_token, ...more });

  /** Logs in with a Google ID token. */
  const withGoogle = async (email: string, more?: TokenFields) => sendToken(await tokenFor(email, more));

  return {
    begin,
    consent,
    codeOf,
    finish,
    withGitHub,
    tokenFor,
    sendToken,
    withGoogle,
  };
}
