import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { providerLoginsOf } from "../../../../test/provider-logins.ts";
import { secondFactorsOf } from "../../../../test/second-factors.ts";

/**
 * The five attacks of "Pre-hijacked accounts" (Sudhodanan and Paverd, 2022): somebody signs up with an address that is not
 * theirs, and waits for its owner to come. In each the owner comes by a provider, and the attacker is left with nothing.
 */
describe("an account that was made with somebody else's address", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);

  async function arrange() {
    const attacker = await accounts.seedAccount({ verified: false });
    const ownerComes = () => logins.withGitHub({ email: attacker.email });
    return { ...attacker, ownerComes };
  }

  it("401: takes the attacker's password no more (classic federated merge)", async () => {
    const { email, developerId, ownerComes } = await arrange();

    const owner = await ownerComes();

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

  it("200: leaves the owner no standing that was given to the attacker", async () => {
    const { developerId, ownerComes } = await arrange();
    await accounts.query(
      "update developers set kyb_status = 'verified', kyb_verified_at = now(), kyb_reference = 'theirs' where tenant_id = $1",
      [developerId],
    );

    const { body } = await ownerComes();

    expect(body.developer.kyb).toEqual({
      status: "unverified",
      verified_at: null,
      expires_at: null,
      reference: null,
    });
  });

  it("401: ends the attacker's sessions, access and refresh tokens alike (unexpired session)", async () => {
    const { email, as, refreshToken, ownerComes } = await arrange();
    const second = await accounts.logIn(email);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(200);

    await ownerComes();

    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(401);
    for (const token of [refreshToken, second.body.refresh_token]) {
      const refreshed = await accounts.call("POST", "/token/refresh", { refresh_token: token });
      expect(refreshed.status).toBe(401);
    }
  });

  it("401: ends a second factor and what waits for it, which the account should never have had (trojan identifier)", async () => {
    const device = await secondFactors.seed();
    await accounts.query(
      "update developers set email_verified_at = null, status = 'pending_verification' where tenant_id = $1",
      [device.developerId],
    );
    const waiting = await secondFactors.begin(device.email);

    const owner = await logins.withGitHub({ email: device.email });

    expect(owner).toMatchObject({ status: 200, body: { developer: { mfa_enabled: false } } });
    expect((await secondFactors.finish(waiting, device.code())).status).toBe(401);
    const [recoveryCode = ""] = device.recoveryCodes;
    expect((await secondFactors.finish(waiting, recoveryCode)).status).toBe(401);
    const kept = await accounts.query(
      "select 1 from developer_recovery_codes where tenant_id = $1",
      [device.developerId],
    );
    expect(kept).toEqual([]);
    const open = await accounts.query(
      "select 1 from mfa_challenges where tenant_id = $1 and used_at is null",
      [device.developerId],
    );
    expect(open).toEqual([]);
  });

  it("200: leaves nothing in the profile by which the attacker would be told anything (trojan identifier)", async () => {
    const { as, ownerComes } = await arrange();
    const put = await accounts.call(
      "PUT",
      "/dashboard/me",
      {
        name: "Mallory",
        company_name: "Mallory Ltd",
        website: "https://mallory.example",
        billing_email: "mallory@example.com",
        notification_preferences: { security: false },
      },
      as,
    );
    expect(put.status).toBe(200);

    const { body } = await ownerComes();

    expect(body.developer).toMatchObject({
      company_name: null,
      website: null,
      billing_email: null,
      notification_preferences: {},
    });
    expect(body.developer.name).not.toBe("Mallory");
  });

  it("422: makes every link useless that was mailed before (unexpired change of address)", async () => {
    const { email, ownerComes } = await arrange();
    const [token = ""] = await accounts.mailedTokens(email);
    expect(token).not.toBe("");

    await ownerComes();

    const answer = await accounts.call("GET", `/verify-email?token=${token}`);
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_token" } });
  });

  it("401: goes to nobody whose provider does not vouch for the address (non-verifying provider)", async () => {
    const { email, as } = await arrange();

    const github = await logins.withGitHub({ email, unverified: "yes" });
    const google = await logins.withGoogle(email, { emailVerified: false });

    expect([github.status, google.status]).toEqual([401, 401]);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(200);
    expect((await accounts.logIn(email)).body.developer.status).toBe("pending_verification");
  });

  it("401: takes back keys that the account should never have had", async () => {
    const { developerId, ownerComes } = await arrange();
    const key = await harness.seedKey(developerId as `dev_${string}`);

    await ownerComes();

    expect((await key.get("/developers/me")).status).toBe(401);
  });

  it("200: is its owner's alone, whoever logs in with the password while they come", async () => {
    // Google's keys are read once, so that the owner comes as fast as the attacker.
    await logins.withGoogle(accounts.newEmail());
    for (let round = 0; round < 5; round += 1) {
      const { email } = await arrange();
      const token = await logins.tokenFor(email);

      const attempts = Array.from({ length: 8 }, () => accounts.logIn(email));
      // Some are through by then, and some are still under way.
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

  it("tells the trail what was dropped, and of whom, in no secret's words", async () => {
    const { email, developerId, ownerComes } = await arrange();
    await ownerComes();

    const entries = await accounts.query(
      "select action, facts from audit_entries where tenant_id = $1 and action like 'developer.%' order by audit_id",
      [developerId],
    );

    expect(entries.slice(2)).toEqual([
      { action: "developer.reclaimed", facts: { provider: "github", sessions: 1, keys: 0 } },
      { action: "developer.email_verified", facts: {} },
      { action: "developer.identity_linked", facts: { provider: "github" } },
      { action: "developer.logged_in", facts: { method: "github", second_factor: null } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
  });
});
