import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("DELETE /developers/dashboard/sessions/{session_id}", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  type Account = Awaited<ReturnType<typeof accounts.seedAccount>>;
  const end = ({ as }: Pick<Account, "as">, sessionId: string) =>
    accounts.call("DELETE", `/dashboard/sessions/${sessionId}`, undefined, as);
  const me = ({ as }: Pick<Account, "as">) => accounts.call("GET", "/dashboard/me", undefined, as);

  async function sessionOf(account: Pick<Account, "as">): Promise<string> {
    const { body } = await accounts.call("GET", "/dashboard/sessions", undefined, account.as);
    return body.data.find(({ current }: { current: boolean }) => current).session_id;
  }

  async function secondSession(account: Account) {
    const { body } = await accounts.logIn(account.email);
    return {
      as: { headers: { authorization: `Bearer ${body.access_token}` } },
      refreshToken: body.refresh_token as string,
    };
  }

  it("204: ends another session; its access and refresh tokens fail immediately", async () => {
    const account = await accounts.seedAccount();
    const other = await secondSession(account);
    const sessionId = await sessionOf(other);

    expect(await end(account, sessionId)).toMatchObject({ status: 204, text: "" });

    expect((await me(other)).status).toBe(401);
    const refreshed = await accounts.call("POST", "/token/refresh", {
      refresh_token: other.refreshToken,
    });
    expect(refreshed.status).toBe(401);
    expect((await me(account)).status).toBe(200);
    const entries = await accounts.query(
      "select subject, facts from audit_entries where tenant_id = $1 and action = 'session.revoked'",
      [account.developerId],
    );
    expect(entries).toEqual([{ subject: { type: "session", id: sessionId }, facts: { reason: "ended_by_owner" } }]);
  });

  it("204: ends the calling session", async () => {
    const account = await accounts.seedAccount();

    expect((await end(account, await sessionOf(account))).status).toBe(204);
    expect((await me(account)).status).toBe(401);
  });

  it("404: a session of another developer, an ended session, or a malformed id", async () => {
    const account = await accounts.seedAccount();
    const otherAccount = await accounts.seedAccount();
    const otherSession = await sessionOf(otherAccount);
    const second = await secondSession(account);
    const ended = await sessionOf(second);
    await end(account, ended);

    for (const sessionId of [otherSession, ended, "ses_nothing", "a"]) {
      expect(await end(account, sessionId)).toMatchObject({
        status: 404,
        body: { code: "session_not_found" },
      });
    }
    expect((await me(otherAccount)).status).toBe(200);
  });
});
