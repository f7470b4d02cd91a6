import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { acmeDbSimulator } from "./acme-db-simulator.ts";

describe("Acme DB's simulator", () => {
  let now = new Date("2026-01-01T12:00:00.000Z");
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;
  beforeAll(async () => {
    vendor = await startTestVendor(acmeDbSimulator(), { contract: null, now: () => now });
  });
  afterAll(() => vendor.close());

  async function ask(
    method: string,
    path: string,
    { token = "sandbox-ada", body }: { token?: string; body?: object } = {},
  ) {
    const answer = await fetch(`${vendor.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(await answer.text()),
    };
  }

  const create = (name: string, drill: object = {}) =>
    ask("POST", "/databases", { body: { name, region: "nowhere", plan: "free", drill } });

  it.each(["napi_another_vendors", "sandbox-refused"])("401: token %s", async (token) => {
    expect(await ask("GET", "/account", { token })).toMatchObject({ status: 401 });
  });

  it("400: a drill that is unknown", async () => {
    const { status, body } = await create("unknown", { fail_at: "lunch" });

    expect([status, body.code]).toEqual([400, "invalid"]);
  });

  it("409: a name that the account has used", async () => {
    await create("taken");

    expect(await create("taken")).toMatchObject({ status: 409, body: { code: "name_taken" } });
  });

  it("404: the database of another account", async () => {
    const { body } = await create("private");
    const other = { token: "sandbox-grace" };

    expect((await ask("GET", `/databases/${body.id}`, other)).status).toBe(404);
    expect((await ask("DELETE", `/databases/${body.id}?force=true`, other)).status).toBe(404);
    expect((await ask("GET", "/databases", other)).body).toEqual({ databases: [] });
  });

  it.each([
    [{ provisioning: "sync" }, "ready", "ready"],
    [{ provisioning: "async" }, "starting", "ready"],
    [{ provisioning: "never" }, "starting", "starting"],
    [{ fail_at: "startup" }, "starting", "failed"],
  ])("201: %j is %s, and a second later %s", async (drill, first, second) => {
    const created = await create(JSON.stringify(drill), drill);
    now = new Date(now.getTime() + 1_000);

    expect(created).toMatchObject({ status: 201, body: { state: first } });
    expect((await ask("GET", `/databases/${created.body.id}`)).body.state).toBe(second);
  });

  it("429: with the seconds to wait", async () => {
    const { status, headers } = await create("limited", {
      fail_at: "provisioning",
      failure: "rate_limited",
    });

    expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
  });
});
