import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";

const UNKNOWN = {
  status: 422,
  body: { code: "validation_error", errors: [{ pointer: "/query/user_code", code: "unknown" }] },
};

describe("GET /developers/dashboard/device", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);
  type Account = Pick<Awaited<ReturnType<typeof accounts.seedAccount>>, "as">;

  const show = ({ as }: Account, userCode: string) =>
    accounts.call("GET", `/dashboard/device?user_code=${encodeURIComponent(userCode)}`, undefined, as);

  it("200: what waits for a decision, for a code in any spelling; it stays undecided", async () => {
    const account = await accounts.seedAccount();
    const { body: device } = await accounts.call(
      "POST",
      "/oauth/device",
      { client_name: '<b>build "box"</b>', scope: "env:read projects:read" },
      { from: "203.0.113.9", headers: { "user-agent": "purser-cli/1" } },
    );
    const createdAt = harness.clock.now();

    const shown = await show(account, ` ${device.user_code.toLowerCase().replace("-", " ")}`);

    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({
      object: "device_login",
      status: "pending",
      client_name: '<b>build "box"</b>',
      scopes: ["projects:read", "env:read"],
      network: "203.0.113.9",
      user_agent: "purser-cli/1",
      created_at: createdAt.toISOString(),
      expires_at: new Date(createdAt.getTime() + 600_000).toISOString(),
    });
    expect((await devices.poll(device.device_code)).body.error).toBe("authorization_pending");
    expect((await devices.decide(account, { user_code: device.user_code })).status).toBe(200);
  });

  it("200: no scopes for the default, and no user agent", async () => {
    const account = await accounts.seedAccount();
    const headers = { "user-agent": "" };
    const { body } = await accounts.call("POST", "/oauth/device", {}, { headers });

    expect((await show(account, body.user_code)).body).toMatchObject({
      client_name: "A device",
      scopes: [],
      user_agent: null,
    });
  });

  it("422: an unknown, decided or expired code, and no code", async () => {
    const account = await accounts.seedAccount();
    const decided = await devices.seed();
    await devices.decide(account, { user_code: decided.userCode });
    const late = await devices.seed();
    harness.clock.advanceSeconds(600);

    for (const userCode of ["BCDF-GHJK", decided.userCode, late.userCode, "x"]) {
      expect(await show(account, userCode)).toMatchObject(UNKNOWN);
    }
    for (const query of ["", "?user_code=", `?user_code=${"x".repeat(51)}`, "?user_code=x&mode=live"]) {
      const answer = await accounts.call("GET", `/dashboard/device${query}`, undefined, account.as);
      expect(answer).toMatchObject({ status: 422, body: { code: "validation_error" } });
    }
  });

  it("429: more than five wrong codes within 15 minutes, counted together with those of decisions", async () => {
    const account = await accounts.seedAccount();
    const { userCode } = await devices.seed();
    for (let wrong = 0; wrong < 3; wrong += 1) {
      expect((await show(account, "BBBB-BBBB")).status).toBe(422);
      if (wrong < 2) expect((await devices.decide(account, { user_code: "BBBB-BBBB" })).status).toBe(422);
    }

    expect(await show(account, userCode)).toMatchObject({
      status: 429,
      headers: { "retry-after": expect.any(String) },
    });
    expect((await devices.decide(account, { user_code: userCode })).status).toBe(429);
    expect((await show(await accounts.seedAccount(), userCode)).status).toBe(200);
  });

  it("403: the address is not verified; 401: no session, or an API key", async () => {
    const { userCode } = await devices.seed();
    const unverified = await accounts.seedAccount({ verified: false });

    expect(await show(unverified, userCode)).toMatchObject({ status: 403, body: { code: "email_not_verified" } });
    expect((await show({ as: { headers: { authorization: "Bearer x" } } }, userCode)).status).toBe(401);
    const tenant = await harness.seedTenant();
    expect((await tenant.get(`/developers/dashboard/device?user_code=${userCode}`)).status).toBe(401);
  });
});
