import { describe, expect, it } from "vitest";
import { accountsOf, cookieOf } from "../../../../../test/accounts.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";

const INVALID = { status: 422, body: { code: "invalid_token" } };
const BROWSER = {
  headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
};

describe("GET /developers/verify-email", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function arrange() {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    const [token = ""] = await accounts.verificationTokensOf(email);
    return { email, path: `/verify-email?token=${token}` };
  }

  const developerOf = async (email: string) =>
    (await accounts.query("select * from developers where email = $1", [email]))[0];

  it("200: verifies the address, and writes an audit entry and an event", async () => {
    const { email, path } = await arrange();

    const answer = await accounts.call("GET", path);

    expect(answer).toMatchObject({
      status: 200,
      body: { status: "verified", redirect_url: "/login?verified=1" },
      headers: { "referrer-policy": "no-referrer", "cache-control": "no-store" },
    });
    const developer = await developerOf(email);
    expect(developer).toMatchObject({ status: "active", email_verified_at: harness.clock.now() });
    const ofTenant = [developer.tenant_id];
    const actions = await accounts.query(
      "select action from audit_entries where tenant_id = $1 order by audit_id",
      ofTenant,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      "developer.signed_up",
      "developer.email_verified",
    ]);
    const events = await accounts.query("select * from events where tenant_id = $1", ofTenant);
    expect(events).toMatchObject([
      { type: "developer.email_verified", data: { developer_id: developer.tenant_id } },
    ]);
  });

  it("303: a browser with a valid token, and with a used one", async () => {
    const { path } = await arrange();

    const first = await accounts.call("GET", path, undefined, BROWSER);
    const second = await accounts.call("GET", path, undefined, BROWSER);

    expect(first).toMatchObject({ status: 303, headers: { location: "/login?verified=1" } });
    expect(second).toMatchObject({ status: 303, headers: { location: "/login?verified=0" } });
    expect(first.text).toBe("");
  });

  it.each([
    ["application/json", 200],
    ["*/*", 200],
    ["text/html;q=0, application/json", 200],
    ["text/htmlish", 200],
    ["application/json, TEXT/HTML;q=0.1", 303],
  ])("Accept: %s returns %i", async (accept, status) => {
    const { path } = await arrange();

    expect((await accounts.call("GET", path, undefined, { headers: { accept } })).status).toBe(
      status,
    );
  });

  it("422: a used token", async () => {
    const { path } = await arrange();
    expect((await accounts.call("GET", path)).status).toBe(200);

    expect(await accounts.call("GET", path)).toMatchObject(INVALID);
  });

  it("422: a token after 24 hours", async () => {
    const [early, late] = [await arrange(), await arrange()];

    harness.clock.advanceSeconds(86_399);
    expect((await accounts.call("GET", early.path)).status).toBe(200);
    harness.clock.advanceSeconds(1);

    expect(await accounts.call("GET", late.path)).toMatchObject(INVALID);
    expect(await developerOf(late.email)).toMatchObject({ status: "pending_verification" });
  });

  it("422: the same response for used, expired, unknown and malformed tokens", async () => {
    const used = await arrange();
    const expired = await arrange();
    await accounts.call("GET", used.path);
    harness.clock.advanceSeconds(86_400);
    const unknown = `/verify-email?token=${"A".repeat(43)}`;
    const odd = `/verify-email?token=${encodeURIComponent("' or 1=1 --\u0000")}`;

    const answers = await Promise.all(
      [used.path, expired.path, unknown, odd].map((path) => accounts.call("GET", path)),
    );

    const bodies = answers.map(({ body: { request_id: _id, ...body } }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]).toMatchObject(INVALID);
  });

  it("200: one of 50 concurrent calls with one token", async () => {
    const { email, path } = await arrange();

    const answers = await Promise.all(Array.from({ length: 50 }, () => accounts.call("GET", path)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    const { tenant_id } = await developerOf(email);
    const entries = await accounts.query(
      "select 1 from audit_entries where tenant_id = $1 and action = 'developer.email_verified'",
      [tenant_id],
    );
    expect(entries).toHaveLength(1);
  });

  it("405: HEAD does not use the token", async () => {
    const { path } = await arrange();

    expect(await accounts.call("HEAD", path)).toMatchObject({
      status: 405,
      headers: { allow: "GET" },
    });
    expect((await accounts.call("GET", path)).status).toBe(200);
  });

  it("422: a missing, empty or second token, or an unknown parameter", async () => {
    const { path } = await arrange();

    for (const query of [
      "/verify-email",
      "/verify-email?token=",
      `${path}&token=b`,
      `${path}&next=//evil.test`,
    ]) {
      expect(await accounts.call("GET", query, undefined, BROWSER)).toMatchObject({
        status: 422,
        body: { code: "validation_error" },
      });
    }
    expect((await accounts.call("GET", path)).status).toBe(200);
  });

  it("200: starts no session and does not reactivate a suspended account", async () => {
    const { email, path } = await arrange();
    await accounts.query("update developers set status = 'suspended' where email = $1", [email]);

    const answer = await accounts.call("GET", path);

    expect(cookieOf(answer, "svc_access")).toBe("");
    expect(await developerOf(email)).toMatchObject({ status: "suspended" });
  });

  it("does not log the token", async () => {
    const { path } = await arrange();
    await accounts.call("GET", path);
    await accounts.call("GET", path, undefined, BROWSER);
    await accounts.call("GET", path);

    expect(harness.logLines.length).toBeGreaterThan(0);
    expect(harness.logLines.join("")).not.toContain(path.split("=")[1]);
    expect(`${PREFIX}${path}`).toContain("token=");
  });
});
