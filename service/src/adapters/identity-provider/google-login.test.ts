import { createHash, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { googleSimulator, type MintedIdToken, mintIdToken } from "@purser/simulators/google/google-simulator.ts";
import { ID_TOKEN_FLAWS } from "@purser/simulators/google/id-tokens.ts";
import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { completeConsentPage } from "../../../../simulators/test/complete-consent-page.ts";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { TestClock } from "../../../test/clock.ts";
import { answering, startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createGoogleLogin, type GoogleLoginOptions } from "./google-login.ts";

const REDIRECT_URI = "https://purser.test/login/google/return";
const OTHER_REDIRECT_URI = "https://purser.test/other";
const APP = { clientId: "1-test.apps.googleusercontent.com", clientSecret: "GOCSPX-of-the-test" };
const REGISTERED = { ...APP, redirectUris: [REDIRECT_URI, OTHER_REDIRECT_URI] };
const NONCE = "nonce-of-the-test";

const clock = new TestClock();
let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(googleSimulator(REGISTERED), { now: clock.now });
});
afterAll(() => vendor.close());

function loginAt(change: Partial<GoogleLoginOptions> = {}) {
  return createGoogleLogin({
    accountsUrl: vendor.url,
    tokenUrl: `${vendor.url}/token`,
    certsUrl: `${vendor.url}/oauth2/v3/certs`,
    ...APP,
    clock,
    ...change,
  });
}

/** Submits the consent page with the given fields, and returns the authorization code. */
async function arrange(form: Readonly<Record<string, string>> = {}) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const url = loginAt().authorizationUrl({
    state: "state-of-the-test",
    redirectUri: REDIRECT_URI,
    codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    nonce: NONCE,
  });
  const back = await completeConsentPage(url, form);
  const code = back.searchParams.get("code") ?? "";
  return { url, grant: { code, codeVerifier, redirectUri: REDIRECT_URI, nonce: NONCE } };
}

const mint = (token: Partial<MintedIdToken> = {}) =>
  mintIdToken(vendor.context, REGISTERED, { email: "zoe@example.com", ...token });

function verify(idToken: string, nonce?: string, login = loginAt()) {
  return login.idTokens.identify({ idToken, nonce, now: clock.now() });
}

async function failureOf(identified: Promise<unknown>): Promise<VendorError> {
  const thrown: unknown = await identified.catch((error: unknown) => error);
  if (thrown instanceof VendorError) return thrown;
  throw new Error("The error is not a VendorError.", { cause: thrown });
}

const certsRead = () => vendor.requests.list().filter(({ operation }) => operation === "certs").length;

describe("createGoogleLogin", () => {
  it("requests only the identity scopes, with PKCE and a nonce", async () => {
    const { url } = await arrange();

    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: APP.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      scope: "openid email profile",
      state: "state-of-the-test",
      nonce: NONCE,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  it("returns Google's id, and the email address in lowercase", async () => {
    const { grant } = await arrange({ persona: "other", email: "Zoe@Example.com" });

    expect(await loginAt().identify(grant)).toEqual({
      subject: expect.stringMatching(/^\d{21}$/),
      email: "zoe@example.com",
      emailVerified: true,
      name: "Zoe",
    });
  });

  it.each(Object.keys(ID_TOKEN_FLAWS))("unauthorized: an ID token with the flaw %s", async (flaw) => {
    const { grant } = await arrange({ id_token: flaw });

    expect((await failureOf(loginAt().identify(grant))).failure).toBe("unauthorized");
  });

  it("unauthorized: an ID token from another login", async () => {
    const { grant } = await arrange();

    const other = { ...grant, nonce: "nonce-of-another-login" };
    expect(await failureOf(loginAt().identify(other))).toMatchObject({
      failure: "unauthorized",
      vendorMessage: "The nonce does not match.",
    });
  });

  it("refused: a used code, a different verifier, or a different redirect URI", async () => {
    const { grant } = await arrange();
    await loginAt().identify(grant);
    const verifier = { ...(await arrange()).grant, codeVerifier: "x".repeat(43) };
    const address = { ...(await arrange()).grant, redirectUri: OTHER_REDIRECT_URI };

    for (const [presented, vendorCode] of [
      [grant, "invalid_grant"],
      [verifier, "invalid_grant"],
      [address, "redirect_uri_mismatch"],
    ] as const) {
      expect(await failureOf(loginAt().identify(presented))).toMatchObject({
        failure: "refused",
        vendor: "google",
        operation: "token",
        vendorCode,
      });
    }
  });

  it("unauthorized: the client secret is wrong; the error contains Google's code", async () => {
    const { grant } = await arrange();

    const login = loginAt({ clientSecret: "wrong-secret" });
    expect(await failureOf(login.identify(grant))).toMatchObject({
      failure: "unauthorized",
      vendorCode: "invalid_client",
    });
  });

  it("unknown: a token response without an ID token, or with one that is too long", async () => {
    const { grant } = await arrange();
    for (const tokens of [{ access_token: "ya29.x" }, { id_token: "x".repeat(20_000) }]) {
      const url = await startMisbehavingVendor(answering({ "POST /token": tokens }));

      const login = loginAt({ tokenUrl: `${url}/token` });
      expect((await failureOf(login.identify(grant))).failure).toBe("unknown");
    }
  });
});

describe("ID token from a client", () => {
  it("returns the identity, with or without an expected nonce", async () => {
    const token = await mint({ nonce: NONCE, claims: { hd: "example.com" } });

    const person = { email: "zoe@example.com", emailVerified: true };
    expect(await verify(token, NONCE)).toMatchObject(person);
    expect(await verify(token)).toMatchObject(person);
  });

  it.each(Object.keys(ID_TOKEN_FLAWS).filter((flaw) => flaw !== "wrong_nonce"))(
    "unauthorized: a token with the flaw %s",
    async (flaw) => {
      const token = await mint({ flaw: flaw as keyof typeof ID_TOKEN_FLAWS });

      expect((await failureOf(verify(token))).failure).toBe("unauthorized");
    },
  );

  it("unauthorized: a different nonce, or no nonce", async () => {
    expect((await failureOf(verify(await mint({ flaw: "wrong_nonce" }), NONCE))).failure).toBe("unauthorized");
    expect((await failureOf(verify(await mint(), NONCE))).failure).toBe("unauthorized");
    expect((await failureOf(verify(await mint({ nonce: NONCE }), ""))).failure).toBe("unauthorized");
  });

  it("is valid for exactly one hour", async () => {
    const token = await mint();
    const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);
    const login = loginAt();
    const verifyAt = (seconds: number) =>
      login.idTokens.identify({ idToken: token, nonce: undefined, now: at(seconds) });

    expect(await verifyAt(3_599)).toMatchObject({ email: "zoe@example.com" });
    expect(await failureOf(verifyAt(3_600))).toMatchObject({
      failure: "unauthorized",
      vendorCode: "ERR_JWT_EXPIRED",
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["without an issuer", { iss: undefined }],
    ["with an issuer that has Google's as a prefix", { iss: "https://accounts.google.com.evil.test" }],
    ["without an audience", { aud: undefined }],
    ["with an array of audiences", { aud: [APP.clientId, "another"] }],
    ["without a subject", { sub: undefined }],
    ["with an empty subject", { sub: "" }],
    ["with a number as subject", { sub: 7 }],
    ["without an expiry", { exp: undefined }],
    ["without an issue time", { iat: undefined }],
    ["without an address", { email: undefined }],
    ["with an invalid address", { email: "zoe" }],
    ["not valid yet", { nbf: Math.floor(clock.now().getTime() / 1_000) + 60 }],
  ])("unauthorized: a token %s", async (_what, claims) => {
    expect((await failureOf(verify(await mint({ claims })))).failure).toBe("unauthorized");
  });

  it("accepts the issuer without a scheme", async () => {
    const token = await mint({ claims: { iss: "accounts.google.com" } });
    expect(await verify(token)).toMatchObject({ email: "zoe@example.com" });
  });

  it.each([false, "true", 1, undefined])("emailVerified is false if email_verified is %s", async (email_verified) => {
    const token = await mint({ claims: { email_verified } });
    expect(await verify(token)).toMatchObject({ emailVerified: false });
  });

  it.each(["", "x", "a.b.c", "e30.e30.", `${"x".repeat(20_000)}.e30.e30`])(
    "unauthorized without a call: not a token (%#)",
    async (text) => {
      const before = certsRead();
      expect((await failureOf(verify(text))).failure).toBe("unauthorized");
      expect(certsRead()).toBe(before);
    },
  );

  it("unauthorized: an algorithm other than RS256, even if the key supports it", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const { kty, n, e } = await exportJWK(publicKey);
    // Unlike Google's keys, this key has no `alg`.
    const certs = answering({ "GET /certs": { keys: [{ kty, n, e, kid: "bare" }] } });
    const login = loginAt({ certsUrl: `${await startMisbehavingVendor(certs)}/certs` });
    const claims = decodeJwt(await mint());
    const signed = async (alg: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid: "bare" })
        .sign(await importJWK(await exportJWK(privateKey), alg));

    expect(await verify(await signed("RS256"), undefined, login)).toMatchObject({
      name: "zoe@example.com",
    });
    for (const alg of ["RS512", "PS256"]) {
      expect(await failureOf(verify(await signed(alg), undefined, login))).toMatchObject({
        failure: "unauthorized",
        vendorCode: "ERR_JOSE_ALG_NOT_ALLOWED",
      });
    }
  });

  it("the error does not contain the token", async () => {
    const token = await mint({ flaw: "other_audience" });

    const text = inspect(await failureOf(verify(token)), { depth: 10, showHidden: true });

    expect(text).toContain("aud");
    for (const part of [...token.split("."), "zoe@example.com"]) expect(text).not.toContain(part);
  });
});

describe("Google's keys", () => {
  it("are fetched once for many tokens", async () => {
    const login = loginAt();
    const before = certsRead();

    await Promise.all([verify(await mint(), undefined, login), verify(await mint(), undefined, login)]);
    await verify(await mint(), undefined, login);

    expect(certsRead()).toBe(before + 1);
  });

  it("are fetched again for an unknown key id, but not for every token with an unknown key id", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const login = loginAt();
    const old = await mint();
    await verify(old, undefined, login);
    await vendor.context.objects.remove("signing_key", "current");
    const token = await mint();
    const before = certsRead();

    expect((await failureOf(verify(token, undefined, login))).failure).toBe("unauthorized");
    expect(certsRead()).toBe(before);

    vi.advanceTimersByTime(30_001);
    expect(await verify(token, undefined, login)).toMatchObject({ email: "zoe@example.com" });
    expect(certsRead()).toBe(before + 1);

    const unknownKeyToken = await mint({ flaw: "unknown_key" });
    vi.advanceTimersByTime(30_001);
    for (let times = 0; times < 3; times += 1) {
      expect((await failureOf(verify(unknownKeyToken, undefined, login))).failure).toBe("unauthorized");
    }
    expect(certsRead()).toBe(before + 2);
    // The withdrawn key is no longer accepted.
    expect((await failureOf(verify(old, undefined, login))).failure).toBe("unauthorized");
  });

  it("are fetched again after ten minutes; tokens are rejected if the fetch fails", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const login = loginAt();
    const token = await mint();
    await verify(token, undefined, login);

    vi.advanceTimersByTime(10 * 60_000 - 1);
    vendor.outcomes.force({ operation: "certs", outcome: "error_applied" });
    expect(await verify(token, undefined, login)).toMatchObject({ email: "zoe@example.com" });

    vi.advanceTimersByTime(1);
    expect((await failureOf(verify(token, undefined, login))).failure).toBe("unavailable");
    expect(await verify(token, undefined, login)).toMatchObject({ email: "zoe@example.com" });
  });

  it.each<Outcome>(["refused", "rate_limited", "error_applied", "timeout_lost"])(
    "unavailable: Google's keys cannot be fetched (%s); the next login fetches them again",
    async (outcome) => {
      const login = loginAt({ timeoutMs: 400 });
      const token = await mint();
      vendor.outcomes.force({ operation: "certs", outcome });

      expect(await failureOf(verify(token, undefined, login))).toMatchObject({
        failure: "unavailable",
        vendor: "google",
      });
      expect(await verify(token, undefined, login)).toMatchObject({ email: "zoe@example.com" });
    },
  );

  it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
    ["plain text", (response) => response.end("keys")],
    ["an unexpected shape", (response) => response.end('{"keys":"all"}')],
    [
      "a redirect to the keys",
      (response) => response.writeHead(302, { location: `${vendor.url}/oauth2/v3/certs` }).end(),
    ],
    ["more than 1 MiB", (response) => response.end(JSON.stringify({ keys: [], more: "x".repeat(2 ** 20) }))],
    ["a closed connection", (response) => response.destroy()],
  ])("unavailable: the response is %s", async (_what, respond) => {
    const url = await startMisbehavingVendor(respond);
    const login = loginAt({ certsUrl: `${url}/certs` });

    expect((await failureOf(verify(await mint(), undefined, login))).failure).toBe("unavailable");
  });

  it("unavailable: the connection is refused", async () => {
    const login = loginAt({ certsUrl: `${await unreachableUrl()}/certs` });

    expect((await failureOf(verify(await mint(), undefined, login))).failure).toBe("unavailable");
  });
});
