import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";
import { providerLoginsOf } from "../../../../../test/vendors/provider-logins.ts";
import { purgeExpiredRows } from "../../../../due-work/retention/purge-expired-rows.ts";

const INVALID_STATE = { status: 422, body: { code: "invalid_state" } };
const REFUSED = { status: 401, body: { detail: "Authentication failed.", errors: [] } };

describe("POST /developers/oauth/github", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  const sessionsIn = async () =>
    (await accounts.query("select count(*)::int as count from sessions"))[0].count as number;

  it("200: creates a verified account for a new address", async () => {
    const email = accounts.newEmail();

    const answer = await logins.withGitHub({ email: email.toUpperCase() });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.any(String),
        token_type: "Bearer",
        created: true,
        linked: false,
        developer: {
          email,
          status: "active",
          email_verified: true,
          auth_methods: ["github"],
          mfa_enabled: false,
        },
      },
    });
    expect(answer.headers["set-cookie"]).toHaveLength(2);
    expect((await accounts.logIn(email)).status).toBe(401);
    const actions = await accounts.query("select action from audit_entries where tenant_id = $1 order by audit_id", [
      answer.body.developer.developer_id,
    ]);
    expect(actions.map(({ action }) => action)).toEqual([
      "developer.signed_up",
      "developer.email_verified",
      "developer.logged_in",
    ]);
  });

  it("200: finds the account by GitHub's user id after the address has changed", async () => {
    const email = accounts.newEmail();
    const { body } = await logins.withGitHub({ persona: "ada", email });

    const again = await logins.withGitHub({ persona: "ada", email: accounts.newEmail() });
    const unverified = await logins.withGitHub({ persona: "ada", unverified: "yes" });

    for (const answer of [again, unverified]) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          created: false,
          linked: false,
          developer: { developer_id: body.developer.developer_id, email },
        },
      });
    }
  });

  it("200: an address that equals another one only after Unicode case folding gets its own account", async () => {
    const { email, developerId } = await accounts.seedAccount({
      email: `kim-${randomUUID()}@example.com`,
    });
    const otherMailbox = email.replace("k", "\u212a");

    for (const answer of [await logins.withGitHub({ email: otherMailbox }), await logins.withGoogle(otherMailbox)]) {
      expect(answer).toMatchObject({ status: 200, body: { developer: { email: otherMailbox } } });
      expect(answer.body.developer.developer_id).not.toBe(developerId);
    }
  });

  it("200: links GitHub to the account with its address, and notifies the owner by email", async () => {
    const account = await accounts.seedAccount();

    const answer = await logins.withGitHub({ email: account.email });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        created: false,
        linked: true,
        developer: {
          developer_id: account.developerId,
          auth_methods: ["password", "github"],
        },
      },
    });
    expect((await accounts.logIn(account.email)).status).toBe(200);
    await harness.deliverMails();
    const mails = harness.mails.filter(({ to }) => to === account.email);
    expect(mails.at(-1)?.subject).toBe("You can now log in to Purser with GitHub");
    expect(await logins.withGitHub({ email: account.email })).toMatchObject({
      status: 200,
      body: { created: false, linked: false },
    });
  });

  it("401: GitHub has not verified the address", async () => {
    const { email } = await accounts.seedAccount();
    const before = await sessionsIn();

    const answers = [
      await logins.withGitHub({ email, unverified: "yes" }),
      await logins.withGitHub({ email: accounts.newEmail(), unverified: "yes" }),
    ];

    for (const answer of answers) expect(answer).toMatchObject(REFUSED);
    expect(await sessionsIn()).toBe(before);
    expect(
      await accounts.query(
        "select 1 from identity_lookups where tenant_id = (select tenant_id from developers where email = $1)",
        [email],
      ),
    ).toEqual([]);
  });

  it("409: another GitHub account with the same address", async () => {
    const email = accounts.newEmail();
    const { body } = await logins.withGitHub({ persona: "linus", email });

    const other = await logins.withGitHub({ persona: "other", email });

    expect(other).toMatchObject({
      status: 409,
      body: {
        code: "conflict",
        detail:
          "This account is already linked to a different GitHub account. Log in with that one, or unlink it first.",
      },
    });
    const rows = await accounts.query("select 1 from identity_lookups where tenant_id = $1", [
      body.developer.developer_id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each(["suspended", "closed"])("401: a %s account, linked or not", async (status) => {
    const known = await logins.withGitHub({ email: accounts.newEmail() });
    const unlinked = await accounts.seedAccount();
    const emails = [known.body.developer.email as string, unlinked.email];
    await accounts.query("update developers set status = $2 where email = any($1)", [emails, status]);
    const before = await sessionsIn();

    harness.clock.advanceSeconds(1);
    const answers: ApiResponse[] = [];
    for (const email of emails) answers.push(await logins.withGitHub({ email }));

    for (const answer of answers) {
      expect(answer).toMatchObject(REFUSED);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expect(await sessionsIn()).toBe(before);
    const [identity] = await accounts.query(
      "select linked_at = last_used_at as untouched from developer_identities where tenant_id = $1",
      [known.body.developer.developer_id],
    );
    expect(identity).toEqual({ untouched: true });
    expect(await accounts.query("select 1 from identity_lookups where tenant_id = $1", [unlinked.developerId])).toEqual(
      [],
    );
  });

  it("422: the state is used, expired, unknown, or from another browser", async () => {
    const login = await logins.begin();
    const code = await logins.codeOf(login.url, { email: accounts.newEmail() });
    const other = await logins.begin();
    const before = await sessionsIn();

    expect(await logins.finish({ ...login, cookie: other.cookie }, code)).toMatchObject(INVALID_STATE);
    expect(await logins.finish({ ...login, cookie: "" }, code)).toMatchObject(INVALID_STATE);
    expect(await logins.finish({ ...login, state: "x".repeat(43) }, code)).toMatchObject(INVALID_STATE);
    expect(await sessionsIn()).toBe(before);
    expect((await logins.finish(login, code)).status).toBe(200);
    expect(await logins.finish(login, code)).toMatchObject(INVALID_STATE);
    expect(await sessionsIn()).toBe(before + 1);

    harness.clock.advanceSeconds(600);
    expect(await logins.finish(other, "any")).toMatchObject(INVALID_STATE);
    expect((await logins.finish(other, "any")).headers["set-cookie"]).toBeUndefined();
  });

  it("401: the code of another browser's login", async () => {
    const attacker = await logins.begin();
    const stolen = await logins.codeOf(attacker.url, { email: accounts.newEmail() });
    const victim = await logins.begin();

    // The PKCE verifier is derived from the victim's `state` and cookie. It does not match the attacker's code, so
    // GitHub rejects the code.
    expect(await logins.finish(victim, stolen)).toMatchObject(REFUSED);
    const own = await logins.codeOf(victim.url, { email: accounts.newEmail() });
    expect(await logins.finish(victim, own)).toMatchObject(INVALID_STATE);
  });

  it("401: an invented or used code", async () => {
    const login = await logins.begin();
    expect(await logins.finish(login, "made-up")).toMatchObject(REFUSED);

    const first = await logins.begin();
    const code = await logins.codeOf(first.url, { email: accounts.newEmail() });
    await logins.finish(first, code);
    const second = await logins.begin();
    expect(await logins.finish(second, code)).toMatchObject(REFUSED);
  });

  it("422: a different redirect_uri or code_verifier", async () => {
    const login = await logins.begin();
    const code = await logins.codeOf(login.url, { email: accounts.newEmail() });
    const finish = (more: object) => logins.finish(login, code, more);

    expect(await finish({ redirect_uri: "https://evil.example/login/github/return" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/redirect_uri" }] },
    });
    expect(await finish({ code_verifier: "v".repeat(43) })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/code_verifier" }] },
    });
    expect((await finish({ redirect_uri: "http://purser.test/login/github/return" })).status).toBe(200);
  });

  it("422: all but one of 50 concurrent calls with one state", async () => {
    const login = await logins.begin();
    const code = await logins.codeOf(login.url, { email: accounts.newEmail() });
    const before = await sessionsIn();

    const answers = await Promise.all(Array.from({ length: 50 }, () => logins.finish(login, code)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    expect(await sessionsIn()).toBe(before + 1);
  });

  it("200: ten concurrent first logins of one user create one account", async () => {
    const email = accounts.newEmail();
    const ready = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const login = await logins.begin();
        return { login, code: await logins.codeOf(login.url, { email }) };
      }),
    );

    const answers = await Promise.all(ready.map(({ login, code }) => logins.finish(login, code)));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.developer.developer_id)).size).toBe(1);
    expect(await accounts.query("select 1 from developers where email = $1", [email])).toHaveLength(1);
  });

  it("200: ten concurrent first logins into one account link once and send one email", async () => {
    const { email, developerId } = await accounts.seedAccount();
    const ready = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const login = await logins.begin();
        return { login, code: await logins.codeOf(login.url, { email }) };
      }),
    );

    const answers = await Promise.all(ready.map(({ login, code }) => logins.finish(login, code)));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const linked = await accounts.query(
      "select 1 from audit_entries where tenant_id = $1 and action = 'developer.identity_linked'",
      [developerId],
    );
    expect(linked).toHaveLength(1);
    await harness.deliverMails();
    const mails = harness.mails.filter(({ to, subject }) => to === email && subject.includes("GitHub"));
    expect(mails).toHaveLength(1);
  });

  it("deletes only expired logins", async () => {
    await logins.begin();
    harness.clock.advanceSeconds(599);
    const unexpired = await logins.begin();
    harness.clock.advanceSeconds(2);

    await purgeExpiredRows(harness.app);

    const rows = await accounts.query("select 1 from login_states");
    expect(rows).toHaveLength(1);
    const code = await logins.codeOf(unexpired.url, { email: accounts.newEmail() });
    expect((await logins.finish(unexpired, code)).status).toBe(200);
  });

  it.each([
    ["no code", { state: "s" }, "/body/code"],
    ["no state", { code: "c" }, "/body/state"],
    ["an unknown field", { code: "c", state: "s", email: "a@b.co" }, "/body/email"],
    ["an empty code", { code: "", state: "s" }, "/body/code"],
  ])("422: a body with %s", async (_what, body, pointer) => {
    expect(await accounts.call("POST", "/oauth/github", body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer }] },
    });
  });

  it("rows and logs contain no code, state, cookie or token", async () => {
    const login = await logins.begin();
    const code = await logins.codeOf(login.url, { email: accounts.newEmail() });
    const { body } = await logins.finish(login, code);

    const stored = `${await accounts.everyRow()}\n${harness.logLines.join("\n")}`;
    for (const secret of [code, login.state, login.cookie.split("=")[1], body.refresh_token]) {
      expect(secret).not.toBe("");
      expect(stored).not.toContain(secret);
    }
  });
});

describe.each([
  ["githubAccessToken", "timeout_lost"],
  ["githubAccessToken", "error_applied"],
  ["users/get-authenticated", "rate_limited"],
  ["users/list-emails-for-authenticated-user", "error_applied"],
] as const)("POST /developers/oauth/github while GitHub fails (%s, %s)", (operation, outcome) => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  it("503: creates nothing; the state is used, so the login must start again", async () => {
    const login = await logins.begin();
    const code = await logins.codeOf(login.url, { email: accounts.newEmail() });
    harness.sandbox.force({ vendor: "github", operation, outcome, times: 50 });

    const answer = await logins.finish(login, code);

    expect(answer).toMatchObject({
      status: 503,
      body: { code: "provider_unavailable", retryable: true },
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(await accounts.query("select 1 from developers")).toEqual([]);
    expect(await accounts.query("select 1 from identity_lookups")).toEqual([]);
    expect(await logins.finish(login, code)).toMatchObject(INVALID_STATE);
  });
});
