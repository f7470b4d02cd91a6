import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestClock } from "../../../service/test/clock.ts";
import { answerConsent, codeFrom } from "../../test/answer-consent.ts";
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

describe("Google's consent page", () => {
  it("leads from Allow back with a code, the state and what else Google adds", async () => {
    const back = await answerConsent(consentUrl());

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

  it("leads from Deny back with the error alone", async () => {
    const back = await answerConsent(consentUrl(), { decision: "deny" });

    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: "access_denied",
      state: "state-of-the-test",
    });
  });

  it.each<[string, Change]>([
    ["of another app", { client_id: "2-other.apps.googleusercontent.com" }],
    ["to an address that only begins as the registered one", { redirect_uri: `${REDIRECT_URI}/x` }],
    ["for a token", { response_type: "id_token" }],
    ["for no response", { response_type: undefined }],
    ["with a challenge without its method", { code_challenge_method: undefined }],
    ["with a state that is too long", { state: "s".repeat(1_025) }],
    ["without openid", { scope: "email profile" }],
    ["for more than who somebody is", { scope: "openid email profile drive" }],
  ])("refuses a request %s on a page of its own", async (_what, change) => {
    const response = await fetch(consentUrl(change));

    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("text/html");
  });

  it("grants nothing where the ID token is to have a flaw that is not known", async () => {
    await expect(answerConsent(consentUrl(), { id_token: "flawless" })).rejects.toThrow("400");
  });
});

describe("a code", () => {
  it("is good for ten minutes", async () => {
    const [first, second] = [await codeFrom(consentUrl()), await codeFrom(consentUrl())];

    clock.advanceSeconds(10 * 60 - 1);
    expect(await exchange({ code: first })).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", expires_in: 3_599, id_token: expect.any(String) },
    });

    clock.advanceSeconds(1);
    expect((await exchange({ code: second })).body.error).toBe("invalid_grant");
  });

  it("is good once", async () => {
    const code = await codeFrom(consentUrl());
    expect((await exchange({ code })).status).toBe(200);

    expect(await exchange({ code })).toEqual({
      status: 400,
      body: { error: "invalid_grant", error_description: "Malformed auth code." },
    });
  });

  it.each<[string, Change, number, string]>([
    ["another verifier", { code_verifier: VERIFIER.toUpperCase() }, 400, "invalid_grant"],
    ["no verifier", { code_verifier: undefined }, 400, "invalid_grant"],
    [
      "another registered address",
      { redirect_uri: OTHER_REDIRECT_URI },
      400,
      "redirect_uri_mismatch",
    ],
    ["another secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["another app", { client_id: "2-other.apps.googleusercontent.com" }, 401, "invalid_client"],
    ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["a field that there is not", { colour: "blue" }, 400, "invalid_request"],
  ])("is refused with %s", async (_what, change, status, error) => {
    const code = await codeFrom(consentUrl());

    expect(await exchange({ code, ...change })).toMatchObject({ status, body: { error } });
  });
});

describe("an ID token", () => {
  it("is signed with the published key, and says who, for whom and until when", async () => {
    const { headers, body } = await readCerts();
    expect(headers.get("cache-control")).toMatch(/max-age=\d+/);
    expect(JSON.stringify(body)).not.toMatch(/"[dpq]"/);

    const { payload, protectedHeader } = await jwtVerify(
      await idTokenOf(),
      createLocalJWKSet(body),
      { currentDate: clock.now() },
    );

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

  it("says of an address whether it is verified", async () => {
    expect(decodeJwt(await idTokenOf({ persona: "linus" }))["email_verified"]).toBe(false);
    const zoe = { persona: "somebody", email: "Zoe@example.com" };
    expect(decodeJwt(await idTokenOf(zoe))).toMatchObject({
      email: "Zoe@example.com",
      email_verified: true,
    });
    const unsure = decodeJwt(await idTokenOf({ ...zoe, unverified: "yes" }));
    expect(unsure["email_verified"]).toBe(false);
  });

  it("is the same person's whether it is minted or consented to", async () => {
    const consented = decodeJwt(await idTokenOf({ persona: "somebody", email: "zoE@example.com" }));
    const minted = decodeJwt(await mintIdToken(vendor.context, APP, { email: "ZOE@example.com" }));

    expect(minted.sub).toBe(consented.sub);
    expect(minted.sub).not.toBe(decodeJwt(await idTokenOf()).sub);
  });

  it.each(
    Object.keys(ID_TOKEN_FLAWS).filter((flaw): flaw is IdTokenFlaw => flaw in ID_TOKEN_FLAWS),
  )("is not what Google issues, where its flaw is %s", async (flaw) => {
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
  });

  it("has whatever claims a test gives it", async () => {
    const token = await mintIdToken(vendor.context, APP, {
      email: "zoe@example.com",
      claims: { hd: "example.com", email: undefined },
    });

    expect(decodeJwt(token)).toMatchObject({ hd: "example.com" });
    expect(decodeJwt(token)).not.toHaveProperty("email");
  });
});

describe("the signing key", () => {
  it("is made once, however many ask for it at once, and shown to nobody", async () => {
    await vendor.context.objects.remove("signing_key", "current");

    const answers = await Promise.all([readCerts(), readCerts(), readCerts()]);

    const [first, ...others] = answers.map(({ body }) => body);
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
