import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, seedService } from "../../../../test/project-seeds.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";
import type { ServiceId } from "../../../foundation/ids.ts";
import { SERVICE_STATUSES } from "../../../foundation/vocabulary.ts";

const NEON = { DATABASE_URL: "postgres://u:p@neon/d", PGHOST: "neon" };

describe("GET /projects/{project_id}/env with services", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = (await tenant.post("/projects", { name: "one" })).body.project_id as string;
    const place = { tenantId: tenant.tenantId, projectId };
    return {
      tenant,
      projectId,
      add: (service: Omit<Parameters<typeof seedService>[1], "tenantId" | "projectId">) =>
        seedService(harness.app, { ...place, ...service }),
      set: (name: string, body: object) => tenant.put(`/projects/${projectId}/variables/${name}`, body),
      pull: (query = "", headers = {}) => tenant.get(`/projects/${projectId}/env${query}`, { headers }),
    };
  }

  it("200: one signed bundle has the variables of project and services, with their source", async () => {
    const { tenant, projectId, add, set, pull } = await arrange();
    await set("MY_VAR", { value: "mine" });
    const serviceId = await add({ env: NEON, credentialVersion: 3 });
    const env = { ...NEON, MY_VAR: "mine" };
    const at = harness.clock.now().toISOString();
    const ofService = {
      source: "service",
      service_id: serviceId,
      credential_version: 3,
      updated_at: at,
    };

    const { status, body, text, headers } = await pull();

    expect(status).toBe(200);
    expect(text).toBe(canonicalJson(body));
    expect(headers["x-svc-signature"]).toBe(createHmac("sha256", tenant.apiKey).update(text).digest("hex"));
    expect(body).toMatchObject({ env, fingerprint: sha256Hex(canonicalJson(env)), warnings: [] });
    expect(body.variables).toEqual([
      { name: "DATABASE_URL", ...ofService, sensitive: true },
      { name: "MY_VAR", source: "project", sensitive: true, updated_at: at },
      { name: "PGHOST", ...ofService, sensitive: false },
    ]);
    const [pulled] = (await auditOf(harness.app, projectId)).filter(({ action }) => action === "env.pulled");
    expect(pulled?.facts).toMatchObject({ count: 3 });
  });

  it("200: dotenv and names_only include the services' variables", async () => {
    const { add, pull } = await arrange();
    await add({ env: NEON });

    expect((await pull("?format=dotenv")).text).toBe("DATABASE_URL='postgres://u:p@neon/d'\nPGHOST='neon'\n");
    expect((await pull("?names_only=true&format=dotenv")).text).toBe("DATABASE_URL=\nPGHOST=\n");
    expect((await pull("?names_only=true")).body).toMatchObject({
      env: null,
      variables: [{ name: "DATABASE_URL" }, { name: "PGHOST" }],
    });
  });

  it("200: only active, updating and rotating services contribute variables", async () => {
    const { add, pull } = await arrange();
    for (const status of SERVICE_STATUSES) {
      const name = status.toUpperCase();
      await add({ status, env: { URL: status }, envNames: { URL: name } });
    }

    expect((await pull()).body.env).toEqual({
      ACTIVE: "active",
      ROTATING: "rotating",
      UPDATING: "updating",
    });
  });

  it("200: a service contributes to its own environments only", async () => {
    const { add, pull } = await arrange();
    await add({ env: { A: "production" }, environments: ["production"] });
    await add({ env: { B: "both" } });

    expect((await pull("?environment=production")).body.env).toEqual({
      A: "production",
      B: "both",
    });
    expect((await pull("?environment=development")).body.env).toEqual({ B: "both" });
  });

  it("200: only the current version of the credentials is included", async () => {
    const { tenant, add, pull } = await arrange();
    const serviceId = await add({ env: NEON, credentialVersion: 1 });
    await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      tx.updateTable("services").set({ credentialVersion: 2 }).where("serviceId", "=", serviceId).execute(),
    );

    expect((await pull()).body.env).toEqual({});
  });

  it("200: a project variable hides a service's variable while it is set, with a warning", async () => {
    const { add, set, pull, tenant, projectId } = await arrange();
    await add({ env: NEON, name: "primary-db" });
    await set("DATABASE_URL", { value: "mine", environments: ["development"] });

    const hidden = await pull();
    const elsewhere = await pull("?environment=production");
    await tenant.delete(`/projects/${projectId}/variables/DATABASE_URL`);
    const shown = await pull();

    expect(hidden.body.env).toEqual({ ...NEON, DATABASE_URL: "mine" });
    expect(hidden.body.variables[0]).toMatchObject({ name: "DATABASE_URL", source: "project" });
    expect(hidden.body.warnings).toEqual([
      "DATABASE_URL of the service primary-db is hidden by a project variable with the same name.",
    ]);
    expect([elsewhere, shown].map(({ body }) => [body.env, body.warnings])).toEqual([
      [NEON, []],
      [NEON, []],
    ]);
  });

  it("200: a project variable hides a service's variable whose name differs in case; keys ignores case", async () => {
    const { add, set, pull } = await arrange();
    await add({ env: NEON });
    await set("Database_Url", { value: "mine" });

    const all = await pull();
    const one = await pull("?keys=DATABASE_URL,absent");

    expect(all.body.env).toEqual({ Database_Url: "mine", PGHOST: NEON.PGHOST });
    expect(one.body.env).toEqual({ Database_Url: "mine" });
    expect(one.body.warnings[0]).toBe("absent is not set in development.");
  });

  it("200: a renamed variable has a warning, even if the older service is removed", async () => {
    const { add, pull } = await arrange();
    await add({ env: NEON, status: "removed" });
    await add({
      env: NEON,
      envNames: { DATABASE_URL: "PRIMARY_DB_DATABASE_URL", PGHOST: "APP_PGHOST" },
      envPrefix: "APP_",
      name: "primary-db",
    });

    const { body } = await pull();

    expect(body.env).toEqual({
      PRIMARY_DB_DATABASE_URL: NEON.DATABASE_URL,
      APP_PGHOST: NEON.PGHOST,
    });
    expect(body.warnings).toEqual([
      "APP_DATABASE_URL of the service primary-db is renamed to PRIMARY_DB_DATABASE_URL: an older service had the name APP_DATABASE_URL when this one was added.",
    ]);
  });

  it("200: the older of two services with the same name takes precedence", async () => {
    const { add, pull } = await arrange();
    const late = new Date(harness.clock.now().getTime() + 1_000);
    await add({ env: { URL: "younger" }, name: "younger", createdAt: late });
    await add({ env: { URL: "older" }, name: "older" });

    const { body } = await pull();

    expect(body.env).toEqual({ URL: "older" });
    expect(body.warnings).toEqual([
      "URL of the service younger is hidden by a variable of an older service with the same name.",
    ]);
  });

  it("200: keys selects variables by their names in the project, with warnings about these only", async () => {
    const { add, set, pull } = await arrange();
    await add({ env: NEON, envNames: { DATABASE_URL: "APP_URL", PGHOST: "PGHOST" } });
    await set("PGHOST", { value: "mine" });

    const { body } = await pull("?keys=APP_URL,DATABASE_URL");

    expect(body.env).toEqual({ APP_URL: NEON.DATABASE_URL });
    expect(body.warnings).toEqual([
      "DATABASE_URL is not set in development.",
      "DATABASE_URL of the service " +
        `${body.variables[0].service_id} is renamed to APP_URL: an older service had the name DATABASE_URL when this one was added.`,
    ]);
    expect((await pull("?keys=PGHOST")).body.env).toEqual({ PGHOST: "mine" });
  });

  it("304: until the services' variables change", async () => {
    const { add, pull } = await arrange();
    await add({ env: NEON });
    const { headers } = await pull();
    const known = { "if-none-match": headers["etag"] };

    expect((await pull("", known)).status).toBe(304);
    await add({ env: { OTHER: "x" } });
    expect((await pull("", known)).status).toBe(200);
  });

  it("500: stored credentials were copied from another service; no part of them is sent or logged", async () => {
    const { tenant, add, pull } = await arrange();
    const [from, to] = [await add({ env: { URL: "hunter2" } }), await add({ env: { URL: "x" } })];
    await withTransaction(harness.app.db, tenant.tenantId, async (tx) => {
      const sealed = (serviceId: ServiceId) =>
        tx.selectFrom("serviceSecrets").select("valueSealed").where("serviceId", "=", serviceId);
      const { valueSealed } = await sealed(from).executeTakeFirstOrThrow();
      await tx.updateTable("serviceSecrets").set({ valueSealed }).where("serviceId", "=", to).execute();
    });

    const { status, text } = await pull();

    expect(status).toBe(500);
    expect(text).not.toContain("hunter2");
    expect(harness.logLines.join("\n")).not.toContain("hunter2");
  });
});
