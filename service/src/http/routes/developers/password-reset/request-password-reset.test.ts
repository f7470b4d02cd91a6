import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("POST /developers/password/forgot", () => {
  const harness = useHarness({ settings: { minimumDurationMs: 150 } });
  const accounts = accountsOf(harness);

  const forgot = (email: string, from?: string) =>
    accounts.call("POST", "/password/forgot", { email }, from === undefined ? {} : { from });
  async function mailsTo(email: string) {
    await harness.deliverMails();
    return harness.mails.filter(({ to, subject }) => to === email && subject === "Choose a new password for Purser");
  }

  it("200: emails a URL to an address with an account, verified or not", async () => {
    for (const verified of [true, false]) {
      const { email } = await accounts.seedAccount({ verified });

      const answer = await forgot(email.toUpperCase());

      expect(answer).toMatchObject({ status: 200, body: { status: "accepted" } });
      const [mail] = await mailsTo(email);
      expect(mail?.text).toMatch(/http:\/\/purser\.test\/login\/reset\?token=[\w-]{43}\n/);
    }
  });

  it("200: an unknown address and a closed account get the same response after the same time, and no email", async () => {
    const known = await accounts.seedAccount();
    const closed = await accounts.seedAccount();
    await accounts.query("update developers set status = 'closed' where email = $1", [closed.email]);
    const unknown = accounts.newEmail();

    const timed = await Promise.all(
      [known.email, closed.email, unknown].map(async (email) => {
        const startedAt = performance.now();
        const { text } = await forgot(email);
        return { text, tookMs: performance.now() - startedAt };
      }),
    );

    expect(new Set(timed.map(({ text }) => text)).size).toBe(1);
    for (const { tookMs } of timed) expect(tookMs).toBeGreaterThanOrEqual(145);
    expect(await mailsTo(known.email)).toHaveLength(1);
    expect(await mailsTo(closed.email)).toEqual([]);
    expect(await mailsTo(unknown)).toEqual([]);
  });

  it("200: at most three emails per hour to one address, from any network", async () => {
    const { email } = await accounts.seedAccount();

    const answers = await Promise.all(Array.from({ length: 8 }, () => forgot(email)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await mailsTo(email)).toHaveLength(3);
    harness.clock.advanceSeconds(3_601);
    await forgot(email);
    expect(await mailsTo(email)).toHaveLength(4);
  });

  it("429: more than five calls per minute from one network", async () => {
    const from = accounts.newAddress();
    const answers = await Promise.all(Array.from({ length: 8 }, () => forgot(accounts.newEmail(), from)));

    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(3).fill(429)]);
    harness.clock.advanceSeconds(61);
    expect((await forgot(accounts.newEmail(), from)).status).toBe(200);
  });

  it("200: rows and logs do not contain the token in plain text", async () => {
    const { email } = await accounts.seedAccount();
    await forgot(email);
    const before = await accounts.everyRow();

    const [mail] = await mailsTo(email);
    const [, token = ""] = /token=([\w-]+)/.exec(mail?.text ?? "") ?? [];

    expect(token).toHaveLength(43);
    for (const text of [before, await accounts.everyRow(), harness.logLines.join("\n")]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token).toString("hex"));
    }
  });

  it("422: an invalid address, or an unknown field", async () => {
    expect((await forgot("not-an-address")).status).toBe(422);
    const more = { email: accounts.newEmail(), password: "tin whistle" };
    expect((await accounts.call("POST", "/password/forgot", more)).status).toBe(422);
  });
});
