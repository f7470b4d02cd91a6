import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../test/accounts.ts";
import { PREFIX, useHarness } from "../../../test/harness.ts";

describe("a dashboard session on a tenant route", () => {
  const harness = useHarness();
  const { seedAccount } = accountsOf(harness);

  function clientOf(headers: Record<string, string>) {
    const send = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object) =>
      harness.send({
        method,
        url: PREFIX + path,
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
    return {
      get: (path: string) => send("GET", path),
      post: (path: string, body: object) => send("POST", path, body),
      delete: (path: string) => send("DELETE", path),
    };
  }
  const bearer = (token: string, mode?: string) =>
    clientOf({
      authorization: `Bearer ${token}`,
      ...(mode === undefined ? {} : { "x-svc-mode": mode }),
    });

  it("200: X-Svc-Mode is live; 401: it is missing or unknown", async () => {
    const { accessToken } = await seedAccount();

    expect(await bearer(accessToken, "live").get("/projects")).toMatchObject({
      status: 200,
      headers: { "x-svc-mode": "live" },
    });
    for (const mode of [undefined, "", "LIVE", "production", "live,test"]) {
      expect((await bearer(accessToken, mode).get("/projects")).status, String(mode)).toBe(401);
    }
  });

  it("404: the object belongs to the other mode", async () => {
    const { accessToken } = await seedAccount();
    const { body } = await bearer(accessToken, "test").post("/projects", { name: "Sandbox" });

    expect((await bearer(accessToken, "test").get(`/projects/${body.project_id}`)).status).toBe(200);
    expect((await bearer(accessToken, "live").get(`/projects/${body.project_id}`)).status).toBe(404);
  });

  it("401: an environment pull needs a signed request", async () => {
    const { accessToken } = await seedAccount();
    const client = bearer(accessToken, "live");
    const { body } = await client.post("/projects", { name: "Secrets" });

    expect((await client.get(`/projects/${body.project_id}/env`)).status).toBe(401);
  });

  it("401: the session was ended, although its token has not expired", async () => {
    const { accessToken, refreshToken } = await seedAccount();
    const client = bearer(accessToken, "live");
    expect((await client.get("/projects")).status).toBe(200);

    await clientOf({}).post("/developers/logout", { refresh_token: refreshToken });

    expect((await client.get("/projects")).status).toBe(401);
  });

  it("401: the token expired after 15 minutes", async () => {
    const { accessToken } = await seedAccount();
    const client = bearer(accessToken, "live");

    harness.clock.advanceSeconds(899);
    expect((await client.get("/projects")).status).toBe(200);
    harness.clock.advanceSeconds(1);
    expect((await client.get("/projects")).status).toBe(401);
  });

  it("403: the email address is not verified; 200 for the profile", async () => {
    const { accessToken } = await seedAccount({ verified: false });
    const client = bearer(accessToken, "live");

    expect((await client.get("/developers/me")).status).toBe(200);
    for (const path of ["/projects", "/projects/catalog", "/developers/me/keys", "/audit/verify"]) {
      expect(await client.get(path), path).toMatchObject({
        status: 403,
        body: { code: "email_not_verified" },
      });
    }
  });

  it("409 account_changed: X-Svc-Developer names another account, and nothing is done", async () => {
    const [one, other] = [await seedAccount(), await seedAccount()];
    const asOne = (developer: string) =>
      clientOf({ cookie: `svc_access=${one.accessToken}`, "x-svc-mode": "live", "x-svc-developer": developer });

    for (const developer of [other.developerId, "", `${one.developerId},${one.developerId}`]) {
      expect(await asOne(developer).post("/projects", { name: "Elsewhere" })).toMatchObject({
        ...{ status: 409, body: { code: "account_changed", detail: expect.stringContaining("another account") } },
      });
      expect((await asOne(developer).get("/developers/dashboard/me")).status).toBe(409);
    }
    expect((await asOne(one.developerId).get("/projects")).body.data).toEqual([]);
    const signer = await harness.seedTenant();
    expect((await signer.get("/projects", { headers: { "x-svc-developer": one.developerId } })).status).toBe(200);
  });

  it("401: an invalid Authorization header with a valid cookie, or a cookie without a mode", async () => {
    const { accessToken } = await seedAccount();
    const cookie = `svc_access=${accessToken}`;
    const status = async (headers: Record<string, string>) => (await clientOf(headers).get("/projects")).status;

    expect(await status({ cookie, "x-svc-mode": "live" })).toBe(200);
    expect(await status({ cookie })).toBe(401);
    expect(await status({ cookie, "x-svc-mode": "live", authorization: "Bearer a.b.c" })).toBe(401);
    expect(await status({ cookie, "x-svc-mode": "live", authorization: "Basic YTpi" })).toBe(401);
  });

  it.each([
    [{ "sec-fetch-site": "same-origin" }, 201],
    [{ "sec-fetch-site": "none" }, 201],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "http://evil.test" }, 201],
    [{ origin: "http://purser.test" }, 201],
    [{ origin: "http://evil.test" }, 403],
    [{ origin: "null" }, 403],
    [{}, 201],
  ] as const)("a change by cookie with headers %j is %i", async (from, status) => {
    const { accessToken } = await seedAccount();
    const client = clientOf({ cookie: `svc_access=${accessToken}`, "x-svc-mode": "live", ...from });

    const response = await client.post("/projects", { name: "By cookie" });

    expect(response.status).toBe(status);
    if (status === 403) expect(response.body.code).toBe("cross_origin");
  });
});
