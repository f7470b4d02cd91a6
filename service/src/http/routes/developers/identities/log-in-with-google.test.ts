import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { providerLoginsOf } from "../../../../../test/vendors/provider-logins.ts";

const REFUSED = { status: 401, body: { detail: "Authentication failed.", errors: [] } };

describe("POST /developers/oauth/google", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);

  const accountsIn = async () =>
    (await accounts.query("select count(*)::int as count from developers"))[0].count as number;

  it("200: creates an account for a new address, and finds it by Google's user id later", async () => {
    const email = accounts.newEmail();

    const first = await logins.withGoogle(email, { name: "Ada" });
    const moved = await logins.withGoogle(accounts.newEmail(), { person: email });

    expect(first).toMatchObject({
      status: 200,
      body: {
        created: true,
        linked: false,
        developer: { email, name: "Ada", email_verified: true, auth_methods: ["google"] },
      },
    });
    expect(moved).toMatchObject({
      status: 200,
      body: { created: false, linked: false, developer: first.body.developer },
    });
  });

  it("200: links Google in addition to GitHub and the password", async () => {
    const { email, developerId } = await accounts.seedAccount();

    await logins.withGitHub({ email });
    const answer = await logins.withGoogle(email);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        linked: true,
        developer: { developer_id: developerId, auth_methods: ["password", "github", "google"] },
      },
    });
  });

  it("200: a token with the client's nonce; 401 with a different one", async () => {
    const token = await logins.tokenFor(accounts.newEmail(), { nonce: "of-the-client" });

    expect(await logins.sendToken(token, { nonce: "of-another" })).toMatchObject(REFUSED);
    expect((await logins.sendToken(token, { nonce: "of-the-client" })).status).toBe(200);
  });

  it.each([
    "other_audience",
    "other_issuer",
    "expired",
    "other_key",
    "unknown_key",
    "unsigned",
    "public_key_as_secret",
  ] as const)("401: a token with the flaw %s creates no account", async (flaw) => {
    const before = await accountsIn();

    const answer = await logins.withGoogle(accounts.newEmail(), { flaw });

    expect(answer).toMatchObject(REFUSED);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(await accountsIn()).toBe(before);
  });

  it("401: Google has not verified the address", async () => {
    const { email, developerId } = await accounts.seedAccount();

    const answers = [
      await logins.withGoogle(email, { emailVerified: false }),
      await logins.withGoogle(email, { claims: { email_verified: "true" } }),
      await logins.withGoogle(accounts.newEmail(), { emailVerified: false }),
    ];

    for (const answer of answers) expect(answer).toMatchObject(REFUSED);
    expect(await accounts.query("select 1 from developer_identities where tenant_id = $1", [developerId])).toEqual([]);
  });

  it("401: a used token, including a different encoding of its signature", async () => {
    const token = await logins.tokenFor(accounts.newEmail());
    // The last base64url character of a 256-byte signature has four unused bits. Changing one of these bits does not
    // change the decoded signature.
    const last = token.at(-1) ?? "";
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const twin = token.slice(0, -1) + (digits[digits.indexOf(last) ^ 1] ?? "");
    expect(Buffer.from(twin, "base64url")).not.toHaveLength(0);

    expect((await logins.sendToken(token)).status).toBe(200);
    expect(await logins.sendToken(token)).toMatchObject(REFUSED);
    expect(await logins.sendToken(twin)).toMatchObject(REFUSED);
    harness.clock.advanceSeconds(3_599);
    expect(await logins.sendToken(token)).toMatchObject(REFUSED);
    harness.clock.advanceSeconds(2);
    expect(await logins.sendToken(token)).toMatchObject(REFUSED);
  });

  it("200: one of 20 concurrent calls with one token", async () => {
    const token = await logins.tokenFor(accounts.newEmail());

    const answers = await Promise.all(Array.from({ length: 20 }, () => logins.sendToken(token)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it("200: mfa_required for an account with a second factor; links the identity after the code is accepted", async () => {
    const device = await secondFactors.seed();
    const linked = () =>
      accounts.query("select provider from developer_identities where tenant_id = $1", [device.developerId]);

    const pending = await logins.withGoogle(device.email);
    expect(pending).toMatchObject({
      status: 200,
      body: {
        mfa_required: true,
        mfa_token: expect.any(String),
        methods: ["totp", "recovery_code"],
        created: false,
        linked: false,
      },
    });
    expect(pending.headers["set-cookie"]).toBeUndefined();
    expect(pending.text).not.toContain("access_token");
    await secondFactors.finish(pending.body.mfa_token, "000000");
    expect(await linked()).toEqual([]);

    const done = await secondFactors.finish(pending.body.mfa_token, device.code());
    expect(done).toMatchObject({
      status: 200,
      body: { developer: { auth_methods: ["password", "google"] } },
    });
    expect(await linked()).toEqual([{ provider: "google" }]);
    await harness.deliverMails();
    expect(harness.mails.filter(({ to, subject }) => to === device.email && subject.includes("Google"))).toHaveLength(
      1,
    );
  });

  it("200: mfa_required for a linked identity too", async () => {
    const device = await secondFactors.seed();
    const { body } = await logins.withGoogle(device.email);
    await secondFactors.finish(body.mfa_token, device.code());

    const again = await logins.withGoogle(device.email);

    expect(again).toMatchObject({ status: 200, body: { mfa_required: true, linked: false } });
  });

  it.each([
    ["no token", {}, "/body/id_token"],
    ["a text that is no token", { id_token: "not a token" }, "/body/id_token"],
    ["a token with spaces", { id_token: "a.b .c" }, "/body/id_token"],
    ["an unknown field", { id_token: "a.b.c", email: "a@b.co" }, "/body/email"],
  ])("422: a body with %s", async (_what, body, pointer) => {
    expect(await accounts.call("POST", "/oauth/google", body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer }] },
    });
  });
});

describe("POST /developers/oauth/google before Google's keys were fetched", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  it("503: creates nothing, and the token remains valid for a later call", async () => {
    const token = await logins.tokenFor(accounts.newEmail());
    harness.sandbox.force({ vendor: "google", operation: "certs", outcome: "timeout_lost" });

    expect(await logins.sendToken(token)).toMatchObject({
      status: 503,
      body: { code: "provider_unavailable", retryable: true },
    });
    expect(await accounts.query("select 1 from developers")).toEqual([]);
    expect((await logins.sendToken(token)).status).toBe(200);
  });
});
