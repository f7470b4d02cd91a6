import { createHash, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { githubSimulator } from "@purser/simulators/github/github-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeConsentPage } from "../../../../simulators/test/complete-consent-page.ts";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { answering, startMisbehavingVendor } from "../../../test/vendors/misbehaving-vendor.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createGitHubLogin, type GitHubLoginOptions } from "./github-login.ts";

const APP = { clientId: "Ov23liTest", clientSecret: "secret-of-the-test" };
const REDIRECT_URI = "https://purser.test/login/github/return";
const OTHER_REDIRECT_URI = "https://purser.test/other";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(githubSimulator({ ...APP, redirectUris: [REDIRECT_URI, OTHER_REDIRECT_URI] }));
});
afterAll(() => vendor.close());

function loginAt(url: string, change: Partial<GitHubLoginOptions> = {}) {
  return createGitHubLogin({ webUrl: url, apiUrl: url, ...APP, ...change });
}

/** Submits the consent page with the given fields, and returns the authorization code and the redirect URL. */
async function arrange(form: Readonly<Record<string, string>> = {}) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const nonce = "unused";
  const url = loginAt(vendor.url).authorizationUrl({
    state: "state-of-the-test",
    redirectUri: REDIRECT_URI,
    codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    nonce,
  });
  const back = await completeConsentPage(url, form);
  const code = back.searchParams.get("code") ?? "";
  return { url, back, grant: { code, codeVerifier, redirectUri: REDIRECT_URI, nonce } };
}

async function failureOf(identified: Promise<unknown>): Promise<VendorError> {
  const thrown: unknown = await identified.catch((error: unknown) => error);
  if (thrown instanceof VendorError) return thrown;
  throw new Error("The error is not a VendorError.", { cause: thrown });
}

/** Identifies a user with a fake vendor that returns the given responses for any authorization code. */
async function identifyFrom(user: unknown, emails: unknown) {
  const fake = await startMisbehavingVendor(
    answering({
      "POST /login/oauth/access_token": { access_token: "gho_of-the-test" },
      "GET /user": user,
      "GET /user/emails": emails,
    }),
  );
  const { grant } = await arrange();
  return loginAt(fake).identify(grant);
}

describe("createGitHubLogin", () => {
  it("requests only the identity scopes, with PKCE", async () => {
    const { url, back } = await arrange();

    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: APP.clientId,
      redirect_uri: REDIRECT_URI,
      scope: "read:user user:email",
      state: "state-of-the-test",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(back.searchParams.get("state")).toBe("state-of-the-test");
  });

  it("returns GitHub's id, and the primary email address in lowercase", async () => {
    const { grant } = await arrange({ persona: "other", email: "Zoe@Example.com" });

    expect(await loginAt(vendor.url).identify(grant)).toEqual({
      subject: expect.stringMatching(/^\d{8}$/),
      email: "zoe@example.com",
      emailVerified: true,
      name: "Zoe",
    });
  });

  it("emailVerified is false for an unverified primary address, even if other addresses are verified", async () => {
    const { grant } = await arrange({ persona: "linus" });

    expect(await loginAt(vendor.url).identify(grant)).toMatchObject({
      email: "linus@example.com",
      emailVerified: false,
    });
  });

  it("returns the same subject after the email address has changed", async () => {
    const before = await loginAt(vendor.url).identify((await arrange()).grant);
    const moved = await arrange({ persona: "ada", email: "ada@elsewhere.example" });
    const after = await loginAt(vendor.url).identify(moved.grant);

    expect(after.subject).toBe(before.subject);
    expect(after.email).not.toBe(before.email);
  });
});

describe("authorization code", () => {
  it("refused: the code was used before", async () => {
    const { grant } = await arrange();
    await loginAt(vendor.url).identify(grant);

    expect(await failureOf(loginAt(vendor.url).identify(grant))).toMatchObject({
      failure: "refused",
      vendor: "github",
      operation: "githubAccessToken",
      vendorCode: "bad_verification_code",
      vendorMessage: "The code passed is incorrect or expired.",
    });
  });

  it("refused: a different verifier or redirect URI", async () => {
    const login = loginAt(vendor.url);
    const verifier = { ...(await arrange()).grant, codeVerifier: "x".repeat(43) };
    const address = { ...(await arrange()).grant, redirectUri: OTHER_REDIRECT_URI };

    expect((await failureOf(login.identify(verifier))).vendorCode).toBe("bad_verification_code");
    expect((await failureOf(login.identify(address))).vendorCode).toBe("redirect_uri_mismatch");
  });

  it("refused: the client secret is wrong; the error contains GitHub's code", async () => {
    const { grant } = await arrange();
    const login = loginAt(vendor.url, { clientSecret: "wrong-secret" });

    expect(await failureOf(login.identify(grant))).toMatchObject({
      failure: "refused",
      vendorCode: "incorrect_client_credentials",
    });
  });
});

describe("failing reads", () => {
  it.each(["users/get-authenticated", "users/list-emails-for-authenticated-user"])(
    "%s is retried, and fails after three attempts",
    async (operation) => {
      vendor.outcomes.force({ operation, outcome: "error_applied", times: 2 });
      const { grant } = await arrange();
      expect(await loginAt(vendor.url).identify(grant)).toMatchObject({ name: "Ada" });

      vendor.outcomes.force({ operation, outcome: "error_applied", times: 3 });
      const again = await arrange();
      expect(await failureOf(loginAt(vendor.url).identify(again.grant))).toMatchObject({
        failure: "unavailable",
        operation,
      });
    },
  );
});

describe("malformed response", () => {
  const USER = { id: 7, name: "Zoe" };
  const EMAILS = [{ email: "zoe@example.com", primary: true, verified: true }];

  it("with valid responses: returns the identity", async () => {
    expect(await identifyFrom(USER, EMAILS)).toEqual({
      subject: "7",
      email: "zoe@example.com",
      emailVerified: true,
      name: "Zoe",
    });
  });

  it.each<[string, unknown, unknown, string]>([
    ["an id that is a string", { ...USER, id: "7" }, EMAILS, "unavailable"],
    ["an id with a fraction", { ...USER, id: 7.5 }, EMAILS, "unavailable"],
    ["an id above the safe integers", { ...USER, id: 2 ** 53 }, EMAILS, "unavailable"],
    ["no id", { login: "zoe" }, EMAILS, "unavailable"],
    ["no primary address", USER, [{ ...EMAILS[0], primary: false }], "refused"],
    ["no address", USER, [], "refused"],
    ["an invalid primary address", USER, [{ ...EMAILS[0], email: "zoe @example.com" }], "refused"],
    ["a string for `verified`", USER, [{ ...EMAILS[0], verified: "false" }], "unavailable"],
    ["more than 1 MiB of addresses", USER, [...EMAILS, "x".repeat(2 ** 20)], "unavailable"],
  ])("with %s: fails", async (_what, user, emails, failure) => {
    expect((await failureOf(identifyFrom(user, emails))).failure).toBe(failure);
  });

  it("with an invalid secondary address: returns the identity", async () => {
    const odd = { email: "not an address", primary: false, verified: true };
    expect(await identifyFrom(USER, [odd, ...EMAILS])).toMatchObject({ email: "zoe@example.com" });
  });
});

describe("errors", () => {
  it("do not contain secrets that GitHub echoes", async () => {
    const { grant } = await arrange();
    const repeated = `${APP.clientSecret} ${grant.code} ${grant.codeVerifier}`;
    const url = await startMisbehavingVendor(
      answering({
        "POST /login/oauth/access_token": { error: "bad", error_description: `no: ${repeated}` },
      }),
    );

    const text = inspect(await failureOf(loginAt(url).identify(grant)), { depth: 10 });

    expect(text).toContain("[redacted] [redacted] [redacted]");
    for (const secret of repeated.split(" ")) expect(text).not.toContain(secret);
  });
});
