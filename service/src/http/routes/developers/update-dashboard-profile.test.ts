import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";

type Account = Awaited<ReturnType<ReturnType<typeof accountsOf>["seedAccount"]>>;

const FULL = {
  name: "Ada Łovelace",
  company_name: "Engines & Co",
  website: "https://example.com/engines?x=1",
  country: "GB",
  timezone: "Europe/London",
  billing_email: "bills@example.com",
  notification_preferences: { approvals: true, caps: false },
};

describe("PUT /developers/dashboard/me", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const update = ({ as }: Account, body?: object | string) => accounts.call("PUT", "/dashboard/me", body, as);
  const entriesOf = ({ developerId }: Account) =>
    accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.profile_updated' order by audit_id",
      [developerId],
    );

  it("200: changes the fields; the audit entry has their names only", async () => {
    const account = await accounts.seedAccount();
    harness.clock.advanceSeconds(60);

    const answer = await update(account, { ...FULL, billing_email: "Bills@Example.com" });

    expect(answer).toMatchObject({ status: 200, body: FULL });
    expect(answer.body.updated_at).toBe(harness.clock.now().toISOString());
    expect((await accounts.call("GET", "/dashboard/me", undefined, account.as)).body).toEqual(answer.body);
    expect(await entriesOf(account)).toEqual([{ facts: { fields: Object.keys(FULL) } }]);
  });

  it("200: absent fields are unchanged, null clears, preferences are merged", async () => {
    const account = await accounts.seedAccount();
    await update(account, FULL);

    const second = await update(account, {
      name: null,
      notification_preferences: { caps: null, security: true },
    });
    expect(second.body).toMatchObject({
      ...FULL,
      name: null,
      notification_preferences: { approvals: true, security: true },
    });
    expect(second.body.notification_preferences).toEqual({ approvals: true, security: true });

    for (const timezone of ["Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "US/Pacific", "GMT"]) {
      expect((await update(account, { timezone })).body).toMatchObject({ timezone });
    }

    const third = await update(account, {
      company_name: null,
      website: null,
      country: null,
      timezone: null,
      billing_email: null,
      notification_preferences: null,
    });
    expect(third.body).toMatchObject({
      name: null,
      company_name: null,
      website: null,
      country: null,
      timezone: "UTC",
      billing_email: null,
      notification_preferences: {},
    });
  });

  it("200: writes no audit entry if nothing changes", async () => {
    const account = await accounts.seedAccount();
    const { body: before } = await update(account, FULL);
    harness.clock.advanceSeconds(60);

    for (const body of [undefined, {}, FULL, { name: FULL.name }, { notification_preferences: {} }]) {
      expect(await update(account, body)).toMatchObject({ status: 200, body: before });
    }

    expect(await entriesOf(account)).toHaveLength(1);
  });

  it("403: the address is not verified", async () => {
    const account = await accounts.seedAccount({ verified: false });

    expect((await update(account, { name: "Ada" })).body).toMatchObject({
      status: 403,
      code: "email_not_verified",
    });
  });

  it("200: other profiles are unchanged", async () => {
    const account = await accounts.seedAccount();
    const other = await accounts.seedAccount();

    expect((await update(account, { name: "Ada" })).status).toBe(200);

    const profile = await accounts.call("GET", "/dashboard/me", undefined, other.as);
    expect(profile.body).toMatchObject({ developer_id: other.developerId, name: null });
  });

  it("200: concurrent changes of different fields are all stored", async () => {
    const account = await accounts.seedAccount();

    await Promise.all([
      update(account, { name: "Ada" }),
      update(account, { country: "GB" }),
      update(account, { notification_preferences: { caps: true } }),
      update(account, { notification_preferences: { security: true } }),
    ]);

    const { body } = await accounts.call("GET", "/dashboard/me", undefined, account.as);
    expect(body).toMatchObject({ name: "Ada", country: "GB" });
    expect(body.notification_preferences).toEqual({ caps: true, security: true });
  });

  it.each([
    [{ website: "javascript:alert(1)" }, "/body/website"],
    [{ website: "example.com" }, "/body/website"],
    [{ website: "ftp://example.com" }, "/body/website"],
    [{ website: "https://ada:secret@example.com" }, "/body/website"],
    [{ website: `https://example.com/${"x".repeat(2_048)}` }, "/body/website"],
    [{ timezone: "Mars/Olympus" }, "/body/timezone"],
    [{ timezone: "" }, "/body/timezone"],
    [{ timezone: "+05:30" }, "/body/timezone"],
    [{ timezone: "-08" }, "/body/timezone"],
    [{ country: "ZZ" }, "/body/country"],
    [{ country: "gb" }, "/body/country"],
    [{ billing_email: "bills" }, "/body/billing_email"],
    [{ name: "" }, "/body/name"],
    [{ name: "\u0000" }, "/body/name"],
    [{ name: "x".repeat(101) }, "/body/name"],
    [{ name: 7 }, "/body/name"],
    [{ notification_preferences: { caps: "yes" } }, "/body/notification_preferences/caps"],
    [{ notification_preferences: { sms: true } }, "/body/notification_preferences/sms"],
    [{ email: "eve@example.com" }, "/body/email"],
    [{ status: "active" }, "/body/status"],
    [{ kyb_status: "verified" }, "/body/kyb_status"],
    [{ constructor: 1 }, "/body/constructor"],
  ])("422: %j", async (body, pointer) => {
    const account = await accounts.seedAccount();

    const answer = await update(account, body);

    expect(answer.status).toBe(422);
    const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer);
    expect(new Set(pointers)).toEqual(new Set([pointer]));
    expect(await entriesOf(account)).toEqual([]);
  });

  it("422: __proto__, duplicate members, or a lone surrogate", async () => {
    const account = await accounts.seedAccount();

    for (const body of [
      '{"__proto__":{"name":"x"}}',
      '{"name":"a","name":"b"}',
      '{"notification_preferences":{"__proto__":true}}',
      '{"name":"\\udc00"}',
    ]) {
      expect((await update(account, body)).status).toBe(422);
    }
  });

  it.each([
    [{ origin: "https://evil.test" }],
    [{ origin: "null" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
  ])("403: a cookie from another site, %j", async (headers) => {
    const account = await accounts.seedAccount();
    const cookie = `svc_access=${account.accessToken}`;

    const answer = await accounts.call(
      "PUT",
      "/dashboard/me",
      { name: "Eve" },
      {
        headers: { cookie, ...headers },
      },
    );

    expect(answer).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    const own = await accounts.call(
      "PUT",
      "/dashboard/me",
      { name: "Ada" },
      {
        headers: { cookie, origin: "http://purser.test" },
      },
    );
    expect(own).toMatchObject({ status: 200, body: { name: "Ada" } });
  });
});
