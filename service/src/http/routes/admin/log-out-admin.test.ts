import { describe, expect, it } from "vitest";
import { adminsOf } from "../../../../test/admins.ts";
import { useHarness } from "../../../../test/harness.ts";

const CLEARED = "svc_admin=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict";
const DONE = { status: 204, text: "", headers: { "set-cookie": CLEARED } };

describe("POST /admin/logout", () => {
  const harness = useHarness();
  const admins = adminsOf(harness);

  const logOut = (headers: Record<string, string>, body?: object) => admins.post("/admin/logout", body, { headers });
  const isLoggedIn = async (as: object) => {
    const about = { developer_id: "dev_nobody", status: "verified" };
    return (await admins.post("/developers/verify-kyb", about, as)).status === 404;
  };

  it("204: ends only the session of the token in the header", async () => {
    const { as } = await admins.seedSession();
    const other = await admins.seedSession();

    expect(await logOut(as.headers)).toMatchObject(DONE);

    expect(await isLoggedIn(as)).toBe(false);
    expect(await isLoggedIn(other.as)).toBe(true);
  });

  it("204: ends the session of the cookie if the request is same-origin", async () => {
    const { as, cookie } = await admins.seedSession();

    const refused = await logOut({ cookie, "sec-fetch-site": "cross-site" });
    expect(refused.status).toBe(204);
    expect(refused.headers).not.toHaveProperty("set-cookie");
    expect(await isLoggedIn(as)).toBe(true);
    expect(await logOut({ cookie, "sec-fetch-site": "same-origin" })).toMatchObject(DONE);
    expect(await isLoggedIn(as)).toBe(false);
  });

  it("204: same response without a token, with an unknown token, and after a logout", async () => {
    const { as } = await admins.seedSession();
    await logOut(as.headers);

    for (const headers of [{}, { authorization: "Bearer x.y.z" }, as.headers]) {
      expect(await logOut(headers)).toMatchObject(DONE);
    }
  });

  it("422: request has a body; the cookie is cleared", async () => {
    const response = await logOut({}, { all_sessions: true });
    expect(response).toMatchObject({ status: 422, headers: { "set-cookie": CLEARED } });
  });
});
