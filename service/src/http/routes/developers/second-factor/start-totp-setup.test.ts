import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { totpCode } from "../../../../crypto/totp.ts";

describe("POST /developers/dashboard/mfa/totp", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  const begin = (headers: Record<string, string>) => accounts.call("POST", "/dashboard/mfa/totp", {}, { headers });
  const confirm = (headers: Record<string, string>, secret: string) =>
    accounts.call("POST", "/dashboard/mfa/totp/confirm", { code: totpCode(secret, harness.clock.now()) }, { headers });

  it("200: returns a secret; logins need no code until it is confirmed", async () => {
    const { as, email } = await accounts.seedAccount();

    const { status, body } = await begin(as.headers);

    expect(status).toBe(200);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(Object.fromEntries(new URL(body.otpauth_url).searchParams)).toMatchObject({
      secret: body.secret,
      issuer: "Purser",
    });
    expect(body.otpauth_url).toContain(`otpauth://totp/Purser:${encodeURIComponent(email)}?`);
    expect((await accounts.logIn(email)).body).toMatchObject({
      access_token: expect.any(String),
      developer: { mfa_enabled: false },
    });
  });

  it("200: replaces an unconfirmed secret, whose codes are then rejected", async () => {
    const { as } = await accounts.seedAccount();
    const first = await begin(as.headers);
    const second = await begin(as.headers);

    expect((await confirm(as.headers, first.body.secret)).status).toBe(422);
    expect((await confirm(as.headers, second.body.secret)).status).toBe(200);
  });

  it("200: rows and logs do not contain the secret in plain text", async () => {
    const { as } = await accounts.seedAccount();
    const { body } = await begin({ ...as.headers, "idempotency-key": randomUUID() });

    const everything = `${await accounts.everyRow()}\n${harness.logLines.join("\n")}`;
    expect(everything).not.toContain(body.secret);
    expect(everything).not.toContain(Buffer.from(body.secret).toString("hex"));
  });

  it("409: a repeated Idempotency-Key does not show the secret", async () => {
    const { as } = await accounts.seedAccount();
    const headers = { ...as.headers, "idempotency-key": randomUUID() };

    expect((await begin(headers)).status).toBe(200);
    expect(await begin(headers)).toMatchObject({
      status: 409,
      body: { code: "secret_already_issued" },
    });
  });

  it("409: the account has a second factor, which stays unchanged", async () => {
    const device = await secondFactors.seed();

    expect(await begin(device.as.headers)).toMatchObject({
      status: 409,
      body: { code: "already_exists" },
    });
    const answer = await secondFactors.finish(await secondFactors.begin(device.email), device.code());
    expect(answer.status).toBe(200);
  });

  it("403: the address is not verified", async () => {
    const { as } = await accounts.seedAccount({ verified: false });

    expect(await begin(as.headers)).toMatchObject({
      status: 403,
      body: { code: "email_not_verified" },
    });
  });

  it("401: an API key", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.post("/developers/dashboard/mfa/totp", {})).status).toBe(401);
  });
});
