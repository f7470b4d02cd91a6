import { describe, expect, it } from "vitest";
import { accountsOf, cookieOf, PASSWORD } from "../../../../test/accounts.ts";
import { devicesOf } from "../../../../test/devices.ts";
import { useHarness } from "../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../test/second-factors.ts";
import { providerLoginsOf } from "../../../../test/vendors/provider-logins.ts";
import { totpCode } from "../../../crypto/totp.ts";
import { unlinkIdentity } from "../../../modules/developers/identities/link-identity.ts";
import { revokeApiKey } from "../../../modules/developers/keys/withdraw-keys.ts";
import { registerDeveloper } from "../../../modules/developers/register-developer.ts";
import { confirmTotp, startTotpSetup } from "../../../modules/developers/second-factor/totp-setup.ts";
import { startSession } from "../../../modules/developers/sessions/start-session.ts";

/**
 * The five attacks of "Pre-hijacked accounts" (Sudhodanan and Paverd, 2022): an attacker signs up with the victim's
 * address before the victim does. In each test the victim logs in with an identity provider, and the attacker loses
 * access. docs/rules/accounts.md defines proven accounts.
 */
describe("an unproven account that another person signed up for", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);

  async function arrange() {
    const attacker = await accounts.seedAccount({ verified: false });
    const ownerLogsIn = () => logins.withGitHub({ email: attacker.email });
    return { ...attacker, ownerLogsIn };
  }

  it("401: the attacker's password after the owner's login (attack: classic federated merge)", async () => {
    const { email, developerId, ownerLogsIn } = await arrange();

    const owner = await ownerLogsIn();

    expect(owner).toMatchObject({
      status: 200,
      body: {
        created: false,
        linked: true,
        developer: {
          developer_id: developerId,
          email_verified: true,
          status: "active",
          auth_methods: ["github"],
        },
      },
    });
    expect((await accounts.logIn(email, PASSWORD)).status).toBe(401);
  });

  it("200: the owner's login resets the attacker's KYB status", async () => {
    const { developerId, ownerLogsIn } = await arrange();
    await accounts.query(
      "update developers set kyb_status = 'verified', kyb_verified_at = now(), kyb_reference = 'theirs' where tenant_id = $1",
      [developerId],
    );

    const { body } = await ownerLogsIn();

    expect(body.developer.kyb).toEqual({
      status: "unverified",
      verified_at: null,
      expires_at: null,
      reference: null,
    });
  });

  it("401: access and refresh tokens of the attacker's sessions (attack: unexpired session)", async () => {
    const { email, as, refreshToken, ownerLogsIn } = await arrange();
    const second = await accounts.logIn(email);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(200);

    await ownerLogsIn();

    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(401);
    for (const token of [refreshToken, second.body.refresh_token]) {
      const refreshed = await accounts.call("POST", "/token/refresh", { refresh_token: token });
      expect(refreshed.status).toBe(401);
    }
  });

  it("401: a login that waits for the attacker's second factor (attack: trojan identifier)", async () => {
    const device = await secondFactors.seed();
    await accounts.query(
      "update developers set email_verified_at = null, proven_at = null, status = 'pending_verification' where tenant_id = $1",
      [device.developerId],
    );
    const waiting = await secondFactors.begin(device.email);

    const owner = await logins.withGitHub({ email: device.email });

    expect(owner).toMatchObject({ status: 200, body: { developer: { mfa_enabled: false } } });
    expect((await secondFactors.finish(waiting, device.code())).status).toBe(401);
    const [recoveryCode = ""] = device.recoveryCodes;
    expect((await secondFactors.finish(waiting, recoveryCode)).status).toBe(401);
    const storedCodes = await accounts.query("select 1 from developer_recovery_codes where tenant_id = $1", [
      device.developerId,
    ]);
    expect(storedCodes).toEqual([]);
    const openChallenges = await accounts.query(
      "select 1 from mfa_challenges where tenant_id = $1 and used_at is null",
      [device.developerId],
    );
    expect(openChallenges).toEqual([]);
  });

  it("200: the owner's login clears the profile, which could send email to the attacker (attack: trojan identifier)", async () => {
    const { developerId, ownerLogsIn } = await arrange();
    await accounts.query(
      "update developers set name = 'Mallory', website = 'https://mallory.example', billing_email = 'm@example.com', notification_preferences = '{\"security\":false}' where tenant_id = $1",
      [developerId],
    );

    const { body } = await ownerLogsIn();

    expect(body.developer).toMatchObject({
      company_name: null,
      website: null,
      billing_email: null,
      notification_preferences: {},
    });
    expect(body.developer.name).not.toBe("Mallory");
  });

  it("422: a verification token that was emailed before the owner's login is no longer valid (attack: unexpired email change)", async () => {
    const { email, ownerLogsIn } = await arrange();
    const [token = ""] = await accounts.verificationTokensOf(email);
    expect(token).not.toBe("");

    await ownerLogsIn();

    const answer = await accounts.call("GET", `/verify-email?token=${token}`);
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_token" } });
  });

  it("401: the provider has not verified the address (attack: non-verifying provider)", async () => {
    const { email, as } = await arrange();

    const github = await logins.withGitHub({ email, unverified: "yes" });
    const google = await logins.withGoogle(email, { emailVerified: false });

    expect([github.status, google.status]).toEqual([401, 401]);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(200);
    expect((await accounts.logIn(email)).body.developer.status).toBe("pending_verification");
  });

  it("401: an API key of an account whose address was never verified", async () => {
    const { developerId, ownerLogsIn } = await arrange();
    const key = await harness.seedKey(developerId as `dev_${string}`);

    await ownerLogsIn();

    expect((await key.get("/developers/me")).status).toBe(401);
    expect(await accounts.query("select url from webhooks where tenant_id = $1", [developerId])).toEqual([]);
  });

  it("200: the owner's login ends concurrent password logins of the attacker", async () => {
    // Fills the cache of Google's signing keys. The owner's logins below are then not delayed by fetching the keys, and
    // can overlap with the attacker's attempts.
    await logins.withGoogle(accounts.newEmail());
    for (let round = 0; round < 5; round += 1) {
      const { email } = await arrange();
      const token = await logins.tokenFor(email);

      const attempts = Array.from({ length: 8 }, () => accounts.logIn(email));
      // At this point some attempts have finished and others are still running.
      await Promise.race(attempts);
      const owner = await logins.sendToken(token);

      expect(owner.status).toBe(200);
      for (const attempt of await Promise.all(attempts)) {
        const { access_token = "" } = attempt.body;
        const headers = { authorization: `Bearer ${access_token}` };
        const me = await accounts.call("GET", "/dashboard/me", undefined, { headers });
        expect(me.status).toBe(401);
      }
    }
  });

  it("writes audit entries without the email address", async () => {
    const { email, developerId, ownerLogsIn } = await arrange();
    await ownerLogsIn();

    const entries = await accounts.query(
      "select action, facts from audit_entries where tenant_id = $1 and action like 'developer.%' order by audit_id",
      [developerId],
    );

    expect(entries.slice(2)).toEqual([
      { action: "developer.reclaimed", facts: { provider: "github", sessions: 1, keys: 0, webhooks: 0 } },
      { action: "developer.email_verified", facts: {} },
      { action: "developer.identity_linked", facts: { provider: "github" } },
      { action: "developer.logged_in", facts: { method: "github", second_factor: null } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
  });
});

/**
 * An attacker signs up with the owner's address, and the owner opens the URL in the verification email
 * (docs/rules/accounts.md).
 */
describe("a verified, unproven account that another person signed up for", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const devices = devicesOf(harness, accounts);
  const OWNERS_PASSWORD = "glass whistle under tin";

  /** Creates the attacker's account with a session, an API key, a changed profile and, by default, a second factor. */
  async function arrange({ secondFactor = true } = {}) {
    const attacker = await accounts.seedAccount({ proven: false });
    const { as } = attacker;
    const pair = (await accounts.call("POST", "/register", {}, as)).body;
    await accounts.call("PUT", "/dashboard/me", { billing_email: "attacker@example.org" }, as);
    if (secondFactor) {
      const { secret } = (await accounts.call("POST", "/dashboard/mfa/totp", {}, as)).body;
      const code = totpCode(secret, harness.clock.now());
      await accounts.call("POST", "/dashboard/mfa/totp/confirm", { code }, as);
    }
    const key = harness.clientOf(pair.api_key, pair.api_secret);
    expect((await key.get("/developers/me")).status).toBe(200);
    return { ...attacker, key };
  }

  async function reset(email: string, more: object = {}) {
    const token = await accounts.requestResetToken(email);
    return accounts.call("POST", "/password/reset", { token, password: OWNERS_PASSWORD, ...more });
  }

  it("200: password reset removes the attacker's key, webhook, second factor, session and billing address", async () => {
    const { email, developerId, as, key } = await arrange();
    const webhook = { url: "https://attacker.example/", event_types: ["*"] };
    expect((await key.post("/webhooks", webhook)).status).toBe(201);

    expect((await reset(email)).status).toBe(200);

    const { status, body } = await accounts.logIn(email, OWNERS_PASSWORD);
    expect(status).toBe(200);
    expect(body.mfa_required).toBeUndefined();
    expect(body.developer).toMatchObject({ billing_email: null, name: null, mfa_enabled: false });
    expect((await key.get("/developers/me")).status).toBe(401);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(401);
    expect((await accounts.logIn(email)).status).toBe(401);
    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.password_reset'",
      [developerId],
    );
    expect(entries).toEqual([{ facts: { sessions: 1, keys: 1, webhooks: 1, was_proven: false } }]);
  });

  const bearer = (session: { readonly access_token: string }) => ({
    headers: { authorization: `Bearer ${session.access_token}` },
  });

  it("200: password reset with keep_keys keeps keys, but not those that a device has not collected", async () => {
    const { email, as, key } = await arrange();
    const device = await devices.seed();
    expect((await devices.decide({ as }, { user_code: device.userCode })).status).toBe(200);

    expect((await reset(email, { keep_keys: true })).status).toBe(200);

    expect((await key.get("/developers/me")).status).toBe(200);
    expect((await devices.poll(device.deviceCode)).body.code).toBe("access_denied");
    const { body } = await accounts.logIn(email, OWNERS_PASSWORD);
    expect(body.developer).toMatchObject({ billing_email: null });
    expect((await accounts.call("POST", "/register", {}, bearer(body))).status).toBe(409);
  });

  it("401: requests of the attacker's session that were authenticated before a password reset", async () => {
    const { email, developerId, accessToken } = await arrange();
    const session_id = JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()).sid;
    await reset(email);

    // The actor of a request that was authenticated before the reset and is still running.
    const actor = {
      tenantId: developerId as `dev_${string}`,
      mode: "live",
      actor: { type: "developer", id: developerId, key_id: null, ip: null },
      requestId: null,
      sessionId: session_id as string,
    } as const;
    const registering = registerDeveloper(
      harness.app,
      { actor, companyName: undefined, keyName: "default", mode: "live", publicKey: undefined },
      async () => {},
    );
    const refused = { code: "authentication_failed" };
    await expect(registering).rejects.toMatchObject(refused);
    const revoking = revokeApiKey(harness.app, { actor, keyId: "key_none", modes: ["live"] });
    await expect(revoking).rejects.toMatchObject(refused);
    const proof = {
      loggedInAt: harness.clock.now(),
      password: undefined,
      totpCode: undefined,
      onWrong: () => {},
    };
    const starting = startTotpSetup(harness.app, { actor, proof }, async () => {});
    await expect(starting).rejects.toMatchObject(refused);
    const confirming = confirmTotp(harness.app, { actor, proof, code: "000000" }, async () => {});
    await expect(confirming).rejects.toMatchObject(refused);
    await logins.withGitHub({ email });
    const unlinking = unlinkIdentity(harness.app, { actor, proof, provider: "github" });
    await expect(unlinking).rejects.toMatchObject(refused);
  });

  it("200: password reset revokes working keys only, because there can be any number of expired ones", async () => {
    const { email, developerId, as } = await arrange({ secondFactor: false });
    const expiring = {
      name: "short",
      expires_at: new Date(harness.clock.now().getTime() + 1_000).toISOString(),
    };
    const headers = { ...as.headers, "x-svc-mode": "live" };
    expect((await accounts.call("POST", "/me/keys", expiring, { headers })).status).toBe(200);
    harness.clock.advanceSeconds(1);

    await reset(email);

    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.password_reset'",
      [developerId],
    );
    expect(entries).toEqual([{ facts: { sessions: 1, keys: 1, webhooks: 0, was_proven: false } }]);
  });

  it("200: following the verification URL removes a second factor that was set up before", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    await accounts.query(
      `insert into developer_totp (tenant_id, secret_sealed, created_at, confirmed_at, last_step)
       select tenant_id, '\\x00', now(), now(), 0 from developers where email = $1`,
      [email],
    );
    const [token = ""] = await accounts.verificationTokensOf(email);

    await accounts.call("GET", `/verify-email?token=${token}`);

    expect((await accounts.logIn(email)).body.mfa_required).toBeUndefined();
  });

  it("200: provider login removes password, session and second factor, and emails a URL that revokes the keys", async () => {
    const { email, developerId, as, key } = await arrange();

    const owner = await logins.withGitHub({ email });

    expect(owner).toMatchObject({
      status: 200,
      body: {
        created: false,
        linked: true,
        developer: { auth_methods: ["github"], mfa_enabled: false, billing_email: null },
      },
    });
    expect((await accounts.logIn(email)).status).toBe(401);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(401);
    expect((await key.get("/developers/me")).status).toBe(200);
    await harness.deliverMails();
    const mail = harness.mails.findLast(({ to, text }) => to === email && /key_/.test(text));
    const token = /http:\/\/purser\.test\/login\/revoke-keys\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const read = () => accounts.call("POST", "/emailed-tokens", { token, purpose: "revoke_keys" });
    const revoke = () => accounts.call("POST", "/emailed-tokens/revoke-keys", { token });
    expect((await read()).body.keys).toHaveLength(1);
    expect((await key.get("/developers/me")).status).toBe(200);
    expect(await revoke()).toMatchObject({ status: 200, body: { count: 1 } });
    expect((await key.get("/developers/me")).status).toBe(401);
    expect((await read()).status).toBe(422);
    expect((await revoke()).status).toBe(422);
    const actions = await accounts.query(
      "select action from audit_entries where tenant_id = $1 and action like 'developer.%' order by audit_id",
      [developerId],
    );
    expect(actions.map(({ action }) => action).slice(-4)).toEqual([
      "developer.reclaimed",
      "developer.identity_linked",
      "developer.logged_in",
      "developer.keys_revoked",
    ]);
  });

  it("200: a second provider login, to the now proven account, removes nothing", async () => {
    const { email } = await arrange();
    await logins.withGitHub({ email });
    expect((await reset(email)).status).toBe(200);

    expect((await logins.withGoogle(email)).body).toMatchObject({ linked: true });

    expect((await accounts.logIn(email, OWNERS_PASSWORD)).status).toBe(200);
  });

  it("401: the identity is unlinked during its login", async () => {
    const { email, developerId } = await arrange();
    await logins.withGitHub({ email });
    await accounts.query("delete from developer_identities where tenant_id = $1", [developerId]);

    const late = startSession(harness.app, {
      tenantId: developerId as `dev_${string}`,
      client: { network: "192.0.2.1", userAgent: null, requestId: "req_test" },
      method: "github",
      subject: "1",
    });

    await expect(late).rejects.toMatchObject({ code: "authentication_failed" });
  });

  it.each([
    ["from the browser that opened the verification URL, after 899 seconds, proves", 899, true, true],
    ["from that browser after 900 seconds does not prove", 900, true, false],
    ["from another browser does not prove", 0, false, false],
  ])("200: a password login %s the account", async (_what, seconds, sameBrowser, isProven) => {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    const [token = ""] = await accounts.verificationTokensOf(email);
    const verified = await accounts.call("GET", `/verify-email?token=${token}`);
    const cookie = sameBrowser ? cookieOf(verified, "svc_verification") : "";
    harness.clock.advanceSeconds(seconds);
    await accounts.logIn(email, PASSWORD, { headers: { cookie } });

    await logins.withGoogle(email);

    // A provider login removes the password of an unproven account.
    expect((await accounts.logIn(email)).status).toBe(isProven ? 200 : 401);
  });
});
