import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("POST /developers/oauth/device", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);

  it("200: a device code, a user code and the page on which to type it", async () => {
    const { status, body } = await devices.begin();

    expect(status).toBe(200);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "http://purser.test/device",
      verification_uri_complete: `http://purser.test/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it("200: a form body, as OAuth clients send it; 415 and 422 for other bodies", async () => {
    const form = "client_id=purser-cli&scope=projects%3Aread+env%3Aread";
    const send = (type: string) => accounts.call("POST", "/oauth/device", form, { headers: { "content-type": type } });

    expect((await send("application/x-www-form-urlencoded")).status).toBe(200);
    const [login] = await accounts.query(
      "select client_name, scopes from device_authorizations where client_name = 'purser-cli'",
    );
    expect(login).toEqual({ client_name: "purser-cli", scopes: ["projects:read", "env:read"] });
    expect((await send("text/plain")).status).toBe(415);
    expect((await send("application/json")).status).toBe(422);
  });

  it("200: unknown parameters are ignored, and parameters without a value count as absent", async () => {
    const form = "client_id=lenient&client_name=&scope=&audience=api&resource=x";
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=UTF8" };

    const begun = await accounts.call("POST", "/oauth/device?tenant=1", form, { headers });

    expect(begun.status).toBe(200);
    const [login] = await accounts.query(
      "select client_name, scopes from device_authorizations where client_name = 'lenient'",
    );
    expect(login).toEqual({ client_name: "lenient", scopes: [] });
    const account = await accounts.seedAccount();
    const decision = { user_code: begun.body.user_code, locale: "de" };
    expect((await devices.decide(account, decision)).status).toBe(200);
    const poll = {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: begun.body.device_code,
      client_secret: "ignored",
    };
    expect((await accounts.call("POST", "/oauth/device/token", poll)).status).toBe(200);
  });

  it("200: rows and logs contain neither code in plain text", async () => {
    const { deviceCode, userCode } = await devices.seed();

    const everything = `${await accounts.everyRow()}\n${harness.logLines.join("\n")}`;
    expect(everything).not.toContain(deviceCode);
    expect(everything).not.toContain(userCode);
    expect(everything).not.toContain(userCode.replace("-", ""));
  });

  it("422: unknown scopes", async () => {
    expect((await devices.begin({ scope: "projects:read everything" })).body).toMatchObject({
      code: "validation_error",
      errors: [{ pointer: "/body/scope" }],
    });
  });

  it("429: more than ten calls per minute from one network", async () => {
    const from = accounts.newAddress();
    const answers = await Promise.all(Array.from({ length: 13 }, () => devices.begin({}, from)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  });
});
