import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestClock } from "../../../service/test/clock.ts";
import { codeFrom, completeConsentPage } from "../../test/complete-consent-page.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { githubSimulator } from "./github-simulator.ts";

const APP = { clientId: "Ov23liTest", clientSecret: "secret-of-the-test" };
const REDIRECT_URI = "https://purser.test/login/github/return";
const OTHER_REDIRECT_URI = "https://purser.test/other";
const VERIFIER = "a-verifier-of-forty-three-characters-or-more";

const clock = new TestClock();
let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(githubSimulator({ ...APP, redirectUris: [REDIRECT_URI, OTHER_REDIRECT_URI] }), {
    now: clock.now,
  });
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
    scope: "read:user user:email",
    state: "state-of-the-test",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    ...change,
  });
  return `${vendor.url}/login/oauth/authorize?${query}`;
}

async function exchange(change: Change) {
  const response = await fetch(`${vendor.url}/login/oauth/access_token`, {
    method: "POST",
    headers: { accept: "application/json, */*" },
    body: formOf({
      client_id: APP.clientId,
      client_secret: APP.clientSecret,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...change,
    }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

async function tokenOf(form: Readonly<Record<string, string>> = {}, change: Change = {}) {
  const { body } = await exchange({ code: await codeFrom(consentUrl(change), form) });
  return String(body.access_token);
}

async function read(path: string, authorization: string) {
  const response = await fetch(vendor.url + path, { headers: { authorization } });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("GitHub consent page", () => {
  it("Allow: redirects with code, state and issuer", async () => {
    const back = await completeConsentPage(consentUrl());

    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{48}$/),
      state: "state-of-the-test",
      iss: "https://github.com/login/oauth",
    });
  });

  it("Deny: redirects with GitHub's error and without a code", async () => {
    const back = await completeConsentPage(consentUrl(), { decision: "deny" });

    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      error_description: "The user has denied your application access.",
      state: "state-of-the-test",
    });
    expect(back.searchParams.has("code")).toBe(false);
  });

  it.each<[string, Change]>([
    ["a different app", { client_id: "Ov23liOther" }],
    ["a redirect URI with a registered prefix", { redirect_uri: `${REDIRECT_URI}/x` }],
    ["a challenge without a method", { code_challenge_method: undefined }],
    ["the plain challenge method", { code_challenge_method: "plain" }],
    ["a state that is too long", { state: "s".repeat(1_025) }],
    ["an additional scope", { scope: "read:user user:email repo" }],
  ])("400 without a redirect, for GET and POST: %s", async (_what, change) => {
    const denial = { method: "POST", body: new URLSearchParams({ decision: "deny" }) };
    for (const request of [{}, denial]) {
      const response = await fetch(consentUrl(change), { ...request, redirect: "manual" });

      expect(response.status).toBe(400);
      expect(response.headers.has("location")).toBe(false);
    }
  });

  it.each([
    ["an unknown persona", { persona: "mallory" }],
    ["another user without an address", { persona: "other" }],
    ["an invalid address", { persona: "ada", email: "ada at home" }],
  ])("400: %s", async (_what, form) => {
    await expect(completeConsentPage(consentUrl(), form)).rejects.toThrow("status 400");
  });
});

describe("authorization codes", () => {
  it("bad_verification_code: the code is ten minutes old", async () => {
    const [first, second] = [await codeFrom(consentUrl()), await codeFrom(consentUrl())];

    clock.advanceSeconds(10 * 60 - 1);
    expect((await exchange({ code: first })).body).toEqual({
      access_token: expect.stringMatching(/^gho_[0-9a-f]{36}$/),
      token_type: "bearer",
      scope: "read:user,user:email",
    });

    clock.advanceSeconds(1);
    expect((await exchange({ code: second })).body.error).toBe("bad_verification_code");
  });

  it("bad_verification_code: the code was already used, even unsuccessfully", async () => {
    const code = await codeFrom(consentUrl());
    expect((await exchange({ code })).body).toHaveProperty("access_token");
    expect((await exchange({ code })).body.error).toBe("bad_verification_code");

    const usedCode = await codeFrom(consentUrl());
    await exchange({ code: usedCode, code_verifier: VERIFIER.toUpperCase() });
    expect((await exchange({ code: usedCode })).body.error).toBe("bad_verification_code");
  });

  it.each<[string, Change, string]>([
    ["a different code verifier", { code_verifier: VERIFIER.toUpperCase() }, "bad_verification_code"],
    ["a different registered redirect URI", { redirect_uri: OTHER_REDIRECT_URI }, "redirect_uri_mismatch"],
    ["a different secret", { client_secret: "wrong" }, "incorrect_client_credentials"],
    ["a different app", { client_id: "Ov23liOther" }, "incorrect_client_credentials"],
    ["a different code", { code: "0".repeat(48) }, "bad_verification_code"],
  ])("200 with an error, as at GitHub: %s", async (_what, change, error) => {
    const code = await codeFrom(consentUrl());

    const response = await exchange({ code, ...change });

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      error,
      error_description: expect.any(String),
      error_uri: expect.stringContaining(`#${error.replaceAll("_", "-")}`),
    });
  });

  const WITHOUT_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

  it("200: no PKCE, state or redirect URI", async () => {
    const code = await codeFrom(consentUrl({ ...WITHOUT_PKCE, state: undefined }));
    const { body } = await exchange({ code, code_verifier: undefined, redirect_uri: undefined });
    expect(body).toHaveProperty("access_token");
  });

  it.each([
    ["a challenge without a verifier", {}, { code_verifier: undefined }],
    ["a verifier without a challenge", WITHOUT_PKCE, {}],
  ])("bad_verification_code: %s", async (_what, consentChange, exchangeChange) => {
    const code = await codeFrom(consentUrl(consentChange));
    expect((await exchange({ code, ...exchangeChange })).body.error).toBe("bad_verification_code");
  });

  it.each<[string, string | undefined]>([
    ["authorization_code", undefined],
    ["password", "unsupported_grant_type"],
  ])("grant_type %s: error %s", async (grant_type, error) => {
    const { body } = await exchange({ code: await codeFrom(consentUrl()), grant_type });
    expect(body.error).toBe(error);
  });

  it("422: unknown field", async () => {
    const code = await codeFrom(consentUrl());
    expect((await exchange({ code, colour: "blue" })).status).toBe(422);
  });

  it("200 with a form body: the client does not accept JSON", async () => {
    const body = formOf({ client_id: APP.clientId, client_secret: APP.clientSecret, code: "x" });
    const url = `${vendor.url}/login/oauth/access_token`;
    const response = await fetch(url, { method: "POST", headers: { accept: "*/*" }, body });
    expect(response.headers.get("content-type")).toMatch("application/x-www-form-urlencoded");
    expect(await response.formData().then((form) => form.get("error"))).toBe("bad_verification_code");
  });
});

describe("access tokens", () => {
  it("200: profile and addresses; the profile's address is not the primary one", async () => {
    const authorization = `Bearer ${await tokenOf()}`;

    const user = await read("/user", authorization);
    const emails = await read("/user/emails", authorization);

    expect(user.body).toMatchObject({ login: "ada", name: "Ada", email: "shown-ada@example.com" });
    expect(Number.isInteger(user.body.id)).toBe(true);
    expect(emails.body).toEqual([
      {
        email: `${user.body.id}+ada@users.noreply.github.com`,
        primary: false,
        verified: true,
        visibility: null,
      },
      { email: "ada@example.com", primary: true, verified: true, visibility: "private" },
    ]);
  });

  it("200: Linus has an unverified primary address", async () => {
    const emails = await read("/user/emails", `Bearer ${await tokenOf({ persona: "linus" })}`);

    expect(emails.body[1]).toMatchObject({ email: "linus@example.com", verified: false });
  });

  it("the ID of the persona `other` depends on the address, Ada's ID does not", async () => {
    const idOf = async (form: Readonly<Record<string, string>>) =>
      (await read("/user", `Bearer ${await tokenOf(form)}`)).body.id;
    const zoe = { persona: "other", email: "zoe@example.com" };

    expect(await idOf(zoe)).toBe(await idOf({ ...zoe, unverified: "yes" }));
    expect(await idOf({ email: "ada@elsewhere.example" })).toBe(await idOf({}));
    expect(new Set([await idOf(zoe), await idOf({}), await idOf({ persona: "grace" })]).size).toBe(3);
  });

  it("404: addresses without the scope user:email", async () => {
    const authorization = `Bearer ${await tokenOf({}, { scope: "read:user" })}`;

    expect((await read("/user", authorization)).status).toBe(200);
    expect(await read("/user/emails", authorization)).toMatchObject({
      status: 404,
      body: { message: "Not Found", status: "404" },
    });
  });

  it.each(["", "Bearer gho_made_up", "Bearer none", "Basic Z2l0aHVi"])(
    "401: authorization '%s'",
    async (authorization) => {
      for (const path of ["/user", "/user/emails"]) {
        const response = await read(path, authorization);

        expect(response.status).toBe(401);
        expect(response.body.message).toBe("Bad credentials");
      }
    },
  );
});

describe("control page", () => {
  it("does not contain codes or tokens", async () => {
    const code = await codeFrom(consentUrl());
    const { body } = await exchange({ code });

    const text = JSON.stringify(await vendor.context.objects.listAll());

    expect(text).toContain('"type":"access_token"');
    expect(text).not.toContain(code);
    expect(text).not.toContain(body.access_token);
  });
});
