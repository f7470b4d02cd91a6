import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { type Answer, useHarness } from "../../../../../test/harness.ts";
import { providerLoginsOf } from "../../../../../test/vendors/provider-logins.ts";
import { purgeLoginStates } from "../../../../modules/developers/index.ts";

const INVALID_STATE = { status: 422, body: { code: "invalid_state" } };
const REFUSED = { status: 401, body: { detail: "Authentication failed.", errors: [] } };

describe("POST /developers/oauth/github", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  const sessionsIn = async () =>
    (await accounts.query("select count(*)::int as count from sessions"))[0].count as number;

  it("200: makes an account of whoever has none, verified and signed in by GitHub", async () => {
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
    const actions = await accounts.query(
      "select action from audit_entries where tenant_id = $1 order by audit_id",
      [answer.body.developer.developer_id],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      "developer.signed_up",
      "developer.email_verified",
      "developer.logged_in",
    ]);
  });

  it("200: knows the person again by GitHub's id, whatever their address has become", async () => {
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

  it("200: opens nobody's account to an address that only becomes theirs in lower case", async () => {
    const { email, developerId } = await accounts.seedAccount({
      email: `kim-${randomUUID()}@example.com`,
    });
    const otherMailbox = email.replace("k", "\u212a");

    for (const answer of [
      await logins.withGitHub({ email: otherMailbox }),
      await logins.withGoogle(otherMailbox),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { developer: { email: otherMailbox } } });
      expect(answer.body.developer.developer_id).not.toBe(developerId);
    }
  });

  it("200: links GitHub to the account of its address, and tells the owner by mail", async () => {
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
    const told = harness.mails.filter(({ to }) => to === account.email);
    expect(told.at(-1)?.subject).toBe("You can now log in to Purser with GitHub");
    expect(await logins.withGitHub({ email: account.email })).toMatchObject({
      status: 200,
      body: { created: false, linked: false },
    });
  });

  it("401: makes and links nothing for an address that GitHub has not verified", async () => {
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

  it("409: takes no second GitHub account of an address that has changed hands", async () => {
    const email = accounts.newEmail();
    const { body } = await logins.withGitHub({ persona: "linus", email });

    const other = await logins.withGitHub({ persona: "somebody", email });

    expect(other).toMatchObject({
      status: 409,
      body: {
        code: "conflict",
        detail: "This account has another GitHub account already. Log in with that one.",
      },
    });
    const rows = await accounts.query("select 1 from identity_lookups where tenant_id = $1", [
      body.developer.developer_id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each(["suspended", "closed"])(
    "401: refuses a %s account, known or not yet linked",
    async (status) => {
      const known = await logins.withGitHub({ email: accounts.newEmail() });
      const unlinked = await accounts.seedAccount();
      const emails = [known.body.developer.email as string, unlinked.email];
      await accounts.query("update developers set status = $2 where email = any($1)", [
        emails,
        status,
      ]);
      const before = await sessionsIn();

      harness.clock.advanceSeconds(1);
      const answers: Answer[] = [];
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
      expect(
        await accounts.query("select 1 from identity_lookups where tenant_id = $1", [
          unlinked.developerId,
        ]),
      ).toEqual([]);
    },
  );

  it("422: takes a state once, in its own browser, within ten minutes, and no other", async () => {
    const begun = await logins.begin();
    const code = await logins.codeOf(begun.url, { email: accounts.newEmail() });
    const other = await logins.begin();
    const before = await sessionsIn();

    expect(await logins.finish({ ...begun, cookie: other.cookie }, code)).toMatchObject(
      INVALID_STATE,
    );
    expect(await logins.finish({ ...begun, cookie: "" }, code)).toMatchObject(INVALID_STATE);
    expect(await logins.finish({ ...begun, state: "x".repeat(43) }, code)).toMatchObject(
      INVALID_STATE,
    );
    expect(await sessionsIn()).toBe(before);
    expect((await logins.finish(begun, code)).status).toBe(200);
    expect(await logins.finish(begun, code)).toMatchObject(INVALID_STATE);
    expect(await sessionsIn()).toBe(before + 1);

    harness.clock.advanceSeconds(600);
    expect(await logins.finish(other, "any")).toMatchObject(INVALID_STATE);
    expect((await logins.finish(other, "any")).headers["set-cookie"]).toBeUndefined();
  });

  it("401: exchanges no code that somebody else's login has got", async () => {
    const attacker = await logins.begin();
    const stolen = await logins.codeOf(attacker.url, { email: accounts.newEmail() });
    const victim = await logins.begin();

    // The verifier follows from the victim's own state and cookie, so that GitHub refuses the attacker's code.
    expect(await logins.finish(victim, stolen)).toMatchObject(REFUSED);
    const own = await logins.codeOf(victim.url, { email: accounts.newEmail() });
    expect(await logins.finish(victim, own)).toMatchObject(INVALID_STATE);
  });

  it("401: exchanges no code that is made up or was used", async () => {
    const begun = await logins.begin();
    expect(await logins.finish(begun, "made-up")).toMatchObject(REFUSED);

    const first = await logins.begin();
    const code = await logins.codeOf(first.url, { email: accounts.newEmail() });
    await logins.finish(first, code);
    const second = await logins.begin();
    expect(await logins.finish(second, code)).toMatchObject(REFUSED);
  });

  it("422: takes no other address to come back to, and no other verifier", async () => {
    const begun = await logins.begin();
    const code = await logins.codeOf(begun.url, { email: accounts.newEmail() });
    const finish = (more: object) => logins.finish(begun, code, more);

    expect(
      await finish({ redirect_uri: "https://evil.example/login/github/return" }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/redirect_uri" }] },
    });
    expect(await finish({ code_verifier: "v".repeat(43) })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/code_verifier" }] },
    });
    expect((await finish({ redirect_uri: "http://purser.test/login/github/return" })).status).toBe(
      200,
    );
  });

  it("422: of 50 calls at once with one state, one begins a session", async () => {
    const begun = await logins.begin();
    const code = await logins.codeOf(begun.url, { email: accounts.newEmail() });
    const before = await sessionsIn();

    const answers = await Promise.all(Array.from({ length: 50 }, () => logins.finish(begun, code)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    expect(await sessionsIn()).toBe(before + 1);
  });

  it("200: of ten first logins of one person at once, one makes the account", async () => {
    const email = accounts.newEmail();
    const ready = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const begun = await logins.begin();
        return { begun, code: await logins.codeOf(begun.url, { email }) };
      }),
    );

    const answers = await Promise.all(ready.map(({ begun, code }) => logins.finish(begun, code)));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.developer.developer_id)).size).toBe(1);
    expect(await accounts.query("select 1 from developers where email = $1", [email])).toHaveLength(
      1,
    );
  });

  it("200: of ten first logins at once into one account, one links and one mail is sent", async () => {
    const { email, developerId } = await accounts.seedAccount();
    const ready = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const begun = await logins.begin();
        return { begun, code: await logins.codeOf(begun.url, { email }) };
      }),
    );

    const answers = await Promise.all(ready.map(({ begun, code }) => logins.finish(begun, code)));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const linked = await accounts.query(
      "select 1 from audit_entries where tenant_id = $1 and action = 'developer.identity_linked'",
      [developerId],
    );
    expect(linked).toHaveLength(1);
    await harness.deliverMails();
    const told = harness.mails.filter(
      ({ to, subject }) => to === email && subject.includes("GitHub"),
    );
    expect(told).toHaveLength(1);
  });

  it("forgets the logins that nobody can complete any more, and no others", async () => {
    await logins.begin();
    harness.clock.advanceSeconds(599);
    const young = await logins.begin();
    harness.clock.advanceSeconds(2);

    await purgeLoginStates(harness.app);

    const rows = await accounts.query("select 1 from login_states");
    expect(rows).toHaveLength(1);
    const code = await logins.codeOf(young.url, { email: accounts.newEmail() });
    expect((await logins.finish(young, code)).status).toBe(200);
  });

  it.each([
    ["no code", { state: "s" }, "/body/code"],
    ["no state", { code: "c" }, "/body/state"],
    ["an unknown field", { code: "c", state: "s", email: "a@b.co" }, "/body/email"],
    ["an empty code", { code: "", state: "s" }, "/body/code"],
  ])("422: refuses a body with %s", async (_what, body, pointer) => {
    expect(await accounts.call("POST", "/oauth/github", body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer }] },
    });
  });

  it("keeps no code, token or verifier in the log or in any row", async () => {
    const begun = await logins.begin();
    const code = await logins.codeOf(begun.url, { email: accounts.newEmail() });
    const { body } = await logins.finish(begun, code);

    const kept = `${await accounts.everyRow()}\n${harness.logLines.join("\n")}`;
    for (const secret of [code, begun.state, begun.cookie.split("=")[1], body.refresh_token]) {
      expect(secret).not.toBe("");
      expect(kept).not.toContain(secret);
    }
  });
});

describe.each([
  ["githubAccessToken", "timeout_lost"],
  ["githubAccessToken", "error_applied"],
  ["users/get-authenticated", "rate_limited"],
  ["users/list-emails-for-authenticated-user", "error_applied"],
] as const)(
  "POST /developers/oauth/github while GitHub does not answer (%s, %s)",
  (operation, outcome) => {
    const harness = useHarness({ vendors: true });
    const accounts = accountsOf(harness);
    const logins = providerLoginsOf(harness, accounts);

    it("503: makes nothing, and the login is begun again", async () => {
      const begun = await logins.begin();
      const code = await logins.codeOf(begun.url, { email: accounts.newEmail() });
      harness.sandbox.force({ vendor: "github", operation, outcome, times: 50 });

      const answer = await logins.finish(begun, code);

      expect(answer).toMatchObject({
        status: 503,
        body: { code: "provider_unavailable", retryable: true },
      });
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(await accounts.query("select 1 from developers")).toEqual([]);
      expect(await accounts.query("select 1 from identity_lookups")).toEqual([]);
      expect(await logins.finish(begun, code)).toMatchObject(INVALID_STATE);
    });
  },
);
