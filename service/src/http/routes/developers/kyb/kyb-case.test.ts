import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { adminsOf } from "../../../../../test/admins.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";

const BUSINESS = { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "GB" };
const OTHER = { legal_name: "Babbage Mills AG", registration_number: "CHE-1", jurisdiction: "CH" };

describe("POST /developers/dashboard/kyb", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const admins = adminsOf(harness);
  const { query } = accounts;

  async function arrange() {
    const account = await accounts.seedAccount();
    const admin = await admins.seedSession();
    const { developerId, as } = account;
    return {
      ...{ account, admin, developerId },
      send: (body: object, headers = {}) =>
        accounts.call("POST", "/dashboard/kyb", body, { headers: { ...as.headers, ...headers } }),
      read: async () => (await accounts.call("GET", "/dashboard/kyb", undefined, as)).body,
      decide: (status: string, more = {}, headers: Record<string, string> = admin.as.headers) =>
        admins.post("/developers/verify-kyb", { developer_id: developerId, status, ...more }, { headers }),
      show: async () =>
        (await harness.send({ method: "GET", url: `${PREFIX}/admin/developers/${developerId}`, ...admin.as })).body,
    };
  }

  it("200: sets the status to pending, and admins see the data", async () => {
    const { developerId, send, read, show } = await arrange();
    expect(await read()).toEqual({
      ...{ object: "kyb_case", status: "none", legal_name: null, registration_number: null, jurisdiction: null },
      ...{ submitted_at: null, decided_at: null, reason: null },
    });

    const sent = await send(BUSINESS);

    const submittedAt = harness.clock.now().toISOString();
    const kybCase = { object: "kyb_case", status: "pending", ...BUSINESS, submitted_at: submittedAt };
    expect(sent).toMatchObject({ status: 200, body: { ...kybCase, decided_at: null, reason: null } });
    expect(await read()).toEqual(sent.body);
    expect(await show()).toMatchObject({ kyb: { status: "pending" }, kyb_case: kybCase, kyb_decisions: [] });
    const changes = [
      ...(await query("select action, actor->>'type' as by, facts from audit_entries where tenant_id = $1", [
        developerId,
      ])),
      ...(await query("select data from events where tenant_id = $1 and type = 'developer.kyb_updated'", [
        developerId,
      ])),
    ];
    expect(changes).toContainEqual({
      ...{ action: "developer.kyb_submitted", by: "developer" },
      facts: { given: ["legal_name", "registration_number", "jurisdiction"] },
    });
    expect(changes.at(-1)).toMatchObject({ data: { developer_id: developerId, kyb: { status: "pending" } } });
  });

  it("200: a repeated call replaces the data; one with the same Idempotency-Key does nothing", async () => {
    const { send, read } = await arrange();
    const headers = { "idempotency-key": randomUUID() };
    const first = await send(BUSINESS, headers);
    harness.clock.advanceSeconds(5);
    const again = await send(BUSINESS, headers);
    expect(again.body).toEqual(first.body);

    const { body } = await send(OTHER);

    expect(body).toMatchObject({ ...OTHER, submitted_at: harness.clock.now().toISOString() });
    expect(await read()).toEqual(body);
  });

  it.each(["rejected", "revoked"])("200: begins again after %s, whose reason is shown until then", async (status) => {
    const { send, read, decide } = await arrange();
    await send(BUSINESS);
    const decidedAt = harness.clock.now().toISOString();
    await decide(status, { reference: "not in the register" });
    expect(await read()).toMatchObject({ ...BUSINESS, status, decided_at: decidedAt, reason: "not in the register" });

    const { body } = await send(OTHER);

    expect(body).toMatchObject({ ...OTHER, status: "pending", decided_at: null, reason: null });
  });

  it("409: the business is verified; 200: the verification has expired", async () => {
    const { send, read, decide } = await arrange();
    await send(BUSINESS);
    await decide("verified", { expires_at: new Date(harness.clock.now().getTime() + 60_000).toISOString() });

    expect(await send(OTHER)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await read()).toMatchObject({ ...BUSINESS, status: "verified" });
    harness.clock.advanceSeconds(60);
    expect(await read()).toMatchObject({ status: "expired" });
    expect(await send(OTHER)).toMatchObject({ status: 200, body: { status: "pending" } });
  });

  it("409: the developer has sent other data than the admin has checked", async () => {
    const { send, read, decide, show } = await arrange();
    await send(BUSINESS);
    const { submitted_at } = (await show()).kyb_case;
    harness.clock.advanceSeconds(1);
    await send(OTHER);

    expect(await decide("verified", { submitted_at })).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await read()).status).toBe("pending");
    expect((await decide("verified", { submitted_at: (await show()).kyb_case.submitted_at })).status).toBe(200);
    expect((await show()).kyb_decisions).toMatchObject([{ status: "verified", superseded_at: null }]);
  });

  it("409: the developer has sent data since the admin's page showed none", async () => {
    const { send, read, decide, admin } = await arrange();
    const byCookie = { cookie: admin.cookie, "sec-fetch-site": "same-origin" };
    await send(BUSINESS);

    expect(await decide("verified", {}, byCookie)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const { submitted_at } = await read();
    expect((await decide("verified", { submitted_at }, byCookie)).status).toBe(200);
  });

  it("403: the email address is not verified", async () => {
    const { as } = await accounts.seedAccount({ verified: false });
    const { status, body } = await accounts.call("POST", "/dashboard/kyb", BUSINESS, as);
    expect([status, body.code]).toEqual([403, "email_not_verified"]);
  });

  it.each([
    ["legal_name", ""],
    ["legal_name", "\u200b"],
    ["registration_number", "1".repeat(101)],
    ["jurisdiction", "ZZ"],
    ["jurisdiction", "gb"],
    ["owner", "me"],
  ])("422: %s is %j", async (field, value) => {
    const { send, read } = await arrange();
    const { status, body } = await send({ ...BUSINESS, [field]: value });
    expect([status, body.errors[0].pointer]).toEqual([422, `/body/${field}`]);
    expect((await read()).status).toBe("none");
  });

  it("the data is encrypted, and deleted when the owner of the address takes the account over", async () => {
    const account = await accounts.seedAccount({ proven: false });
    await accounts.call("POST", "/dashboard/kyb", BUSINESS, account.as);
    const cases = () => query("select details_sealed from kyb_cases where tenant_id = $1", [account.developerId]);
    expect(String((await cases())[0].details_sealed)).not.toContain(BUSINESS.legal_name);

    const token = await accounts.requestResetToken(account.email);
    await accounts.call("POST", "/password/reset", { token, password: "another whistle under glass" });

    expect(await cases()).toEqual([]);
  });
});

describe("GET /admin/developers?kyb_status=pending", () => {
  const harness = useHarness({ settings: { kybApprovals: 2 } });
  const accounts = accountsOf(harness);
  const admins = adminsOf(harness);

  it("200: new data drops the decision that waits for a second admin", async () => {
    const { developerId, as } = await accounts.seedAccount();
    const [first, second] = [await admins.seedSession(), await admins.seedSession()];
    const send = (body: object) => accounts.call("POST", "/dashboard/kyb", body, as);
    const decide = (admin: typeof first) =>
      admins.post("/developers/verify-kyb", { developer_id: developerId, status: "verified" }, admin.as);
    await send(BUSINESS);
    await decide(first);
    await send(OTHER);

    expect((await decide(second)).body.kyb.status).toBe("pending");
    expect((await decide(first)).body.kyb.status).toBe("verified");
  });

  it("200: lists the developers who wait, with the time of their data", async () => {
    const { developerId, as } = await accounts.seedAccount();
    await accounts.call("POST", "/dashboard/kyb", BUSINESS, as);
    const admin = await admins.seedSession();
    const url = `${PREFIX}/admin/developers?kyb_status=pending&q=${developerId.slice(0, -4)}`;

    const { body } = await harness.send({ method: "GET", url, ...admin.as });

    expect(body.data).toMatchObject([
      { developer_id: developerId, kyb_submitted_at: harness.clock.now().toISOString() },
    ]);
  });
});
