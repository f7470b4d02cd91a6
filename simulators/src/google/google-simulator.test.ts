import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestClock } from "../../../service/test/clock.ts";
import { codeFrom, completeConsentPage } from "../../test/complete-consent-page.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { googleSimulator, mintIdToken } from "./google-simulator.ts";
import { ID_TOKEN_FLAWS, type IdTokenFlaw } from "./id-tokens.ts";

const REDIRECT_URI = "https://purser.test/login/google/return";
const OTHER_REDIRECT_URI = "https://purser.test/other";
const APP = {
  clientId: "1-test.apps.googleusercontent.com",
  clientSecret: "GOCSPX-of-the-test",
  redirectUris: [REDIRECT_URI, OTHER_REDIRECT_URI],
};
const VERIFIER = "a-verifier-of-forty-three-characters-or-more";

const clock = new TestClock();
let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(googleSimulator(APP), { now: clock.now });
});
afterAll(() => vendor.close());

type Change = Readonly<Record<string, string | undefined>>;

function formOf(fields: Change): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, value);
  }
  return form;
}

function consentUrl(change: Change = {}): string {
  const query = formOf({
    client_id: APP.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid email profile",
    state: "state-of-the-test",
    nonce: "nonce-of-the-test",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    ...change,
  });
  return `${vendor.url}/o/oauth2/v2/auth?${query}`;
}

async function exchange(change: Change) {
  const response = await fetch(`${vendor.url}/token`, {
    method: "POST",
    body: formOf({
      grant_type: "authorization_code",
      client_id: APP.clientId,
      client_secret: APP.clientSecret,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...change,
    }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function idTokenOf(form: Readonly<Record<string, string>> = {}): Promise<string> {
  const { body } = await exchange({ code: await codeFrom(consentUrl(), form) });
  return String(body.id_token);
}

async function readCerts() {
  const response = await fetch(`${vendor.url}/oauth2/v3/certs`);
  return { headers: response.headers, body: JSON.parse(await response.text()) };
}

describe("Google consent page", () => {
  it("Allow: redirects with code, state and Google's other parameters", async () => {
    const back = await completeConsentPage(consentUrl());

    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{48}$/),
      state: "state-of-the-test",
      iss: "https://accounts.google.com",
      scope: "openid email profile",
      authuser: "0",
      prompt: "consent",
    });
  });

  it("Deny: redirects with the error and the state", async () => {
    const back = await completeConsentPage(consentUrl(), { decision: "deny" });

    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: "access_denied",
      state: "state-of-the-test",
    });
  });

  it.each<[string, Change]>([
    ["a different app", { client_id: "2-other.apps.googleusercontent.com" }],
    ["a redirect URI with a registered prefix", { redirect_uri: `${REDIRECT_URI}/x` }],
    ["a different response type", { response_type: "id_token" }],
    ["no response type", { response_type: undefined }],
    ["a challenge without a method", { code_challenge_method: undefined }],
    ["a state that is too long", { state: "s".repeat(1_025) }],
    ["no openid scope", { scope: "email profile" }],
    ["an additional scope", { scope: "openid email profile drive" }],
  ])("400 as a page without a redirect: %s", async (_what, change) => {
    const response = await fetch(consentUrl(change));

    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("text/html");
  });

  it("400: unknown defect of the ID token", async () => {
    await expect(completeConsentPage(consentUrl(), { id_token: "flawless" })).rejects.toThrow("400");
  });
});

describe("authorization codes", () => {
  it("400: the code is ten minutes old", async () => {
    const [first, second] = [await codeFrom(consentUrl()), await codeFrom(consentUrl())];

    clock.advanceSeconds(10 * 60 - 1);
    expect(await exchange({ code: first })).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", expires_in: 3_599, id_token: expect.any(String) },
    });

    clock.advanceSeconds(1);
    expect((await exchange({ code: second })).body.error).toBe("invalid_grant");
  });

  it("400: the code was already used", async () => {
    const code = await codeFrom(consentUrl());
    expect((await exchange({ code })).status).toBe(200);

    expect(await exchange({ code })).toEqual({
      status: 400,
      body: { error: "invalid_grant", error_description: "Malformed auth code." },
    });
  });

  it.each<[string, Change, number, string]>([
    ["a different code verifier", { code_verifier: VERIFIER.toUpperCase() }, 400, "invalid_grant"],
    ["no code verifier", { code_verifier: undefined }, 400, "invalid_grant"],
    ["a different registered redirect URI", { redirect_uri: OTHER_REDIRECT_URI }, 400, "redirect_uri_mismatch"],
    ["a different secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["a different app", { client_id: "2-other.apps.googleusercontent.com" }, 401, "invalid_client"],
    ["a different grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["an unknown field", { colour: "blue" }, 400, "invalid_request"],
  ])("400 or 401: %s", async (_what, change, status, error) => {
    const code = await codeFrom(consentUrl());

    expect(await exchange({ code, ...change })).toMatchObject({ status, body: { error } });
  });
});

describe("ID tokens", () => {
  it("are signed with the published key and have Google's claims", async () => {
    const { headers, body } = await readCerts();
    expect(headers.get("cache-control")).toMatch(/max-age=\d+/);
    expect(JSON.stringify(body)).not.toMatch(/"[dpq]"/);

    const { payload, protectedHeader } = await jwtVerify(await idTokenOf(), createLocalJWKSet(body), {
      currentDate: clock.now(),
    });

    expect(protectedHeader).toMatchObject({ alg: "RS256", kid: body.keys[0].kid });
    const now = Math.floor(clock.now().getTime() / 1_000);
    expect(payload).toEqual({
      iss: "https://accounts.google.com",
      azp: APP.clientId,
      aud: APP.clientId,
      sub: expect.stringMatching(/^\d{21}$/),
      email: "ada@example.com",
      email_verified: true,
      name: "Ada",
      nonce: "nonce-of-the-test",
      iat: now,
      exp: now + 3_600,
      jti: expect.any(String),
    });
  });

  it("email_verified depends on the user", async () => {
    expect(decodeJwt(await idTokenOf({ persona: "linus" }))["email_verified"]).toBe(false);
    const zoe = { persona: "other", email: "Zoe@example.com" };
    expect(decodeJwt(await idTokenOf(zoe))).toMatchObject({
      email: "Zoe@example.com",
      email_verified: true,
    });
    const unsure = decodeJwt(await idTokenOf({ ...zoe, unverified: "yes" }));
    expect(unsure["email_verified"]).toBe(false);
  });

  it("a minted token and a token from the consent page have the same sub", async () => {
    const consented = decodeJwt(await idTokenOf({ persona: "other", email: "zoE@example.com" }));
    const minted = decodeJwt(await mintIdToken(vendor.context, APP, { email: "ZOE@example.com" }));

    expect(minted.sub).toBe(consented.sub);
    expect(minted.sub).not.toBe(decodeJwt(await idTokenOf()).sub);
  });

  it.each(Object.keys(ID_TOKEN_FLAWS).filter((flaw): flaw is IdTokenFlaw => flaw in ID_TOKEN_FLAWS))(
    "defect %s: a client rejects the token",
    async (flaw) => {
      const consented = await idTokenOf({ id_token: flaw });
      const minted = await mintIdToken(vendor.context, APP, {
        email: "ada@example.com",
        person: "ada",
        name: "Ada",
        nonce: "nonce-of-the-test",
        flaw,
      });

      const keys = createLocalJWKSet((await readCerts()).body);
      for (const token of [consented, minted]) {
        const { nonce } = decodeJwt(token);
        const verified = jwtVerify(token, keys, {
          algorithms: ["RS256"],
          issuer: "https://accounts.google.com",
          audience: APP.clientId,
          currentDate: clock.now(),
        });
        await (flaw === "wrong_nonce"
          ? expect(verified.then(() => nonce)).resolves.not.toBe("nonce-of-the-test")
          : expect(verified).rejects.toThrow());
      }
    },
  );

  it("a minted token has the given claims", async () => {
    const token = await mintIdToken(vendor.context, APP, {
      email: "zoe@example.com",
      claims: { hd: "example.com", email: undefined },
    });

    expect(decodeJwt(token)).toMatchObject({ hd: "example.com" });
    expect(decodeJwt(token)).not.toHaveProperty("email");
  });
});

describe("signing key", () => {
  it("concurrent requests create one key, which the control page does not show", async () => {
    await vendor.context.objects.remove("signing_key", "current");

    const responses = await Promise.all([readCerts(), readCerts(), readCerts()]);

    const [first, ...others] = responses.map(({ body }) => body);
    for (const other of others) expect(other).toEqual(first);
    const token = await mintIdToken(vendor.context, APP, { email: "zoe@example.com" });
    expect(decodeProtectedHeader(token).kid).toBe(first.keys[0].kid);
    const shown = (await vendor.context.objects.listAll()).map(({ data }) => ({
      ...data,
      secret: undefined,
    }));
    expect(JSON.stringify(shown)).not.toMatch(/"[dpqn]"/);
  });
});
