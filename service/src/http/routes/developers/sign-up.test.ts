import { randomUUID } from "node:crypto";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../test/accounts.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";

const pointersOf = ({ body }: ApiResponse) => body.errors.map(({ pointer }: { pointer: string }) => pointer);

describe("POST /developers/signup with an international domain", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  it("201: an address with ü and its Punycode form are one account, at login and at reset", async () => {
    const name = accounts.newEmail().split("@")[0] ?? "";
    const punycode = `${name}@xn--mnchen-3ya.de`;

    const created = await accounts.signUp(`${name}@MÜNCHEN.de`);

    expect(created).toMatchObject({ status: 201, body: { email: punycode } });
    expect((await accounts.logIn(`${name}@münchen.de`)).status).toBe(200);
    expect((await accounts.logIn(punycode)).status).toBe(200);
    await accounts.call("POST", "/password/forgot", { email: `${name}@münchen.de` });
    await harness.deliverMails();
    expect(harness.mails.filter(({ to }) => to === punycode)).toHaveLength(2);
  });
});

describe("POST /developers/signup", () => {
  let failsToMail = false;
  /** The number of signups that must hash their password before any of them continues. */
  let pendingHashes = 0;
  let releaseAll = () => {};
  let allHashed = Promise.resolve();
  const harness = useHarness({
    replace: (app) => ({
      captcha: {
        ...app.captcha,
        verify: async (token, now) => {
          if (token === "the-verifier-is-down") throw new Error("connect ECONNREFUSED");
          return app.captcha.verify(token, now);
        },
      },
      passwords: {
        ...app.passwords,
        hash: async (password) => {
          const hash = await app.passwords.hash(password);
          pendingHashes -= 1;
          if (pendingHashes === 0) releaseAll();
          if (pendingHashes >= 0) await allHashed;
          return hash;
        },
      },
      // If `failsToMail` is set, signup fails where the token is encrypted: after the developer's row is inserted, but
      // before the transaction commits.
      vaults: new Proxy(app.vaults, {
        get: (vaults, name) => {
          if (failsToMail && name === "get")
            return () => ({
              seal: () => {
                throw new Error("no");
              },
            });
          const value = Reflect.get(vaults, name);
          return typeof value === "function" ? value.bind(vaults) : value;
        },
      }),
    }),
  });
  const accounts = accountsOf(harness);
  const countOf = async (email: string) =>
    (await accounts.query("select 1 from developers where email = $1", [email])).length;

  it("201: stores the profile and emails a verification token", async () => {
    const email = accounts.newEmail();

    const answer = await accounts.signUp(email, {
      name: "Ada Łovelace",
      company_name: "Engines & Co",
      country: "GB",
      accept_terms_version: "2026-11-01",
    });

    expect(answer).toMatchObject({ status: 201, headers: { "cache-control": "no-store" } });
    const [row] = await accounts.query("select * from developers where email = $1", [email]);
    expect(row).toMatchObject({
      name: "Ada Łovelace",
      company_name: "Engines & Co",
      country: "GB",
      accepted_terms_version: "2026-11-01",
      status: "pending_verification",
      email_verified_at: null,
      registered_at: null,
    });
    const entries = await accounts.query("select * from audit_entries where tenant_id = $1", [row.tenant_id]);
    expect(entries).toMatchObject([
      {
        action: "developer.signed_up",
        actor: { type: "developer", id: row.tenant_id },
        facts: { accepted_terms_version: "2026-11-01" },
      },
    ]);
    expect(await accounts.verificationTokensOf(email)).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  it("201: the same response for a verified address; changes nothing and emails its owner", async () => {
    const email = accounts.newEmail();
    const first = await accounts.signUp(email);
    const [token = ""] = await accounts.verificationTokensOf(email);
    await accounts.call("GET", `/verify-email?token=${token}`);
    const before = await accounts.query("select * from developers where email = $1", [email]);

    const second = await accounts.signUp(email.toUpperCase(), {
      password: "another whistle under glass",
      name: "Eve",
    });

    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    const { "x-request-id": _first, date: _date, ...firstHeaders } = first.headers;
    const { "x-request-id": _second, date: _later, ...secondHeaders } = second.headers;
    expect(secondHeaders).toEqual(firstHeaders);
    expect(await accounts.query("select * from developers where email = $1", [email])).toEqual(before);
    expect((await accounts.logIn(email, "another whistle under glass")).status).toBe(401);
    expect((await accounts.logIn(email)).status).toBe(200);
    await harness.deliverMails();
    const subjects = harness.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(subjects).toEqual(["Verify your email address for Purser", "You already have a Purser account"]);
  });

  it("201: emails an owner at most three times per hour", async () => {
    const { email } = await accounts.seedAccount();
    for (let turn = 0; turn < 5; turn += 1) expect((await accounts.signUp(email)).status).toBe(201);
    await harness.deliverMails();

    const notices = harness.mails.filter(({ to, subject }) => to === email && /already/.test(subject));

    expect(notices).toHaveLength(2);
  });

  it("201: 20 concurrent signups with one address create one developer", async () => {
    const email = accounts.newEmail();
    pendingHashes = 20;
    allHashed = new Promise((resolve) => {
      releaseAll = resolve;
    });

    const answers = await Promise.all(Array.from({ length: 20 }, () => accounts.signUp(email)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countOf(email)).toBe(1);
    const links = await accounts.query("select 1 from outbox_messages where topic = 'mail' and payload->>'to' = $1", [
      email,
    ]);
    expect([10, 11]).toContain(links.length);
    const claims = await accounts.query(
      "select claim_number, password_hash = hash as logs_in from account_claims join developers using (tenant_id) join developer_passwords using (tenant_id) where email = $1 order by 1",
      [email],
    );
    expect(claims).toEqual([
      { claim_number: 18, logs_in: false },
      { claim_number: 19, logs_in: false },
      { claim_number: 20, logs_in: true },
    ]);
    const orphans = await accounts.query(
      "select 1 from developer_passwords p where not exists (select 1 from developers d where d.tenant_id = p.tenant_id)",
    );
    expect(orphans).toEqual([]);
  });

  it("201: after several signups for an unverified address, the first one to be verified gets the account", async () => {
    const email = accounts.newEmail();
    const follow = (token = "") => accounts.call("GET", `/verify-email?token=${token}`);
    const passwords = [1, 2, 3, 4].map((turn) => `glass whistle under tin ${turn}`);
    for (const [turn, password] of passwords.entries()) {
      await accounts.signUp(email, { password, name: `Ada ${turn + 1}` });
    }
    const [first, second, third, fourth] = await accounts.verificationTokensOf(email);
    const newest = await accounts.logIn(email, passwords[3]);
    expect(newest.body.developer).toMatchObject({ name: "Ada 4", email_verified: false });
    expect((await accounts.logIn(email, passwords[1])).status).toBe(401);
    const as = { headers: { authorization: `Bearer ${newest.body.access_token}` } };

    expect((await follow(first)).status).toBe(422);
    const followed = await Promise.all([follow(second), follow(third)]);

    expect(followed.map(({ status }) => status).sort()).toEqual([200, 422]);
    const winner = followed[0].status === 200 ? 2 : 3;
    const { body } = await accounts.logIn(email, passwords[winner - 1]);
    expect(body.developer).toMatchObject({ name: `Ada ${winner}`, email_verified: true });
    expect((await accounts.logIn(email, passwords[3])).status).toBe(401);
    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(401);
    expect((await follow(fourth)).status).toBe(422);
    expect(
      await accounts.query("select 1 from account_claims where tenant_id = $1", [body.developer.developer_id]),
    ).toEqual([]);
  });

  it("201: a signup ends the sessions of earlier signups for the same address", async () => {
    const { email, as } = await accounts.seedAccount({ verified: false });

    await accounts.signUp(email, { name: "Grace" });

    expect((await accounts.call("GET", "/dashboard/me", undefined, as)).status).toBe(401);
  });

  it("201: a password of 12 or 128 characters after NFC, also in decomposed form", async () => {
    const decomposed = "e\u0301".repeat(128);
    const emails = [accounts.newEmail(), accounts.newEmail(), accounts.newEmail()] as const;
    const passwords = ["xylophone 7!", "é".repeat(128), `${"🎻".repeat(11)}x`] as const;

    for (const [index, email] of emails.entries()) {
      const signup = await accounts.signUp(email, { password: passwords[index] });
      expect(signup.status).toBe(201);
    }

    expect((await accounts.logIn(emails[0], passwords[0])).status).toBe(200);
    expect((await accounts.logIn(emails[1], decomposed)).status).toBe(200);
    expect((await accounts.logIn(emails[2], passwords[2])).status).toBe(200);
  });

  it.each([
    ["11 characters", "xylophone 7"],
    ["11 characters after NFC (22 before)", "e\u0301".repeat(11)],
    ["129 characters", "x".repeat(129)],
    ["a common one", "password1234"],
    ["a common one in other case", "PassWord1234"],
    ["another common one", "123456789012"],
    ["a common word and digits", "letmein12345"],
    ["a capitalized common word and digits", "Welcome12345"],
    ["a common word in leetspeak", "P@ssw0rd1234"],
    ["the passphrase of the comic", "correcthorsebatterystaple"],
    ["a common one with a space around it", "password1234 "],
    ["a common one in full-width characters", "ｐａｓｓｗｏｒｄ１２３４\u3000"],
    ["spaces and tabs", " \t".repeat(8)],
    ["characters with a NUL among them", "tin whistle\0 under glass"],
    ["characters with half a surrogate pair among them", "\ud800correct horse"],
    ["no characters", ""],
    ["10,000 characters", "x".repeat(10_000)],
    ["a number", 123_456_789_012],
    ["null", null],
  ])("422: a password of %s", async (_what, password) => {
    const email = accounts.newEmail();

    const answer = await accounts.signUp(email, { password });

    expect(answer).toMatchObject({ status: 422, body: { code: "validation_error" } });
    expect(new Set(pointersOf(answer))).toEqual(new Set(["/body/password"]));
    expect(await countOf(email)).toBe(0);
  });

  it.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    "ada @example.com",
    "ada@example.com ",
    "ada@exam_ple.com",
    "ada@-example.com",
    "ada@example..com",
    ".ada@example.com",
    "a..da@example.com",
    "ada@example.com\r\nbcc: eve@example.com",
    "ada@example.com,eve@example.com",
    "<ada@example.com>",
    `${"a".repeat(65)}@example.com`,
    `ada@${"a.".repeat(125)}com`,
    "a".repeat(15_000),
  ])("422: %j as an address", async (email) => {
    const answer = await accounts.signUp(email);

    expect(answer.status).toBe(422);
    expect(new Set(pointersOf(answer))).toEqual(new Set(["/body/email"]));
  });

  it("201: unusual valid addresses", async () => {
    const id = randomUUID().slice(0, 8);
    const longest = `${"a".repeat(56)}${id}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(58)}.co`;
    expect(longest).toHaveLength(254);
    for (const email of [`ada+${id}@sub.example.co.uk`, `o'brien-${id}@1und1.de`, longest]) {
      expect((await accounts.signUp(email)).status).toBe(201);
    }
  });

  it("422: one response lists all invalid fields", async () => {
    const answer = await accounts.call("POST", "/signup", {
      email: "ada",
      password: 1,
      name: "a\u0000b",
      company_name: "  ",
      country: "usa",
      role: "admin",
    });

    expect(new Set(pointersOf(answer))).toEqual(
      new Set([
        "/body/email",
        "/body/password",
        "/body/name",
        "/body/company_name",
        "/body/country",
        "/body/role",
        "/body/captcha_token",
      ]),
    );
  });

  it.each(["ZZ", "EU", "XK", "DD", "us", "UK"])("422: %s is not a country", async (country) => {
    const answer = await accounts.signUp(accounts.newEmail(), { country });

    expect(pointersOf(answer)).toEqual(["/body/country"]);
  });

  it.each(["id", "tenant_id", "developer_id", "status", "email_verified", "kyb_status", "constructor"])(
    "422: %s cannot be set",
    async (field) => {
      const answer = await accounts.signUp(accounts.newEmail(), { [field]: "active" });

      expect(answer.status).toBe(422);
      expect(pointersOf(answer)).toEqual([`/body/${field}`]);
    },
  );

  it.each([
    ["two members of one name", '{"email":"a@example.com","email":"b@example.com"}'],
    ["a member called __proto__", '{"__proto__":{"status":"active"}}'],
    ["an array", "[]"],
    ["broken JSON", '{"email":'],
    [
      "a lone surrogate",
      '{"email":"a@example.com","password":"tin whistle under glass","captcha_token":"sandbox-pass","name":"\\ud800"}',
    ],
  ])("422: a body with %s", async (_what, body) => {
    expect((await accounts.call("POST", "/signup", body)).status).toBe(422);
  });

  it("422: without a solved captcha, no account is created", async () => {
    const email = accounts.newEmail();

    for (const captcha_token of ["sandbox-fail", "", "nonsense", undefined, 1]) {
      const answer = await accounts.signUp(email, { captcha_token });
      expect(answer.status).toBe(422);
      expect(pointersOf(answer)).toEqual(["/body/captcha_token"]);
    }
    expect(await countOf(email)).toBe(0);
    const { body } = await accounts.signUp(email, { captcha_token: "nonsense" });
    expect(body.errors[0].detail).toContain("GET /api/v1/svc/developers/captcha");
  });

  it("201: a solved challenge of GET /developers/captcha, once", async () => {
    const { body, status, headers } = await accounts.call("GET", "/captcha");
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    const challenge = body as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    const captcha_token = Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");

    expect((await accounts.signUp(undefined, { captcha_token })).status).toBe(201);
    const again = await accounts.signUp(undefined, { captcha_token });

    expect(again.status).toBe(422);
    expect(pointersOf(again)).toEqual(["/body/captcha_token"]);
  });

  it("503: the captcha cannot be checked, and no account is created", async () => {
    const email = accounts.newEmail();

    const answer = await accounts.signUp(email, { captcha_token: "the-verifier-is-down" });

    expect(answer).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect(answer.headers["retry-after"]).toBe("1");
    expect(await countOf(email)).toBe(0);
  });

  it("500: an error before the commit leaves no part of an account", async () => {
    const email = accounts.newEmail();
    failsToMail = true;
    const broken = await accounts.signUp(email);
    failsToMail = false;

    expect(broken.status).toBe(500);
    expect(await accounts.query("select 1 from developers where email = $1", [email])).toEqual([]);
    expect(await countOf(email)).toBe(0);
    expect((await accounts.signUp(email)).status).toBe(201);
    expect(await accounts.verificationTokensOf(email)).toHaveLength(1);
    expect((await accounts.logIn(email, PASSWORD)).status).toBe(200);
  });
});

describe("rate limits and timing of POST /developers/signup", () => {
  let hashes = 0;
  let hashedAtMs = 0;
  let isDown = false;
  const harness = useHarness({
    settings: { signupsPerHour: 2, minimumDurationMs: 250 },
    replace: ({ passwords, fastState }) => ({
      passwords: {
        ...passwords,
        hash: async (password) => {
          const hash = await passwords.hash(password);
          hashes += 1;
          hashedAtMs = performance.now();
          return hash;
        },
      },
      fastState: new Proxy(fastState, {
        get: (state, name) => {
          if (isDown && name === "countInWindow") return async () => Promise.reject(new Error("x"));
          const value = Reflect.get(state, name);
          return typeof value === "function" ? value.bind(state) : value;
        },
      }),
    }),
  });
  const accounts = accountsOf(harness);
  const signUpFrom = async (from: string, more: object = {}) => {
    const fields = {
      email: accounts.newEmail(),
      password: PASSWORD,
      captcha_token: "sandbox-pass",
    };
    return accounts.call("POST", "/signup", { ...fields, ...more }, { from });
  };

  it("201: the same minimum duration for a known and an unknown address", async () => {
    const known = accounts.newEmail();
    await accounts.signUp(known);
    const timeOf = async (email: string) => {
      const began = performance.now();
      await accounts.signUp(email);
      return performance.now() - began;
    };

    expect(await timeOf(known)).toBeGreaterThan(245);
    expect(await timeOf(accounts.newEmail())).toBeGreaterThan(245);
  });

  it("201: the minimum duration starts after hashing", async () => {
    const email = accounts.newEmail();

    for (const _round of ["unknown", "known"]) {
      expect((await accounts.signUp(email)).status).toBe(201);
      expect(performance.now() - hashedAtMs).toBeGreaterThan(248);
    }
  });

  it.each([
    ["IPv4 address", "203.0.113.1", "203.0.113.1", "203.0.113.2"],
    ["IPv6 /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"],
  ])("429: the hourly limit of an %s, before the password is hashed", async (_what, from, same, other) => {
    const began = hashes;
    await signUpFrom(from, { captcha_token: "sandbox-fail" });
    await signUpFrom(from, { password: "short" });
    expect((await signUpFrom(from)).status).toBe(201);
    harness.clock.advanceSeconds(600);
    expect((await signUpFrom(same)).status).toBe(201);

    const refused = await signUpFrom(same);

    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers["retry-after"]).toBe("3000");
    expect(hashes - began).toBe(2);
    expect((await signUpFrom(other)).status).toBe(201);
    harness.clock.advanceSeconds(3_000);
    expect((await signUpFrom(from)).status).toBe(201);
  });

  it.each([
    ["IPv4 /24", (host: number) => `192.0.2.${host}`, "192.0.3.1"],
    ["IPv6 /48", (host: number) => `2001:db8:5:${host}::1`, "2001:db8:6::1"],
  ])("429: the hourly limit of an %s is ten times that of an address", async (_what, addressOf, elsewhere) => {
    const froms = Array.from({ length: 21 }, (_, index) => addressOf(index + 1));

    const statuses = (await Promise.all(froms.map((from) => signUpFrom(from)))).map(({ status }) => status);

    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await signUpFrom(elsewhere)).status).toBe(201);
  });

  it("503: signups cannot be counted, and no account is created", async () => {
    const began = hashes;
    isDown = true;
    const refused = await signUpFrom(accounts.newAddress());
    isDown = false;

    expect(refused).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect(hashes).toBe(began);
  });
});
