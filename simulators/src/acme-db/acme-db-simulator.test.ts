import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { acmeDbSimulator } from "./acme-db-simulator.ts";

describe("Acme DB simulator", () => {
  let now = new Date("2026-01-01T12:00:00.000Z");
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;
  beforeAll(async () => {
    vendor = await startTestVendor(acmeDbSimulator(), { contract: null, now: () => now });
  });
  afterAll(() => vendor.close());

  async function send(
    method: string,
    path: string,
    { token = "sandbox-ada", body }: { token?: string; body?: object } = {},
  ) {
    const response = await fetch(`${vendor.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(await response.text()),
    };
  }

  const create = (name: string, drill: object = {}) =>
    send("POST", "/databases", { body: { name, region: "nowhere", plan: "free", drill } });

  it.each(["napi_another_vendors", "sandbox-refused"])("401: token %s", async (token) => {
    expect(await send("GET", "/account", { token })).toMatchObject({ status: 401 });
  });

  it("400: unknown value in drill", async () => {
    const { status, body } = await create("unknown", { fail_at: "nothing" });

    expect([status, body.code]).toEqual([400, "invalid"]);
  });

  it("409: the account already has a database with this name", async () => {
    await create("taken");

    expect(await create("taken")).toMatchObject({ status: 409, body: { code: "name_taken" } });
  });

  it("404: another account's database", async () => {
    const { body } = await create("private");
    const other = { token: "sandbox-grace" };

    expect((await send("GET", `/databases/${body.id}`, other)).status).toBe(404);
    expect((await send("DELETE", `/databases/${body.id}?force=true`, other)).status).toBe(404);
    expect((await send("GET", "/databases", other)).body).toEqual({ databases: [] });
  });

  it.each([
    [{ provisioning: "sync" }, "ready", "ready"],
    [{ provisioning: "async" }, "starting", "ready"],
    [{ provisioning: "never" }, "starting", "starting"],
    [{ fail_at: "startup" }, "starting", "failed"],
  ])("201: %j has state %s, and after a second %s", async (drill, first, second) => {
    const created = await create(JSON.stringify(drill), drill);
    now = new Date(now.getTime() + 1_000);

    expect(created).toMatchObject({ status: 201, body: { state: first } });
    expect((await send("GET", `/databases/${created.body.id}`)).body.state).toBe(second);
  });

  it("200: a changed plan, after which the database starts anew", async () => {
    const { body } = await create("changed", { provisioning: "async" });
    const path = `/databases/${body.id}`;
    now = new Date(now.getTime() + 1_000);

    const changed = await send("PATCH", path, { body: { plan: "standard" } });
    expect(changed).toMatchObject({ status: 200, body: { plan: "standard", state: "starting" } });
    now = new Date(now.getTime() + 1_000);
    expect((await send("GET", path)).body).toMatchObject({ plan: "standard", state: "ready" });
    const same = await send("PATCH", path, { body: { plan: "standard" } });
    expect(same.body.state).toBe("ready");
  });

  it.each([
    [{ fail_at: "plan_change" }, { plan: "standard" }, 422],
    [{}, { plan: "gold" }, 400],
    [{}, {}, 400],
  ])("%j: the change %j is answered with %i", async (drill, body, status) => {
    const created = await create(JSON.stringify([drill, body]), drill);

    const answer = await send("PATCH", `/databases/${created.body.id}`, { body });

    expect(answer.status).toBe(status);
    expect((await send("GET", `/databases/${created.body.id}`)).body.plan).toBe("free");
  });

  it("429: Retry-After contains the seconds to wait", async () => {
    const { status, headers } = await create("limited", {
      fail_at: "provisioning",
      failure: "rate_limited",
    });

    expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
  });
});
