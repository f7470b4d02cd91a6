import { describe, expect, it } from "vitest";
import { accountsOf, cookieOf, PASSWORD } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";

const INVALID = { status: 422, body: { code: "invalid_token" } };
const BROWSER = {
  headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
};

const DEVELOPERS = "/developers";

/** Signs up for a new address. Returns the token of the verification email. */
async function signUpOnce(accounts: ReturnType<typeof accountsOf>) {
  const email = accounts.newEmail();
  await accounts.signUp(email);
  const [token = ""] = await accounts.verificationTokensOf(email);
  return { email, token };
}

describe("GET /developers/verify-email", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function arrange() {
    const { email, token } = await signUpOnce(accounts);
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
    expect(actions.map(({ action }) => action)).toEqual(["developer.signed_up", "developer.email_verified"]);
    const events = await accounts.query("select * from events where tenant_id = $1", ofTenant);
    expect(events).toMatchObject([{ type: "developer.email_verified", data: { developer_id: developer.tenant_id } }]);
  });

  const tokenIn = (path: string) => path.split("=")[1] ?? "";

  it("303: opening the link in a browser, as a mail scanner does, changes nothing", async () => {
    const { email, path } = await arrange();
    const scanner = newBrowser(harness);

    const opened = await scanner.open(PREFIX + DEVELOPERS + path);
    const page = await scanner.open(String(opened.headers["location"]));

    expect(opened).toMatchObject({ status: 303, text: "", headers: { vary: "accept" } });
    expect(opened.headers["location"]).toBe(`/login?verify=${path.split("=")[1]}`);
    expect(page.status).toBe(200);
    expect(await developerOf(email)).toMatchObject({ status: "pending_verification" });
    expect(scanner.cookies.has("svc_verification")).toBe(false);
  });

  it("303: a form with the token verifies the address, and the next login proves ownership", async () => {
    const { email, path } = await arrange();
    const browser = newBrowser(harness);

    const pressed = await browser.send(`${PREFIX}${DEVELOPERS}/verify-email`, { token: tokenIn(path) });

    expect(pressed).toMatchObject({ status: 303, headers: { location: "/login?verified=1" } });
    expect(await developerOf(email)).toMatchObject({ status: "active", proven_at: null });
    const credentials = JSON.stringify({ email, password: PASSWORD });
    await browser.sendRaw(`${PREFIX}${DEVELOPERS}/login`, credentials, { "content-type": "application/json" });
    expect(await developerOf(email)).toMatchObject({ proven_at: harness.clock.now() });
  });

  it("303: pressing the button with an expired token leads back to the page", async () => {
    const { path } = await arrange();
    harness.clock.advanceSeconds(86_400);

    const pressed = await newBrowser(harness).send(`${PREFIX}${DEVELOPERS}/verify-email`, { token: tokenIn(path) });

    expect(pressed).toMatchObject({ status: 303, headers: { location: `/login?verify=${tokenIn(path)}` } });
  });

  it.each([
    ["application/json", 200],
    ["*/*", 200],
    ["text/html;q=0, application/json", 200],
    ["text/htmlish", 200],
    ["application/json, TEXT/HTML;q=0.1", 303],
  ])("Accept: %s returns %i", async (accept, status) => {
    const { path } = await arrange();

    expect((await accounts.call("GET", path, undefined, { headers: { accept } })).status).toBe(status);
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
      headers: { allow: "GET, POST" },
    });
    expect((await accounts.call("GET", path)).status).toBe(200);
  });

  it("422: a missing, empty or second token, or an unknown parameter", async () => {
    const { path } = await arrange();

    for (const query of ["/verify-email", "/verify-email?token=", `${path}&token=b`, `${path}&next=//evil.test`]) {
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
    await accounts.call("GET", path, undefined, BROWSER);
    await newBrowser(harness).open(`/login?verify=${path.split("=")[1]}`);
    await accounts.call("GET", path);
    await accounts.call("POST", "/verify-email", { token: path.split("=")[1] });

    expect(harness.logLines.length).toBeGreaterThan(0);
    expect(harness.logLines.join("")).not.toContain(path.split("=")[1]);
    expect(`${PREFIX}${path}`).toContain("token=");
  });
});

describe("POST /developers/verify-email", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const arrange = () => signUpOnce(accounts);

  it.each([
    ["JSON", (token: string) => JSON.stringify({ token }), "application/json"],
    ["a form", (token: string) => `token=${token}`, "application/x-www-form-urlencoded"],
  ])("200: verifies the address with %s, once", async (_name, body, type) => {
    const { token } = await arrange();
    const send = () => accounts.call("POST", "/verify-email", body(token), { headers: { "content-type": type } });

    const first = await send();

    expect(first).toMatchObject({
      status: 200,
      body: { status: "verified", redirect_url: "/login?verified=1" },
      headers: { "referrer-policy": "no-referrer" },
    });
    expect(cookieOf(first, "svc_verification")).toContain(token);
    expect(await send()).toMatchObject(INVALID);
  });

  it("422: a missing token, an unknown field, and a token in the query", async () => {
    const { token } = await arrange();

    for (const [path, body] of [
      ["/verify-email", {}],
      ["/verify-email", { token, next: "/" }],
      [`/verify-email?token=${token}`, { token }],
    ] as const) {
      expect(await accounts.call("POST", path, body)).toMatchObject({
        status: 422,
        body: { code: "validation_error" },
      });
    }
  });
});

describe("POST /developers/login with verify_token", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const logIn = (email: string, password: string, verify_token: string) =>
    accounts.call("POST", "/login", { email, password, verify_token });

  async function arrange(password = PASSWORD, email = accounts.newEmail()) {
    await accounts.signUp(email, { password });
    const token = (await accounts.verificationTokensOf(email)).at(-1) ?? "";
    return { email, token };
  }

  it("200: verifies the address, proves ownership and logs in, also when it is sent again", async () => {
    const { email, token } = await arrange();

    const first = await logIn(email, PASSWORD, token);
    const again = await logIn(email, PASSWORD, token);

    expect(first).toMatchObject({ status: 200, body: { developer: { email_verified: true } } });
    expect(again.status).toBe(200);
    const [row] = await accounts.query("select * from developers where email = $1", [email]);
    expect(row).toMatchObject({ status: "active", proven_at: harness.clock.now() });
  });

  it("401 and 422: a wrong password or an unknown token verifies nothing", async () => {
    const { email, token } = await arrange();

    expect((await logIn(email, "a wrong password", token)).status).toBe(401);
    expect(await logIn(email, PASSWORD, "unknown")).toMatchObject(INVALID);

    const [row] = await accounts.query("select * from developers where email = $1", [email]);
    expect(row).toMatchObject({ email_verified_at: null });
  });

  it("422: the link of a stranger's signup does not give the account the stranger's password", async () => {
    const stranger = await arrange("the stranger's password");
    const owner = await arrange(PASSWORD, stranger.email);

    expect(await logIn(owner.email, PASSWORD, stranger.token)).toMatchObject(INVALID);
    expect((await logIn(owner.email, PASSWORD, owner.token)).status).toBe(200);
    expect((await accounts.logIn(owner.email, "the stranger's password")).status).toBe(401);
  });
});
