import { createHash, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { githubSimulator } from "@purser/simulators/github/github-simulator.ts";
import { googleSimulator } from "@purser/simulators/google/google-simulator.ts";
import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeConsentPage } from "../../../../simulators/test/complete-consent-page.ts";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import type { RedirectLogin } from "../../ports/identity-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createGitHubLogin } from "./github-login.ts";
import { createGoogleLogin } from "./google-login.ts";

/** All `RedirectLogin` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS = [
  { name: "GitHub", start: startGitHub },
  { name: "Google", start: startGoogle },
] as const;

const APP = { clientId: "client-of-the-test", clientSecret: "secret-of-the-test" };
const REDIRECT_URI = "https://purser.test/login/return";
const OTHER_REDIRECT_URI = "https://purser.test/other";
const REGISTERED = { ...APP, redirectUris: [REDIRECT_URI, OTHER_REDIRECT_URI] };

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  /** @param url the URL of the code exchange */
  readonly open: (
    url: string,
    change?: { readonly timeoutMs?: number; readonly clientSecret?: string },
  ) => RedirectLogin;
  /** The name of the code exchange in the vendor's API description. */
  readonly exchange: string;
}

async function startGitHub(): Promise<Subject> {
  const vendor = await startTestVendor(githubSimulator(REGISTERED));
  return {
    vendor,
    exchange: "githubAccessToken",
    open: (webUrl, change) => createGitHubLogin({ webUrl, apiUrl: vendor.url, ...APP, ...change }),
  };
}

async function startGoogle(): Promise<Subject> {
  const vendor = await startTestVendor(googleSimulator(REGISTERED));
  return {
    vendor,
    exchange: "token",
    open: (url, change) =>
      createGoogleLogin({
        accountsUrl: vendor.url,
        tokenUrl: `${url}/token`,
        certsUrl: `${vendor.url}/oauth2/v3/certs`,
        ...APP,
        ...change,
      }),
  };
}

describe.each(ADAPTERS)("login with $name", ({ start }) => {
  let subject: Subject;
  let login: RedirectLogin;
  beforeAll(async () => {
    subject = await start();
    login = subject.open(subject.vendor.url);
  });
  afterAll(() => subject.vendor.close());

  /** Submits the consent page with the given fields, and returns the authorization code and the redirect URL. */
  async function arrange(form: Readonly<Record<string, string>> = {}) {
    const codeVerifier = randomBytes(32).toString("base64url");
    const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
    const nonce = "nonce-of-the-test";
    const request = { state: "state-of-the-test", redirectUri: REDIRECT_URI, codeChallenge, nonce };
    const url = login.authorizationUrl(request);
    const back = await completeConsentPage(url, form);
    const code = back.searchParams.get("code") ?? "";
    return { request, url, back, grant: { code, codeVerifier, redirectUri: REDIRECT_URI, nonce } };
  }

  /** Returns the VendorError that `identify` throws. */
  async function failureOf(identified: Promise<unknown>): Promise<VendorError> {
    const thrown: unknown = await identified.catch((error: unknown) => error);
    if (thrown instanceof VendorError) return thrown;
    throw new Error("The error is not a VendorError.", { cause: thrown });
  }

  it("sends the state, redirect URI and code challenge, and redirects back to the redirect URI", async () => {
    const { request, url, back } = await arrange();

    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      client_id: APP.clientId,
      redirect_uri: REDIRECT_URI,
      state: request.state,
      code_challenge: request.codeChallenge,
      code_challenge_method: "S256",
    });
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect(back.searchParams.get("state")).toBe(request.state);
  });

  it("returns the identity, with the email address in lowercase", async () => {
    const { grant } = await arrange({ persona: "other", email: "Zoe@Example.com" });

    expect(await login.identify(grant)).toEqual({
      subject: expect.stringMatching(/^\d+$/),
      email: "zoe@example.com",
      emailVerified: true,
      name: "Zoe",
    });
  });

  it("emailVerified is false for an unverified address", async () => {
    const { grant } = await arrange({ persona: "linus" });

    expect(await login.identify(grant)).toMatchObject({
      email: "linus@example.com",
      emailVerified: false,
    });
  });

  it("returns the same subject for the same user, and a different one for another user", async () => {
    const subjectOf = async (persona: string) => (await login.identify((await arrange({ persona })).grant)).subject;

    const ada = await subjectOf("ada");

    expect(await subjectOf("ada")).toBe(ada);
    expect(await subjectOf("grace")).not.toBe(ada);
  });

  it("refused: a used code, a different verifier, or a different redirect URI", async () => {
    const { grant } = await arrange();
    await login.identify(grant);
    const verifier = { ...(await arrange()).grant, codeVerifier: "x".repeat(43) };
    const address = { ...(await arrange()).grant, redirectUri: OTHER_REDIRECT_URI };

    for (const presented of [grant, verifier, address]) {
      expect(await failureOf(login.identify(presented))).toMatchObject({
        failure: "refused",
        operation: subject.exchange,
      });
    }
  });

  it("refused or unauthorized: a wrong client secret", async () => {
    const { grant } = await arrange();
    const misconfigured = subject.open(subject.vendor.url, { clientSecret: "wrong-secret" });

    const { failure } = await failureOf(misconfigured.identify(grant));

    expect(["refused", "unauthorized"]).toContain(failure);
  });

  it.each<[Outcome, readonly string[]]>([
    ["refused", ["refused", "unauthorized"]],
    ["rate_limited", ["rate_limited"]],
    ["error_applied", ["unknown"]],
    ["timeout_applied", ["unknown"]],
    ["timeout_lost", ["unknown"]],
    ["duplicate", ["refused"]],
  ])("code exchange with outcome %s fails with one of %j", async (outcome, failures) => {
    const { grant } = await arrange();
    subject.vendor.outcomes.force({ operation: subject.exchange, outcome });
    const timeoutMs = outcome.startsWith("timeout") ? 300 : 5_000;

    const { failure } = await failureOf(subject.open(subject.vendor.url, { timeoutMs }).identify(grant));

    expect(failures).toContain(failure);
  });

  it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
    ["closes the connection", (response) => response.destroy()],
    ["responds with HTML", (response) => response.end("<html>All good</html>")],
    ["responds with an unexpected shape", (response) => response.end("{}")],
    ["responds with more than 1 MiB", (response) => response.end(`["${"x".repeat(2 ** 20)}"]`)],
    ["redirects to another host", (response) => response.writeHead(307, { location: "/elsewhere" }).end()],
  ])("unknown, without a retry: the exchange %s", async (_what, respond) => {
    let sent = 0;
    const url = await startMisbehavingVendor((response, request) => {
      sent += 1;
      respond(response, request);
    });
    const presented = (await arrange()).grant;

    expect((await failureOf(subject.open(url).identify(presented))).failure).toBe("unknown");
    expect(sent).toBe(1);
  });

  it("unavailable: the connection is refused", async () => {
    const { grant } = await arrange();

    const { failure } = await failureOf(subject.open(await unreachableUrl()).identify(grant));

    expect(failure).toBe("unavailable");
  });

  it("errors do not contain secrets that the vendor echoes", async () => {
    const { grant } = await arrange();
    const secrets = [APP.clientSecret, grant.code, grant.codeVerifier];
    const url = await startMisbehavingVendor((response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: grant.code, error_description: secrets.join(" ") }));
    });

    const text = inspect(await failureOf(subject.open(url).identify(grant)), { depth: 10 });

    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
