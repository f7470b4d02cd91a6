import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("POST /developers/resend-verification", () => {
  let isDown = false;
  const harness = useHarness({
    replace: ({ fastState }) => ({
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

  const resend = (email: unknown, from = accounts.newAddress(), headers = {}) =>
    accounts.call("POST", "/resend-verification", { email }, { from, headers });

  it("200: emails another token; the earlier one remains valid", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);

    expect(await resend(email.toUpperCase())).toMatchObject({
      status: 200,
      body: { status: "accepted" },
    });

    const [first, second, ...more] = await accounts.verificationTokensOf(email);
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
    expect((await accounts.call("GET", `/verify-email?token=${first}`)).status).toBe(200);
    expect((await accounts.call("GET", `/verify-email?token=${second}`)).status).toBe(200);
  });

  it("200: the same response for unverified, verified, closed and unknown accounts", async () => {
    const [waiting, closed] = [accounts.newEmail(), accounts.newEmail()];
    await accounts.signUp(waiting);
    await accounts.signUp(closed);
    await accounts.query("update developers set status = 'closed' where email = $1", [closed]);
    const { email: verified } = await accounts.seedAccount();
    const unknown = accounts.newEmail();
    await harness.deliverMails();
    harness.mails.length = 0;

    const answers = await Promise.all([waiting, verified, closed, unknown].map((email) => resend(email)));

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"status":"accepted"}']),
    );
    await harness.deliverMails();
    expect(harness.mails.map(({ to }) => to)).toEqual([waiting]);
  });

  it("429: more than three calls from one network within a minute", async () => {
    const from = accounts.newAddress();
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await resend(accounts.newEmail(), from)).status).toBe(200);
      harness.clock.advanceSeconds(10);
    }

    const fourth = await resend(accounts.newEmail(), from);
    expect(fourth).toMatchObject({ status: 429, body: { code: "rate_limited", retryable: true } });
    expect(fourth.headers["retry-after"]).toBe("30");
    expect((await resend(accounts.newEmail())).status).toBe(200);

    harness.clock.advanceSeconds(29);
    expect((await resend(accounts.newEmail(), from)).status).toBe(429);
    harness.clock.advanceSeconds(1);
    expect((await resend(accounts.newEmail(), from)).status).toBe(200);
    expect((await resend(accounts.newEmail(), from)).status).toBe(429);
  });

  it("429: counts by the socket's address and ignores forwarding headers", async () => {
    const from = accounts.newAddress();
    const claims = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip"];

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        resend(accounts.newEmail(), from, { [claims[turn % 4] ?? ""]: `203.0.113.${turn}` }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17);
  });

  it("429: counts the addresses of one IPv6 /64 as one caller", async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 4; host += 1) {
      statuses.push((await resend(accounts.newEmail(), `2001:db8:7:7::${host}`)).status);
    }

    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it("422: malformed calls are not counted", async () => {
    const from = accounts.newAddress();
    for (const email of ["ada", "", null, 7, undefined, "ada@example.com\n"]) {
      expect((await resend(email, from)).status).toBe(422);
    }
    const unknownField = { email: "a@example.com", next: "/" };
    expect((await accounts.call("POST", "/resend-verification", unknownField, { from })).status).toBe(422);

    for (let turn = 0; turn < 3; turn += 1) {
      expect((await resend(accounts.newEmail(), from)).status).toBe(200);
    }
  });

  it("200: at most three emails per hour to one address, from any network", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);

    for (let turn = 0; turn < 5; turn += 1) expect((await resend(email)).status).toBe(200);
    expect(await accounts.verificationTokensOf(email)).toHaveLength(1 + 3);

    harness.clock.advanceSeconds(3_600);
    await resend(email);
    expect(await accounts.verificationTokensOf(email)).toHaveLength(1 + 3 + 1);
  });

  it("503: sends no email while calls cannot be counted", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    isDown = true;
    const answer = await resend(email);
    isDown = false;

    expect(answer).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect(await accounts.verificationTokensOf(email)).toHaveLength(1);
  });
});
