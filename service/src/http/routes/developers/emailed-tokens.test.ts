import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { enqueueTokenEmail } from "../../../modules/developers/enqueue-emails.ts";
import { openVault } from "../../../vault/vault.ts";

const REFUSED = { status: 422, body: { code: "invalid_token" } };
const WEEK_SECONDS = 604_800;

describe("POST /developers/emailed-tokens", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  type Seed = Parameters<typeof accounts.seedAccount>[0];

  const read = (token: string, purpose: string) => accounts.call("POST", "/emailed-tokens", { token, purpose });
  const revokeKeys = (token: string) => accounts.call("POST", "/emailed-tokens/revoke-keys", { token });
  const verify = (token: string) => accounts.call("POST", "/verify-email", { token });

  /** Creates an account with a key. */
  async function seedAccountWithKey(seed?: Seed) {
    const account = await accounts.seedAccount(seed);
    const { body } = await accounts.call("POST", "/register", { key_name: "<b>mine</b>" }, account.as);
    return { ...account, key: body.key, client: harness.clientOf(body.api_key, body.api_secret) };
  }

  /** Emails a URL that revokes all keys, as a login with an identity provider does. Returns its token. */
  async function mailRevocationToken({ developerId, email }: { developerId: string; email: string }): Promise<string> {
    const tenantId = developerId as TenantId;
    const vault = await openVault(harness.app, tenantId);
    const at = harness.clock.now();
    const expiresAt = new Date(at.getTime() + WEEK_SECONDS * 1000);
    await withTransaction(harness.app.db, tenantId, (tx) =>
      enqueueTokenEmail(tx, vault, { tenantId, email, purpose: "revoke_keys", expiresAt, at }),
    );
    await harness.deliverMails();
    const mail = harness.mails.findLast(({ to }) => to === email);
    return /revoke-keys\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  }

  it("200: a verification token before and after its use; reading it verifies nothing", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    const [token = ""] = await accounts.verificationTokensOf(email);
    const before = await accounts.everyRow();

    const unused = await read(` ${token}\n`, "verify_email");

    expect(unused).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    expect(unused.body).toEqual({
      object: "emailed_token",
      purpose: "verify_email",
      email,
      verified_at: null,
      ownership_confirmed: null,
      keys: [],
    });
    expect(await accounts.everyRow()).toBe(before);
    const verifiedAt = harness.clock.now().toISOString();
    await verify(token);
    harness.clock.advanceSeconds(2 * 86_400);
    expect((await read(token, "verify_email")).body).toMatchObject({ email, verified_at: verifiedAt });
  });

  it("200: the keys, and whether ownership is confirmed, before a password reset; reading changes nothing", async () => {
    const { email, key, client } = await seedAccountWithKey({ proven: false });
    await client.get("/developers/me");
    const token = await accounts.requestResetToken(email);
    const before = await accounts.everyRow();

    const unproven = await read(token, "reset_password");

    expect(unproven.body).toEqual({
      object: "emailed_token",
      purpose: "reset_password",
      email,
      verified_at: null,
      ownership_confirmed: false,
      keys: [
        {
          key_id: key.key_id,
          key_hint: key.key_hint,
          mode: "live",
          name: "<b>mine</b>",
          created_at: key.created_at,
          last_used_at: null,
        },
      ],
    });
    expect(await accounts.everyRow()).toBe(before);
    const reset = { token, password: PASSWORD, keep_keys: true };
    expect((await accounts.call("POST", "/password/reset", reset)).status).toBe(200);
    const next = await accounts.requestResetToken(email);
    expect((await read(next, "reset_password")).body).toMatchObject({
      ownership_confirmed: true,
      keys: [{ key_id: key.key_id }],
    });
  });

  it("200: a revocation token lists the account's own keys, and revokes them once", async () => {
    const account = await seedAccountWithKey();
    const other = await seedAccountWithKey();
    const token = await mailRevocationToken(account);

    const listed = await read(token, "revoke_keys");

    expect(listed.body).toMatchObject({ purpose: "revoke_keys", email: account.email, verified_at: null });
    expect(listed.body.keys).toMatchObject([{ key_id: account.key.key_id }]);
    expect((await account.client.get("/developers/me")).status).toBe(200);
    const revoked = await revokeKeys(` ${token} `);
    expect(revoked).toMatchObject({ status: 200 });
    expect(revoked.body).toEqual({ object: "revoked_keys", count: 1 });
    expect((await account.client.get("/developers/me")).status).toBe(401);
    expect((await other.client.get("/developers/me")).status).toBe(200);
    expect(await revokeKeys(token)).toMatchObject(REFUSED);
    expect(await read(token, "revoke_keys")).toMatchObject(REFUSED);
    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.keys_revoked'",
      [account.developerId],
    );
    expect(entries).toEqual([{ facts: { keys: 1 } }]);
  });

  it("422: an unknown token, and a token with another purpose", async () => {
    const account = await seedAccountWithKey();
    const signedUp = accounts.newEmail();
    await accounts.signUp(signedUp);
    const [verifying = ""] = await accounts.verificationTokensOf(signedUp);
    const tokens = {
      verify_email: verifying,
      reset_password: await accounts.requestResetToken(account.email),
      revoke_keys: await mailRevocationToken(account),
    };

    for (const purpose of Object.keys(tokens)) {
      expect(await read("nothing", purpose)).toMatchObject(REFUSED);
      for (const [actual, token] of Object.entries(tokens)) {
        expect([purpose, actual, (await read(token, purpose)).status]).toEqual([
          purpose,
          actual,
          purpose === actual ? 200 : 422,
        ]);
      }
    }
    expect(await revokeKeys("nothing")).toMatchObject(REFUSED);
    expect(await revokeKeys(tokens.reset_password)).toMatchObject(REFUSED);
    expect((await account.client.get("/developers/me")).status).toBe(200);
  });

  it("422: an expired or used token", async () => {
    const account = await seedAccountWithKey();
    const signedUp = accounts.newEmail();
    await accounts.signUp(signedUp);
    const [verifying = ""] = await accounts.verificationTokensOf(signedUp);
    const resetting = await accounts.requestResetToken(account.email);
    const revoking = await mailRevocationToken(account);
    const used = await accounts.requestResetToken(account.email);
    const statusOf = async (token: string, purpose: string) => (await read(token, purpose)).status;

    harness.clock.advanceSeconds(3_599);
    expect(await statusOf(resetting, "reset_password")).toBe(200);
    await accounts.call("POST", "/password/reset", { token: used, password: PASSWORD });
    expect(await statusOf(used, "reset_password")).toBe(422);
    // A reset ends the account's other reset tokens.
    expect(await statusOf(resetting, "reset_password")).toBe(422);
    const late = await accounts.requestResetToken(account.email);
    harness.clock.advanceSeconds(3_600);
    expect(await statusOf(late, "reset_password")).toBe(422);
    harness.clock.advanceSeconds(86_400);
    expect(await statusOf(verifying, "verify_email")).toBe(422);
    expect(await statusOf(revoking, "revoke_keys")).toBe(200);
    harness.clock.advanceSeconds(WEEK_SECONDS);
    expect(await statusOf(revoking, "revoke_keys")).toBe(422);
    expect(await revokeKeys(revoking)).toMatchObject(REFUSED);
  });

  it("422: an unknown purpose, no token, a long token, and an unknown field", async () => {
    const bodies = [
      { token: "x", purpose: "approve" },
      { purpose: "verify_email" },
      { token: "x".repeat(513), purpose: "verify_email" },
      { token: "x", purpose: "verify_email", use: true },
    ];
    for (const body of bodies) {
      expect(await accounts.call("POST", "/emailed-tokens", body)).toMatchObject({
        status: 422,
        body: { code: "validation_error" },
      });
    }
  });

  it("429: too many invalid tokens from one network", async () => {
    const from = accounts.newAddress();
    const body = { token: "nothing", purpose: "revoke_keys" };
    const guess = () => accounts.call("POST", "/emailed-tokens", body, { from });
    const { failuresPerMinute } = harness.app.settings;

    for (let call = 0; call < failuresPerMinute; call += 1) expect((await guess()).status).toBe(422);

    expect((await guess()).status).toBe(429);
  });

  it("logs contain no token", async () => {
    const account = await seedAccountWithKey();
    const token = await mailRevocationToken(account);
    await read(token, "revoke_keys");
    await read(token, "reset_password");
    await revokeKeys(token);

    expect(harness.logLines.join("\n")).not.toContain(token);
  });
});
