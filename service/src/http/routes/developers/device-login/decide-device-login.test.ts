import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";

const UNKNOWN = { status: 422, body: { errors: [{ pointer: "/body/user_code" }] } };

describe("POST /developers/oauth/device/approve", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);

  it("200: issues a key named after the device; the audit entry has the device's network", async () => {
    const account = await accounts.seedAccount();
    const { body: device } = await devices.begin({ client_name: "build box" }, "203.0.113.9");

    const { status, body } = await devices.decide(account, {
      user_code: device.user_code.toLowerCase().replace("-", " "),
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "device_login",
      status: "approved",
      client_name: "build box",
      key: { name: "build box", mode: "live", status: "active", signature_alg: "hmac-sha256" },
    });
    expect(JSON.stringify(body)).not.toContain("api_secret");
    const entries = await accounts.query(
      "select action, subject, facts from audit_entries where tenant_id = $1 and action in ('api_key.created', 'device_login.approved') order by audit_id",
      [account.developerId],
    );
    const subject = { type: "api_key", id: body.key.key_id };
    expect(entries).toMatchObject([
      { action: "api_key.created", subject },
      {
        action: "device_login.approved",
        subject,
        facts: { client_name: "build box", network: "203.0.113.9" },
      },
    ]);
  });

  it("200: the key has the mode of the header and the scopes that the device requested", async () => {
    const account = await accounts.seedAccount();
    const { userCode } = await devices.seed({ scope: "env:read projects:read" });

    const { body } = await devices.decide(account, { user_code: userCode }, { "x-svc-mode": "test" });

    expect(body.key).toMatchObject({
      mode: "test",
      name: "A device",
      scopes: ["projects:read", "env:read"],
    });
  });

  it("200: denying a device issues no key", async () => {
    const account = await accounts.seedAccount();
    const { userCode } = await devices.seed();

    const answer = await devices.decide(account, { user_code: userCode, approve: false });

    expect(answer).toMatchObject({ status: 200, body: { status: "denied", key: null } });
    const keys = await accounts.query("select 1 from api_keys where tenant_id = $1", [account.developerId]);
    expect(keys).toEqual([]);
  });

  it("200: a repeated Idempotency-Key returns the same response", async () => {
    const account = await accounts.seedAccount();
    const { userCode } = await devices.seed();
    const headers = { "idempotency-key": randomUUID() };

    const first = await devices.decide(account, { user_code: userCode }, headers);
    const again = await devices.decide(account, { user_code: userCode }, headers);

    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, text: first.text });
  });

  it("422: all but one of concurrent decisions by two accounts", async () => {
    const [ada, bob] = [await accounts.seedAccount(), await accounts.seedAccount()];
    const { userCode } = await devices.seed();

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        devices.decide(turn % 2 === 0 ? ada : bob, { user_code: userCode, approve: turn < 6 }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const keys = await accounts.query("select 1 from api_keys where tenant_id in ($1, $2)", [
      ada.developerId,
      bob.developerId,
    ]);
    const approved = answers.filter(({ body }) => body.status === "approved");
    expect(keys).toHaveLength(approved.length);
  });

  it("422: the code is unknown, decided, or ten minutes old", async () => {
    const account = await accounts.seedAccount();
    const decided = await devices.seed();
    await devices.decide(account, { user_code: decided.userCode });
    const late = await devices.seed();
    harness.clock.advanceSeconds(600);

    for (const user_code of ["BCDF-GHJK", decided.userCode, late.userCode]) {
      expect(await devices.decide(account, { user_code })).toMatchObject(UNKNOWN);
    }
  });

  it("429: more than five wrong codes within 15 minutes, including concurrent ones; a right code resets the count", async () => {
    const account = await accounts.seedAccount();
    const { userCode } = await devices.seed();
    const guess = () => devices.decide(account, { user_code: "BBBB-BBBB" });
    for (let wrong = 0; wrong < 4; wrong += 1) expect((await guess()).status).toBe(422);
    expect((await devices.decide(account, { user_code: userCode })).status).toBe(200);

    const answers = await Promise.all(Array.from({ length: 20 }, guess));

    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    const next = await devices.seed();
    expect((await devices.decide(account, { user_code: next.userCode })).status).toBe(429);
  });

  it("429: more than 30 codes within 15 minutes, including right ones", async () => {
    const account = await accounts.seedAccount();
    const statuses: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const { userCode } = await devices.seed();
      for (const user_code of [...Array(4).fill("BBBB-BBBB"), userCode]) {
        statuses.push((await devices.decide(account, { user_code })).status);
      }
    }

    expect(statuses.slice(0, 30)).not.toContain(429);
    expect(statuses.slice(30)).toEqual(Array(5).fill(429));
    const otherAccount = await accounts.seedAccount();
    const { userCode } = await devices.seed();
    expect((await devices.decide(otherAccount, { user_code: userCode })).status).toBe(200);
  });

  it("422: an unknown mode in X-Svc-Mode", async () => {
    const account = await accounts.seedAccount();
    const { userCode } = await devices.seed();

    const answer = await devices.decide(account, { user_code: userCode }, { "x-svc-mode": "tset" });

    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/headers/x-svc-mode" }] },
    });
  });

  it("403: the address is not verified, or the cookie comes from another site", async () => {
    const unverified = await accounts.seedAccount({ verified: false });
    const { userCode } = await devices.seed();

    expect(await devices.decide(unverified, { user_code: userCode })).toMatchObject({
      status: 403,
      body: { code: "email_not_verified" },
    });
    const { accessToken } = await accounts.seedAccount();
    const foreign = await accounts.call(
      "POST",
      "/oauth/device/approve",
      { user_code: userCode },
      { headers: { cookie: `svc_access=${accessToken}`, origin: "https://evil.example" } },
    );
    expect(foreign).toMatchObject({ status: 403, body: { code: "cross_origin" } });
  });

  it("401: an API key, which could otherwise issue a key with more permissions", async () => {
    const tenant = await harness.seedTenant();
    const { userCode } = await devices.seed();
    const answer = await tenant.post("/developers/oauth/device/approve", { user_code: userCode });
    expect(answer.status).toBe(401);
  });
});
