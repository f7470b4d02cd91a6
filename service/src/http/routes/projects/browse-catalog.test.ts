import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

describe("GET /projects/catalog", () => {
  // In other profiles the catalog also lists simulated vendors.
  const harness = useHarness({ settings: { profile: "production" } });

  /** The providers that the tests expect. A new provider needs no change here. */
  const KNOWN = ["neon", "supabase"];
  const providers = ({ body }: { body: { data: { provider: string }[] } }) =>
    body.data.map(({ provider }) => provider).filter((provider) => KNOWN.includes(provider));

  it("200: Neon uses a token and is synchronous, Supabase uses OAuth and is asynchronous", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.get("/projects/catalog");

    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "list",
      catalog_version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      has_more: false,
      next_cursor: null,
      data: expect.arrayContaining([
        expect.objectContaining({
          provider: "neon",
          auth: "api_token",
        }),
        expect.objectContaining({ provider: "supabase", auth: "oauth" }),
      ]),
    });
    const serviceOf = (name: string) =>
      body.data.find(({ provider }: { provider: string }) => provider === name).services[0];
    expect(serviceOf("neon")).toMatchObject({
      service: "neon/postgres",
      async: false,
      plans: [{ plan: "free", pricing: { type: "free" } }, { plan: "launch" }, {}],
    });
    expect(serviceOf("neon").env_vars[0]).toEqual({ name: "DATABASE_URL", sensitive: true });
    expect(serviceOf("neon").config_schema.properties).toHaveProperty("pg_version");
    expect(serviceOf("supabase").async).toBe(true);
  });

  it.each([
    ["q=NEON", ["neon"]],
    ["q=realtime", ["supabase"]],
    ["q=supabase/project", ["supabase"]],
    ["q=no-such-thing", []],
    ["category=auth", ["supabase"]],
    ["category=database", ["neon", "supabase"]],
    ["category=data", []],
    ["provider=neon", ["neon"]],
    ["provider=acme", []],
    ["provider=neon&category=auth", []],
  ])("200: ?%s", async (query, expected) => {
    const tenant = await harness.seedTenant();

    expect(providers(await tenant.get(`/projects/catalog?${query}`))).toEqual(expected);
  });

  it("200: pages by cursor", async () => {
    const tenant = await harness.seedTenant();

    const pages = [await tenant.get("/projects/catalog?limit=1")];
    for (let page = pages[0]; page?.body.has_more === true; page = pages.at(-1)) {
      pages.push(await tenant.get(`/projects/catalog?limit=1&cursor=${page.body.next_cursor}`));
    }

    expect(pages.flatMap(providers)).toEqual(KNOWN);
    expect(pages.map(({ body }) => body.data.length)).toEqual(pages.map(() => 1));
    expect(pages.at(-1)?.body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it("200: key is bound to an agent", async () => {
    const key = await harness.seedTenant({ agentIds: [randomUUID()] });

    expect((await key.get("/projects/catalog")).status).toBe(200);
  });

  it.each(["POST", "PATCH", "DELETE", "PUT", "HEAD"])(
    "405: %s is not a method of the catalog, although /projects/{project_id} has some of these methods",
    async (method) => {
      const tenant = await harness.seedTenant();

      const answer = await tenant.sendRaw(method, "/projects/catalog", undefined);

      expect([answer.status, answer.headers.allow]).toEqual([405, "GET"]);
    },
  );

  it.each([
    ["q=", "/query/q"],
    ["limit=0", "/query/limit"],
    ["limit=101", "/query/limit"],
    ["cursor=%21", "/query/cursor"],
    ["cursor=AAAA", "/query/cursor"],
    ["page=1", "/query/page"],
  ])("422: ?%s", async (query, pointer) => {
    const tenant = await harness.seedTenant();

    const answer = await tenant.get(`/projects/catalog?${query}`);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
