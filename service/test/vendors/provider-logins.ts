import { randomUUID } from "node:crypto";
import { invariant } from "../../src/foundation/invariant.ts";
import { type accountsOf, type CallOptions, cookieOf } from "../accounts.ts";
import type { Answer, useHarness } from "../harness.ts";
import type { TestSandbox } from "./sandbox.ts";

/** What a person says on a provider's consent page of the sandbox. */
export interface Consent {
  readonly email?: string;
  readonly persona?: "ada" | "grace" | "linus" | "somebody";
  readonly unverified?: "yes";
  /** What is to be wrong with Google's ID token. */
  readonly id_token?: string;
  readonly decision?: "allow" | "deny";
}

/** What a token is to hold beside the address, and what is to be wrong with it. */
type TokenFields = Omit<Parameters<TestSandbox["google"]["mint"]>[0], "email">;

/** A login that a browser has begun at GitHub. */
export interface Begun {
  readonly state: string;
  readonly url: string;
  readonly cookie: string;
}

/** Logs in as people do whose word somebody else gives: over the sandbox's GitHub and Google. */
export function providerLoginsOf(
  harness: ReturnType<typeof useHarness>,
  { call }: Pick<ReturnType<typeof accountsOf>, "call">,
) {
  async function begin(options: CallOptions = {}): Promise<Begun> {
    const answer = await call("POST", "/oauth/github/state", undefined, options);
    invariant(answer.status === 200, "a login can be begun");
    const { state, authorization_url: url } = answer.body;
    return { state, url, cookie: cookieOf(answer, "svc_browser") };
  }

  /** Answers the consent page at this address, and gives the address that the browser is sent back to. */
  async function consent(url: string, said: Consent = {}): Promise<URL> {
    const persona = said.persona ?? (said.email === undefined ? "ada" : "somebody");
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ persona, decision: "allow", ...said }),
    });
    const location = answer.headers.get("location");
    invariant(location !== null, "the consent page sends the browser back");
    return new URL(location);
  }

  const codeOf = async (url: string, said?: Consent) =>
    (await consent(url, said)).searchParams.get("code") ?? "";

  /** Completes a begun login with a code, as the browser with this cookie. */
  const finish = ({ state, cookie }: Pick<Begun, "state" | "cookie">, code: string, more = {}) =>
    call("POST", "/oauth/github", { code, state, ...more }, { headers: { cookie } });

  /** Logs in with GitHub from beginning to end. */
  async function withGitHub(said?: Consent): Promise<Answer> {
    const begun = await begin();
    return finish(begun, await codeOf(begun.url, said));
  }

  /** Each is another token, as Google's are: of one second they would be the same. */
  const tokenFor = (email: string, { claims = {}, ...more }: TokenFields = {}) =>
    harness.sandbox.google.mint({ email, ...more, claims: { jti: randomUUID(), ...claims } });

  const sendToken = (id_token: string, more = {}) =>
    call("POST", "/oauth/google", { id_token, ...more });

  /** Logs in with an ID token of Google's. */
  const withGoogle = async (email: string, more?: TokenFields) =>
    sendToken(await tokenFor(email, more));

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
