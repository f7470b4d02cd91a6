import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("GET /developers/dashboard/sessions", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  type Account = Awaited<ReturnType<typeof accounts.seedAccount>>;
  const list = ({ as }: Pick<Account, "as">, query = "") =>
    accounts.call("GET", `/dashboard/sessions${query}`, undefined, as);

  it("200: valid sessions, newest first, with the caller's session marked", async () => {
    const account = await accounts.seedAccount();
    harness.clock.advanceSeconds(60);
    const { body } = await accounts.logIn(account.email, PASSWORD, {
      from: "2001:db8:1:2:3::4",
      headers: { "user-agent": "curl/8" },
    });

    const { status, body: page } = await list(account);

    expect(status).toBe(200);
    expect(page).toEqual({
      object: "list",
      has_more: false,
      next_cursor: null,
      data: [
        {
          object: "session",
          session_id: expect.stringMatching(/^ses_/),
          current: false,
          created_at: harness.clock.now().toISOString(),
          last_used_at: harness.clock.now().toISOString(),
          ip: "2001:db8:1:2::/64",
          user_agent: "curl/8",
        },
        expect.objectContaining({ object: "session", current: true }),
      ],
    });
    const asNewest = { headers: { authorization: `Bearer ${body.access_token}` } };
    expect((await list({ as: asNewest })).body.data[0].current).toBe(true);
  });

  it("200: omits ended and expired sessions, and those of other developers", async () => {
    const account = await accounts.seedAccount();
    await accounts.seedAccount();
    const { body } = await accounts.logIn(account.email);
    await accounts.call("POST", "/logout", { refresh_token: body.refresh_token });
    expect((await list(account)).body.data).toHaveLength(1);

    harness.clock.advanceSeconds(30 * 86_400);
    const later = await accounts.logIn(account.email);
    const as = { headers: { authorization: `Bearer ${later.body.access_token}` } };
    expect((await list({ as })).body.data).toMatchObject([{ current: true }]);
  });

  it("200: pages by cursor, with each session once", async () => {
    const account = await accounts.seedAccount();
    for (let login = 0; login < 4; login += 1) await accounts.logIn(account.email);

    const ids: string[] = [];
    for (let query = "?limit=2"; query !== ""; ) {
      const { body } = await list(account, query);
      ids.push(...body.data.map(({ session_id }: { session_id: string }) => session_id));
      query = body.next_cursor === null ? "" : `?limit=2&cursor=${body.next_cursor}`;
    }

    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it("422: an invalid cursor, or a limit out of range", async () => {
    const account = await accounts.seedAccount();
    for (const query of ["?cursor=bm90aGluZw", "?limit=0", "?limit=101", "?page=1"]) {
      expect((await list(account, query)).status).toBe(422);
    }
  });

  it("401: an API key", async () => {
    const tenant = await harness.seedTenant();
    expect((await tenant.get("/developers/dashboard/sessions")).status).toBe(401);
  });
});
