import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf, wrongCodeOf } from "../../../../../test/second-factors.ts";

const withoutId = ({ body: { request_id: _id, ...body } }: ApiResponse) => JSON.stringify(body);
const statusesOf = (answers: readonly ApiResponse[]) => answers.map(({ status }) => status).sort();

describe("POST /developers/login/totp", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  const logInWithCode = (email: string, totp_code: string) =>
    accounts.call("POST", "/login", { email, password: PASSWORD, totp_code });
  const sessionsOf = (developerId: string) =>
    accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.logged_in' order by audit_id",
      [developerId],
    );

  it("200: completes the login with a code, and writes an audit entry", async () => {
    const device = await secondFactors.seed();
    const pending = await accounts.logIn(device.email);
    expect(pending.status).toBe(200);
    expect(pending.headers["set-cookie"]).toBeUndefined();

    const answer = await secondFactors.finish(pending.body.mfa_token, device.code());

    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.any(String),
        expires_in: 900,
        developer: { email: device.email, mfa_enabled: true },
      },
    });
    expect(answer.headers["set-cookie"]).toHaveLength(2);
    expect((await sessionsOf(device.developerId)).at(-1)).toEqual({
      facts: { method: "password", second_factor: "totp" },
    });
  });

  it("200: a code from the previous or the next time step", async () => {
    const device = await secondFactors.seed();
    secondFactors.nextStep();

    const early = await secondFactors.begin(device.email);
    expect((await secondFactors.finish(early, device.code(-1))).status).toBe(200);
    const late = await secondFactors.begin(device.email);
    expect((await secondFactors.finish(late, device.code(1))).status).toBe(200);
  });

  it.each([
    ["spaces", (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\n`],
    ["a hyphen", (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    [
      "full-width digits",
      (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
  ])("200: a code with %s, in one call and in two", async (_name, spell) => {
    const device = await secondFactors.seed();

    const one = await logInWithCode(device.email, spell(device.code()));
    secondFactors.nextStep();
    const token = await secondFactors.begin(device.email);
    const two = await secondFactors.finish(token, spell(device.code()));

    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.body).toHaveProperty("access_token");
  });

  it("200: a recovery code in any spelling, once", async () => {
    const device = await secondFactors.seed();
    const [first = "", second = ""] = device.recoveryCodes;
    const written = ` ${first.toLowerCase().replaceAll("-", " ")}`;

    const token = await secondFactors.begin(device.email);
    expect((await secondFactors.finish(token, written)).status).toBe(200);
    const next = await secondFactors.begin(device.email);
    expect((await secondFactors.finish(next, first)).status).toBe(401);
    expect((await secondFactors.finish(next, second)).status).toBe(200);
    expect((await sessionsOf(device.developerId)).at(-1)).toEqual({
      facts: { method: "password", second_factor: "recovery_code" },
    });
  });

  it("200: password and code in one call; 401 is the same for a wrong code and a wrong password", async () => {
    const device = await secondFactors.seed();
    const code = device.code();

    expect((await logInWithCode(device.email, code)).body.access_token).toBeDefined();

    secondFactors.nextStep();
    const wrong = await logInWithCode(device.email, wrongCodeOf(device));
    const used = await logInWithCode(device.email, code);
    const password = await accounts.logIn(device.email, "another password");
    expect(statusesOf([wrong, used, password])).toEqual([401, 401, 401]);
    expect(new Set([wrong, used, password].map(withoutId)).size).toBe(1);
  });

  it("200: codes of an account without a second factor are ignored and not counted", async () => {
    const { email } = await accounts.seedAccount();
    for (let login = 0; login < 22; login += 1) {
      expect((await logInWithCode(email, "123456")).status).toBe(200);
    }
  });

  it("401: all but one of eight concurrent logins with one TOTP code", async () => {
    const device = await secondFactors.seed();
    const before = await sessionsOf(device.developerId);
    const tokens = await Promise.all(Array.from({ length: 8 }, () => secondFactors.begin(device.email)));

    const answers = await Promise.all(tokens.map((token) => secondFactors.finish(token, device.code())));

    expect(statusesOf(answers)).toEqual([200, ...Array(7).fill(401)]);
    expect(await sessionsOf(device.developerId)).toHaveLength(before.length + 1);
  });

  it("401: all but one of eight concurrent logins with one recovery code", async () => {
    const device = await secondFactors.seed();
    const [code = ""] = device.recoveryCodes;
    const tokens = await Promise.all(Array.from({ length: 8 }, () => secondFactors.begin(device.email)));

    const answers = await Promise.all(tokens.map((token) => secondFactors.finish(token, code)));

    expect(statusesOf(answers)).toEqual([200, ...Array(7).fill(401)]);
  });

  it("401: all but one of four concurrent calls with one token and four valid codes", async () => {
    const device = await secondFactors.seed();
    const token = await secondFactors.begin(device.email);

    const answers = await Promise.all(
      device.recoveryCodes.slice(0, 4).map((code) => secondFactors.finish(token, code)),
    );

    expect(statusesOf(answers)).toEqual([200, 401, 401, 401]);
    // Each call sent a different recovery code, and only a successful call uses up its code. The fourth code is
    // therefore still valid, unless the fourth call succeeded.
    const next = await secondFactors.begin(device.email);
    const again = await secondFactors.finish(next, device.recoveryCodes[3] ?? "");
    const spent = answers[3]?.status === 200;
    expect(again.status).toBe(spent ? 401 : 200);
  });

  it("401: the right code after five attempts, including 50 concurrent ones", async () => {
    const device = await secondFactors.seed();
    const token = await secondFactors.begin(device.email);
    const wrong = "AAAA-AAAA-AAAA-AAAA";

    await Promise.all(Array.from({ length: 50 }, () => secondFactors.finish(token, wrong)));

    const [challenge] = await accounts.query("select attempts from mfa_challenges where tenant_id = $1", [
      device.developerId,
    ]);
    expect(challenge).toEqual({ attempts: 5 });
    expect((await secondFactors.finish(token, device.code())).status).toBe(401);
    const fresh = await secondFactors.begin(device.email);
    expect((await secondFactors.finish(fresh, device.code())).status).toBe(200);
  });

  it("401: more than 20 TOTP codes per hour for one account; a recovery code still works", async () => {
    const device = await secondFactors.seed();
    const tokens = await Promise.all(Array.from({ length: 7 }, () => secondFactors.begin(device.email)));
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await secondFactors.finish(tokens[Math.floor(attempt / 4)] ?? "", wrongCodeOf(device));
    }

    expect((await secondFactors.finish(tokens[5] ?? "", device.code())).status).toBe(401);
    expect((await logInWithCode(device.email, device.code())).status).toBe(401);
    const recovered = await secondFactors.finish(tokens[6] ?? "", device.recoveryCodes[0] ?? "");
    expect(recovered.status).toBe(200);
    harness.clock.advanceSeconds(3_601);
    expect((await logInWithCode(device.email, device.code())).status).toBe(200);
  });

  it("401: a login after five minutes", async () => {
    const device = await secondFactors.seed();
    const late = await secondFactors.begin(device.email);
    harness.clock.advanceSeconds(300);
    expect((await secondFactors.finish(late, device.code())).status).toBe(401);

    const soon = await secondFactors.begin(device.email);
    harness.clock.advanceSeconds(299);
    expect((await secondFactors.finish(soon, device.code())).status).toBe(200);
  });

  it("401: the same response for an unknown or used token, another account's code, and a suspended account", async () => {
    const device = await secondFactors.seed();
    const other = await secondFactors.seed();
    const used = await secondFactors.begin(device.email);
    await secondFactors.finish(used, device.code());
    const suspended = await secondFactors.begin(other.email);
    await accounts.query("update developers set status = 'suspended' where email = $1", [other.email]);

    const answers = [
      await secondFactors.finish("nothing", "123456"),
      await secondFactors.finish(await secondFactors.begin(device.email), other.code()),
      await secondFactors.finish(used, device.recoveryCodes[0] ?? ""),
      await secondFactors.finish(suspended, other.code()),
      await accounts.logIn(other.email),
      await accounts.logIn(other.email, "another password"),
    ];

    expect(new Set(statusesOf(answers))).toEqual(new Set([401]));
    expect(new Set(answers.map(withoutId)).size).toBe(1);
  });

  it("200: the cookie of a login with an identity provider instead of the token, cleared after the login", async () => {
    const device = await secondFactors.seed();
    const headers = { cookie: `svc_second_factor=${await secondFactors.begin(device.email)}` };
    const finish = (code: string, more = {}) =>
      accounts.call(
        "POST",
        "/login/totp",
        { code },
        { headers: { ...headers, "sec-fetch-site": "same-origin", ...more } },
      );

    const wrong = await finish(wrongCodeOf(device));
    const foreign = [
      await finish(device.code(), { "sec-fetch-site": "cross-site" }),
      await finish(device.code(), { "sec-fetch-site": "", origin: "https://evil.test" }),
    ];
    const answer = await finish(device.code());

    expect(wrong.status).toBe(401);
    expect(wrong.headers).not.toHaveProperty("set-cookie");
    for (const { status, body } of foreign) expect([status, body.code]).toEqual([403, "cross_origin"]);
    expect(answer).toMatchObject({ status: 200, body: { developer: { email: device.email } } });
    expect(answer.headers["set-cookie"]).toEqual([
      "svc_second_factor=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
      expect.stringMatching(/^svc_access=ey/),
      expect.stringMatching(/^svc_refresh=/),
    ]);
    expect((await finish(device.recoveryCodes[0] ?? "")).status).toBe(401);
  });

  it("200: the token in the body, even from another site and with a cookie, which is then ignored", async () => {
    const device = await secondFactors.seed();
    const other = await secondFactors.seed();
    const mfa_token = await secondFactors.begin(device.email);
    const cookie = `svc_second_factor=${await secondFactors.begin(other.email)}`;

    const answer = await accounts.call(
      "POST",
      "/login/totp",
      { mfa_token, code: device.code() },
      { headers: { cookie, "sec-fetch-site": "cross-site" } },
    );

    expect(answer).toMatchObject({ status: 200, body: { developer: { email: device.email } } });
    expect(answer.headers["set-cookie"]).toHaveLength(2);
  });

  it("401: neither token nor cookie, or a malformed cookie, with the same response", async () => {
    const send = (headers = {}) => accounts.call("POST", "/login/totp", { code: "123456" }, { headers });

    const answers = [
      await send(),
      await send({ cookie: "svc_second_factor=nonsense" }),
      await send({ cookie: `svc_second_factor=${"x".repeat(43)}` }),
      await secondFactors.finish("nothing", "123456"),
    ];

    expect(statusesOf(answers)).toEqual([401, 401, 401, 401]);
    expect(new Set(answers.map(withoutId)).size).toBe(1);
  });

  it("422: an unknown field, or a missing code", async () => {
    for (const body of [{ mfa_token: "x" }, { mfa_token: "x", code: "123456", remember: true }]) {
      expect((await accounts.call("POST", "/login/totp", body)).status).toBe(422);
    }
  });
});
