import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { purgeExpiredRows } from "../../../../due-work/retention/purge-expired-rows.ts";
import { revokeUncollectedKeys } from "../../../../modules/developers/device-login/device-login.ts";

const problem = (error: string) => ({ status: 400, body: { status: 400, code: error, error } });

describe("POST /developers/oauth/device/token", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);

  async function arrange() {
    const account = await accounts.seedAccount();
    const device = await devices.seed();
    const approve = () => devices.decide(account, { user_code: device.userCode });
    return { ...device, account, approve };
  }

  it("200: an approved device receives a key pair that works, once", async () => {
    const { account, deviceCode, approve } = await arrange();
    expect(await devices.poll(deviceCode)).toMatchObject(problem("authorization_pending"));
    const approved = await approve();

    const { status, body, headers } = await devices.poll(deviceCode);

    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(body).toEqual({
      developer_id: account.developerId,
      api_key: expect.stringMatching(/^svc_sk_live_/),
      api_secret: expect.any(String),
      key: approved.body.key,
    });
    const me = await harness.clientOf(body.api_key, body.api_secret).get("/developers/me");
    expect(me).toMatchObject({ status: 200, body: { developer_id: account.developerId } });
    expect(await devices.poll(deviceCode)).toMatchObject(problem("invalid_grant"));
  });

  it("200: a form body, as OAuth clients send it", async () => {
    const { deviceCode, approve } = await arrange();
    await approve();
    const form = new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: deviceCode,
      client_id: "purser-cli",
    });

    const answer = await accounts.call("POST", "/oauth/device/token", String(form), {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

    expect(answer.status).toBe(200);
  });

  it("200: one of 50 concurrent calls receives the pair", async () => {
    const { deviceCode, approve } = await arrange();
    await approve();

    const answers = await Promise.all(Array.from({ length: 50 }, () => devices.collect(deviceCode)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  });

  it("200: the pair is encrypted until it is collected, then deleted", async () => {
    const { account, deviceCode, approve } = await arrange();
    await approve();
    const waiting = await accounts.everyRow();
    const rows = () =>
      accounts.query("select status, pair_sealed is null as empty from device_authorizations where tenant_id = $1", [
        account.developerId,
      ]);
    expect(await rows()).toEqual([{ status: "approved", empty: false }]);

    const { body } = await devices.poll(deviceCode);

    expect(await rows()).toEqual([{ status: "handed_out", empty: true }]);
    for (const text of [waiting, await accounts.everyRow(), harness.logLines.join("\n")]) {
      for (const secret of [body.api_secret, body.api_key]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString("hex"));
      }
    }
  });

  it("400: slow_down, and an interval five seconds longer, for each poll that is too early", async () => {
    const { deviceCode, approve } = await arrange();
    await devices.collect(deviceCode);
    await approve();

    expect(await devices.poll(deviceCode, 3)).toMatchObject(problem("slow_down"));
    expect(await devices.poll(deviceCode, 5)).toMatchObject(problem("slow_down"));
    expect((await devices.poll(deviceCode, 7)).status).toBe(200);
  });

  it("400: access_denied for a denied device", async () => {
    const { account, deviceCode, userCode } = await arrange();
    await devices.decide(account, { user_code: userCode, approve: false });

    expect(await devices.poll(deviceCode)).toMatchObject(problem("access_denied"));
  });

  it("400: access_denied if the key was revoked before it was collected", async () => {
    const { account, deviceCode, approve } = await arrange();
    const { body } = await approve();
    await accounts.call("DELETE", `/me/keys/${body.key.key_id}`, undefined, {
      headers: { ...account.as.headers, "x-svc-mode": "live" },
    });

    expect(await devices.poll(deviceCode)).toMatchObject(problem("access_denied"));
  });

  it("400: expired_token after ten minutes; the uncollected key is revoked", async () => {
    const { account, deviceCode, approve } = await arrange();
    harness.clock.advanceSeconds(590);
    const { body } = await approve();
    expect(await devices.poll(deviceCode, 10)).toMatchObject(problem("expired_token"));

    await revokeUncollectedKeys(harness.app);
    expect(await devices.poll(deviceCode, 3_590)).toMatchObject(problem("expired_token"));
    harness.clock.advanceSeconds(10);
    await revokeUncollectedKeys(harness.app);

    expect(await devices.poll(deviceCode)).toMatchObject(problem("invalid_grant"));
    const [key] = await accounts.query("select revoked_at from api_keys where tenant_id = $1 and key_id = $2", [
      account.developerId,
      body.key.key_id,
    ]);
    expect(key.revoked_at).not.toBeNull();
    await purgeExpiredRows(harness.app);
    expect(await accounts.query("select 1 from device_authorizations")).toEqual([]);
  });

  it("400: invalid_grant for an unknown device code", async () => {
    expect(await devices.collect("nothing")).toMatchObject(problem("invalid_grant"));
  });

  it("422: a different grant type", async () => {
    const body = { grant_type: "client_credentials", device_code: "x" };
    expect((await accounts.call("POST", "/oauth/device/token", body)).status).toBe(422);
  });
});
