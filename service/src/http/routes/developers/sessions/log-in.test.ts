import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";

const WRONG = "tin whistle under grass";

const withoutId = ({ body: { request_id: _id, ...body } }: ApiResponse) => JSON.stringify(body);

describe("POST /developers/login", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function arrange() {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    return { email, from: accounts.newAddress() };
  }

  it("200: tokens and the developer, also before the address is verified", async () => {
    const { email } = await arrange();

    const answer = await accounts.logIn(email.toUpperCase());

    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: "Bearer",
        expires_in: 900,
        refresh_expires_in: 2_592_000,
        developer: {
          object: "developer",
          email,
          status: "pending_verification",
          email_verified: false,
        },
      },
    });
    const me = await accounts.call("GET", "/dashboard/me", undefined, {
      headers: { authorization: `Bearer ${answer.body.access_token}` },
    });
    expect(me.body).toEqual(answer.body.developer);
  });

  it("200: both cookies are HttpOnly and SameSite=Strict", async () => {
    const { email } = await arrange();

    const { headers, body } = await accounts.logIn(email);

    expect(headers["set-cookie"]).toEqual([
      `svc_access=${body.access_token}; Max-Age=900; Path=/; HttpOnly; SameSite=Strict`,
      `svc_refresh=${body.refresh_token}; Max-Age=2592000; Path=/api/v1/svc/developers/; HttpOnly; SameSite=Strict`,
    ]);
  });

  it("200: stores the network and at most 300 characters of User-Agent", async () => {
    const { email } = await arrange();
    const headers = { "user-agent": "x".repeat(5_000) };

    const { body } = await accounts.logIn(email, PASSWORD, { headers, from: "2001:db8:1:2:3::4" });

    const sessions = await accounts.query("select * from sessions where tenant_id = $1", [body.developer.developer_id]);
    expect(sessions).toMatchObject([{ network: "2001:db8:1:2::/64", user_agent: "x".repeat(300) }]);
  });

  it("401: the same response for a wrong password, an unknown address, and a suspended or closed account", async () => {
    const { email } = await arrange();
    const inactive = await Promise.all(
      ["suspended", "closed"].map(async (status) => {
        const { email: address } = await arrange();
        await accounts.query("update developers set status = $2 where email = $1", [address, status]);
        return accounts.logIn(address);
      }),
    );

    const answers = [
      await accounts.logIn(email, WRONG),
      await accounts.logIn(accounts.newEmail()),
      await accounts.logIn(email, "x"),
      ...inactive,
    ];

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(answers.map(withoutId)).size).toBe(1);
    expect(answers[0]?.body.detail).toBe("Authentication failed.");
    for (const { headers } of answers) expect(headers["set-cookie"]).toBeUndefined();
  });

  it("422: a captcha is required after five failures; with it, or from another network, the login succeeds", async () => {
    const { email, from } = await arrange();
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await accounts.logIn(email, WRONG, { from })).status).toBe(401);
    }

    const sixth = await accounts.logIn(email, PASSWORD, { from });
    expect(sixth).toMatchObject({
      status: 422,
      body: { code: "validation_error", errors: [{ pointer: "/body/captcha_token" }] },
    });
    const login = (password: string, captcha_token: string) =>
      accounts.call("POST", "/login", { email, password, captcha_token }, { from });
    expect((await login(PASSWORD, "sandbox-fail")).status).toBe(422);
    expect((await login(WRONG, "sandbox-pass")).status).toBe(401);
    expect((await accounts.logIn(email, PASSWORD, { from: accounts.newAddress() })).status).toBe(200);
    expect((await accounts.logIn(accounts.newEmail(), WRONG, { from })).status).toBe(401);

    expect((await login(PASSWORD, "sandbox-pass")).status).toBe(200);
    expect((await accounts.logIn(email, PASSWORD, { from })).status).toBe(200);
  });

  it("422: an unknown address requires the captcha too", async () => {
    const [email, from] = [accounts.newEmail(), accounts.newAddress()];
    const known = await arrange();
    for (let turn = 0; turn < 5; turn += 1) {
      await accounts.logIn(email, WRONG, { from });
      await accounts.logIn(known.email, WRONG, { from: known.from });
    }

    const unknown = await accounts.logIn(email, WRONG, { from });

    expect(unknown.status).toBe(422);
    expect(withoutId(unknown)).toBe(withoutId(await accounts.logIn(known.email, WRONG, { from: known.from })));
  });

  it("200: only failures since the last success are counted", async () => {
    const { email, from } = await arrange();

    for (let turn = 0; turn < 3; turn += 1) {
      for (let wrong = 0; wrong < 4; wrong += 1) await accounts.logIn(email, WRONG, { from });
      expect((await accounts.logIn(email, PASSWORD, { from })).status).toBe(200);
    }
    for (let turn = 0; turn < 8; turn += 1) {
      expect((await accounts.logIn(email, PASSWORD, { from })).status).toBe(200);
    }
  });

  it("401: five of 30 concurrent wrong passwords; the others need a captcha", async () => {
    const { email, from } = await arrange();

    const answers = await Promise.all(Array.from({ length: 30 }, () => accounts.logIn(email, WRONG, { from })));

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(25);
  });

  it("200: a totp_code is ignored for an account without a second factor", async () => {
    const { email } = await arrange();
    const login = (totp_code: unknown) => accounts.call("POST", "/login", { email, password: PASSWORD, totp_code });

    expect((await login("123456")).status).toBe(200);
    expect((await login("12345")).status).toBe(422);
  });

  it.each([
    ["no password", { email: "ada@example.com" }, "/body/password"],
    ["no address", { password: PASSWORD }, "/body/email"],
    ["an unknown field", { email: "ada@example.com", password: PASSWORD, role: "admin" }, "/body/role"],
    ["a password of the wrong type", { email: "ada@example.com", password: { $ne: "" } }, "/body/password"],
    ["an invalid address", { email: "ada", password: PASSWORD }, "/body/email"],
    [
      "half a surrogate pair in the password",
      { email: "ada@example.com", password: "\udc01correct horse" },
      "/body/password",
    ],
    ["a NUL in the password", { email: "ada@example.com", password: "tin whistle\0 under glass" }, "/body/password"],
    ["a password of 513 characters", { email: "ada@example.com", password: "x".repeat(513) }, "/body/password"],
  ])("422: a body with %s", async (_what, body, pointer) => {
    const answer = await accounts.call("POST", "/login", body);

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(answer.text).not.toContain(PASSWORD);
  });

  it("401: a closed account gets no session", async () => {
    const { email } = await arrange();
    await accounts.query("update developers set status = 'closed' where email = $1", [email]);
    await accounts.logIn(email);

    const sessions = await accounts.query(
      "select 1 from sessions s join developers d using (tenant_id) where d.email = $1",
      [email],
    );

    expect(sessions).toEqual([]);
  });
});

describe("POST /developers/login over https", () => {
  const harness = useHarness({ settings: { publicUrl: "https://purser.test" } });
  const accounts = accountsOf(harness);

  it("200: Secure cookies with the __Host- and __Secure- prefixes", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);

    const { headers, body } = await accounts.logIn(email);

    expect(headers["set-cookie"]).toEqual([
      `__Host-svc_access=${body.access_token}; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Strict`,
      `__Secure-svc_refresh=${body.refresh_token}; Max-Age=2592000; Path=/api/v1/svc/developers/; HttpOnly; Secure; SameSite=Strict`,
    ]);
  });
});
