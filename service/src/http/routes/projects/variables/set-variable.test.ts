import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { asSuperuser, auditOf, dumpDatabase, eventsOf, seedLargeVariables } from "../../../../../test/project-seeds.ts";
import type { ProjectId } from "../../../../foundation/ids.ts";
import { setVariable } from "../../../../modules/env/variables/variables.ts";

describe("PUT /projects/{project_id}/variables/{name}", () => {
  const harness = useHarness();

  async function arrange(fields: object = {}) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one", ...fields });
    const id = body.project_id as string;
    return {
      tenant,
      id,
      put: (name: string, set: object) => tenant.put(`/projects/${id}/variables/${name}`, set),
      pull: async (environment: string) => (await tenant.get(`/projects/${id}/env?environment=${environment}`)).body,
    };
  }

  it("200: sets the variable in all environments, or in the listed ones only", async () => {
    const { put, pull } = await arrange();

    const all = await put("API_URL", { value: "a" });
    harness.clock.advanceSeconds(1);
    const one = await put("API_URL", {
      value: "b",
      environments: ["production"],
      sensitive: false,
    });

    expect(all).toMatchObject({
      status: 200,
      body: {
        object: "variable",
        name: "API_URL",
        environments: ["development", "production"],
        sensitive: true,
        version: 1,
      },
    });
    expect(one.body).toEqual({
      ...all.body,
      sensitive: false,
      version: 2,
      updated_at: harness.clock.now().toISOString(),
    });
    expect((await pull("development")).env).toEqual({ API_URL: "a" });
    expect(await pull("production")).toMatchObject({
      env: { API_URL: "b" },
      version: 2,
      variables: [{ name: "API_URL", sensitive: false }],
    });
  });

  it.each([
    ["empty", ""],
    ["of 32 KiB", "x".repeat(32_768)],
    ["of 32 KiB in four-byte characters", "😀".repeat(8_192)],
    ["of special characters", " =#'\"\\$`\n\r\t\u0001\u007f\u2028é "],
  ])("200: a value that is %s is returned unchanged", async (_what, value) => {
    const { put, pull } = await arrange();

    expect((await put("NAME", { value })).status).toBe(200);

    expect((await pull("development")).env.NAME).toBe(value);
  });

  it.each(["A", "_A", "PATHS", "LD", "NODE_ENV", `A${"B".repeat(127)}`])("200: %s is a valid name", async (name) => {
    const { put } = await arrange();

    expect((await put(name, { value: "x" })).status).toBe(200);
  });

  it("200: writes audit entries and events without values, and increments the bundle's version", async () => {
    const { tenant, id, put, pull } = await arrange();

    await put("RECORDED", { value: "v", environments: ["production"] });
    await tenant.delete(`/projects/${id}/variables/RECORDED`);

    expect((await auditOf(harness.app, id)).slice(1)).toMatchObject([
      {
        action: "project.variable_set",
        facts: { name: "RECORDED", environments: ["production"], version: 1 },
        actor: { key_id: tenant.keyId },
      },
      {
        action: "project.variable_deleted",
        facts: { name: "RECORDED", environments: ["production"], version: 1 },
      },
    ]);
    expect((await eventsOf(harness.app, id)).slice(1)).toMatchObject([
      {
        type: "env.changed",
        data: { project_id: id, version: 1, names: ["RECORDED"], change: "set" },
      },
      { type: "env.changed", data: { version: 2, change: "deleted" } },
    ]);
    expect((await pull("production")).version).toBe(2);
  });

  it("200: concurrent calls get consecutive versions", async () => {
    const { put, pull } = await arrange();

    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => put("RACED", { value: String(index) })));

    const versions = answers.map(({ body }) => body.version as number).sort((a, b) => a - b);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const last = answers.findIndex(({ body }) => body.version === 10);
    expect(await pull("development")).toMatchObject({ env: { RACED: String(last) }, version: 10 });
  });

  it("200: a value is not in plaintext in the database, in logs and in error responses", async () => {
    const value = "canary-7f3e-value";
    const { tenant, id, put } = await arrange();
    const refusals = [
      await put("path", { value }),
      await put("PATH", { value }),
      await put("A", { value, environments: ["nowhere"] }),
      await put("A", { value: `${value}\0` }),
      await put("A", { value: value.repeat(2_000) }),
      await put("A", { value, surprise: value }),
      await put("A", { value: [value] }),
    ];
    await put("STORED", { value });
    await tenant.get(`/projects/${id}/env`);
    await tenant.get(`/projects/${id}/env?format=dotenv`);
    await put("STORED", { value: "other" });
    await tenant.delete(`/projects/${id}/variables/STORED`);
    await put("STORED", { value });

    const dump = await dumpDatabase(harness.database.superuserUrl);
    const places = [dump, harness.logLines.join("\n"), ...refusals.map(({ text }) => text)];

    expect(dump).toContain("STORED");
    for (const form of [value, Buffer.from(value).toString("hex"), Buffer.from(value).toString("base64")]) {
      for (const place of places) expect(place).not.toContain(form);
    }
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 422));
  });

  it.each([
    ["another name", "name", "'OTHER'"],
    ["another environment", "environment", "'other'"],
    ["another version", "version", "7"],
  ])("500: an encrypted value was moved to %s", async (_what, column, to) => {
    const { tenant, id, put } = await arrange({ environments: ["development", "other"] });
    await put("MOVED", { value: "sealed-away", environments: ["development"] });
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(`update project_variables set ${column} = ${to} where project_id = $1`, [id]),
    );

    const environment = column === "environment" ? "other" : "development";
    const answer = await tenant.get(`/projects/${id}/env?environment=${environment}`);

    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("sealed-away");
    expect(answer.headers["x-svc-signature"]).toBeUndefined();
  });

  it("500: an encrypted value was moved to another project or tenant", async () => {
    const { tenant, id, put } = await arrange();
    await put("MOVED", { value: "sealed-away" });
    const sibling = (await tenant.post("/projects", { name: "two" })).body.project_id;
    const other = await arrange();
    await other.put("MOVED", { value: "own" });
    await tenant.put(`/projects/${sibling}/variables/MOVED`, { value: "own" });
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(
        `update project_variables as target set value_sealed = source.value_sealed
         from project_variables as source
         where source.project_id = $1 and target.project_id in ($2, $3)
           and source.environment = target.environment`,
        [id, sibling, other.id],
      ),
    );

    const answers = [await tenant.get(`/projects/${sibling}/env`), await other.tenant.get(`/projects/${other.id}/env`)];

    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect((await tenant.get(`/projects/${id}/env`)).status).toBe(200);
  });

  it("409: more than 1,000 variables; existing ones can still be set", async () => {
    const { tenant, id, put } = await arrange();
    await put("FIRST", { value: "x", environments: ["production"] });
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(
        `insert into project_variables
         select tenant_id, project_id, 'N' || n, environment, value_sealed, sensitive, version, updated_at
         from project_variables, generate_series(1, 999) as n where project_id = $1`,
        [id],
      ),
    );

    expect(await put("ONE_MORE", { value: "x" })).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: expect.stringContaining("1000") },
    });
    expect((await put("FIRST", { value: "y" })).status).toBe(200);
    await tenant.delete(`/projects/${id}/variables/N7`);
    expect((await put("ONE_MORE", { value: "x" })).status).toBe(200);
  });

  it("409: the values total more than 8 MiB", async () => {
    const { id, tenant, put } = await arrange({ environments: [..."abcdefghij"] });
    for (const environment of "abcdefghij") {
      const place = { tenantId: tenant.tenantId, projectId: id };
      await seedLargeVariables(harness.app, place, { environment, count: 25 });
    }
    const set = { value: "x".repeat(32_768) };

    expect((await put("BIG", set)).status).toBe(409);
    expect((await put("BIG", { ...set, environments: ["a", "b"] })).status).toBe(200);
  });

  it("409: more than 1 MiB in one environment", async () => {
    const { id, tenant, put } = await arrange({ environments: ["a", "b"] });
    const place = { tenantId: tenant.tenantId, projectId: id };
    await seedLargeVariables(harness.app, place, { environment: "a", count: 31 });
    const set = { value: "x".repeat(32_768) };

    expect(await put("BIG", set)).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: expect.stringContaining("1 MiB") },
    });
    expect((await put("BIG", { ...set, environments: ["b"] })).status).toBe(200);
    await tenant.delete(`/projects/${id}/variables/SEEDED_1`);
    expect((await put("BIG", set)).status).toBe(200);
  });

  it.each([
    ["PATH", "shells"],
    ["NPM_CONFIG_REGISTRY", "JavaScript runtimes and package managers"],
    ["HTTPS_PROXY", "network clients"],
  ])("422: %s is reserved, and the error names the programs that read it", async (name, reader) => {
    const { put } = await arrange();

    expect(await put(name, { value: "x" })).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: "/path/name", code: "reserved", detail: expect.stringContaining(reader) }],
      },
    });
  });

  it("422: setting a variable whose name became reserved; it can be listed, pulled and deleted", async () => {
    const { tenant, id, put, pull } = await arrange();
    const { tenantId } = tenant;
    const actor = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
    const unbound = { agentIds: [], projectIds: [] };
    await setVariable(harness.app, {
      actor: { tenantId, mode: "live", actor, requestId: "req_1" },
      key: { tenantId, mode: "live", projectId: id as ProjectId, ...unbound },
      name: "GOFLAGS",
      value: "-mod=mod",
      environments: undefined,
      sensitive: true,
    });

    expect((await tenant.get(`/projects/${id}/variables`)).body.data).toMatchObject([{ name: "GOFLAGS" }]);
    expect((await pull("development")).env).toEqual({ GOFLAGS: "-mod=mod" });
    expect((await put("GOFLAGS", { value: "x" })).status).toBe(422);
    expect((await tenant.delete(`/projects/${id}/variables/GOFLAGS`)).status).toBe(200);
    expect((await pull("development")).env).toEqual({});
  });

  it.each(["TF_VAR_region", "ConnectionStrings__Default", "a", `a${"_".repeat(127)}`])(
    "200: %s keeps its case in the bundle and in the list",
    async (name) => {
      const { tenant, id, put, pull } = await arrange();

      expect(await put(name, { value: "x" })).toMatchObject({ status: 200, body: { name } });

      expect((await pull("development")).env).toEqual({ [name]: "x" });
      expect((await tenant.get(`/projects/${id}/variables/${name}`)).body.name).toBe(name);
      expect((await tenant.delete(`/projects/${id}/variables/${name}`)).status).toBe(200);
    },
  );

  it("409: another variable has the name in another case, in any environment", async () => {
    const { put, pull } = await arrange();
    await put("Api_Key", { value: "x", environments: ["production"] });

    const { status, body } = await put("API_KEY", { value: "y", environments: ["development"] });

    expect([status, body.code]).toEqual([409, "already_exists"]);
    expect(body.errors).toMatchObject([{ pointer: "/path/name", detail: "is taken by Api_Key" }]);
    expect((await put("Api_Key", { value: "z" })).status).toBe(200);
    expect((await pull("production")).env).toEqual({ Api_Key: "z" });
  });

  it.each(["Path", "http_proxy", "node_options"])("422: %s is reserved in any case", async (name) => {
    const { put } = await arrange();

    const { status, body } = await put(name, { value: "x" });

    expect([status, body.errors[0].code]).toEqual([422, "reserved"]);
  });

  it.each(["1A", "A-B", "A.B", `A${"B".repeat(128)}`, "A=B"])("422: %s is not a valid name", async (name) => {
    const { put } = await arrange();

    expect(await put(name, { value: "x" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/path/name" }] },
    });
  });

  it.each<[string, object, string]>([
    ["no value", {}, "/body/value"],
    ["a value of null", { value: null }, "/body/value"],
    ["a number as value", { value: 1 }, "/body/value"],
    ["a value with NUL", { value: "a\0" }, "/body/value"],
    ["a value with a lone surrogate", { value: "\ud800x" }, "/body/value"],
    ["a value of 32 KiB and one byte", { value: "x".repeat(32_769) }, "/body/value"],
    ["a value of fewer characters but more bytes", { value: "é".repeat(16_385) }, "/body/value"],
    ["no environments", { value: "x", environments: [] }, "/body/environments"],
    ["an unknown environment", { value: "x", environments: ["production", "qa"] }, "/body/environments/1"],
    ["a repeated environment", { value: "x", environments: ["production", "production"] }, "/body/environments"],
    ["sensitive as text", { value: "x", sensitive: "yes" }, "/body/sensitive"],
    ["a version", { value: "x", version: 3 }, "/body/version"],
  ])("422: %s", async (_what, set, pointer) => {
    const { tenant, id, put } = await arrange();

    const answer = await put("NAME", set);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect((await tenant.get(`/projects/${id}/variables`)).body.data).toEqual([]);
  });
});
