import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf, seedLargeVariables } from "../../../../../test/project-seeds.ts";
import { connectTo, servicesOf } from "../../../../../test/services.ts";
import type { TenantId } from "../../../../foundation/ids.ts";

describe("POST /projects/{project_id}/services", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { add, linkedProject, newProject, heldFor, resourcesOf } = services;

  async function arrange(body?: object) {
    const tenant = await harness.seedTenant();
    const projectId = await linkedProject(tenant, body);
    return { tenant, projectId };
  }

  /** Creates a Neon project that Purser does not manage. */
  async function createElsewhere(token: string, name: string): Promise<string> {
    const call = (path: string, init: object = {}) =>
      fetch(`${harness.sandbox.neon.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      }).then((answer) => answer.json());
    const { organizations } = Object(await call("/users/me/organizations"));
    const body = JSON.stringify({ project: { name, org_id: organizations[0].id } });
    return Object(await call("/projects", { method: "POST", body })).project.id;
  }

  it("202: adds a database, and its variables connect to it", async () => {
    const { tenant, projectId } = await arrange();

    const { status, body } = await add(tenant, projectId, { name: "primary-db" });

    expect(status).toBe(202);
    expect(body.operation).toMatchObject({ status: "succeeded", error: null, type: "service.add" });
    expect(body.operation.steps.map((step: { name: string; status: string }) => [step.name, step.status])).toEqual([
      ["kya_gate", "succeeded"],
      ["policy", "succeeded"],
      ["catalog_validation", "succeeded"],
      ["payment_setup", "skipped"],
      ["provider_provisioning", "succeeded"],
      ["credential_storage", "succeeded"],
      ["service_record", "succeeded"],
      ["audit", "succeeded"],
    ]);
    expect(body.service).toMatchObject({ status: "active", name: "primary-db", plan: "free" });
    expect(await connectTo(body.env.DATABASE_URL)).toEqual([{ one: 1 }]);
    expect(body).toMatchObject({ expected_callback_seconds: null, poll_url: null });
    const [resource] = await resourcesOf("neon", [body.service.service_id]);
    expect(body.service.provider_resource_id).toBe(resource?.id);
  });

  it("409: the variables of an environment would exceed 1 MiB", async () => {
    const { tenant, projectId } = await arrange();
    const place = { tenantId: tenant.tenantId, projectId };
    await seedLargeVariables(harness.app, place, { environment: "development", count: 31 });

    expect(await add(tenant, projectId, { name: "primary-db" })).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: expect.stringContaining("1 MiB") },
    });
    await tenant.delete(`/projects/${projectId}/variables/SEEDED_1`);
    expect((await add(tenant, projectId, { name: "primary-db" })).status).toBe(202);
  });

  it("202: the variables and fingerprint in the response match those of the env bundle", async () => {
    const { tenant, projectId } = await arrange();

    const { body } = await add(tenant, projectId, {
      env_prefix: "MAIN_",
      environments: ["production"],
      metadata: { team: "a" },
      config: { database_name: "shop", pg_version: 17 },
      region: "aws-eu-central-1",
    });

    const names = Object.keys(body.env).sort();
    expect(body.env_names).toEqual(names);
    expect(body.env_names).toContain("MAIN_DATABASE_URL");
    expect(body.fingerprint).toBe(createHash("sha256").update(JSON.stringify(body.env, names)).digest("hex"));
    expect(body.service).toMatchObject({
      region: "aws-eu-central-1",
      config: { database_name: "shop", pg_version: 17 },
      environments: ["production"],
      metadata: { team: "a" },
    });
    const env = (environment: string) => tenant.get(`/projects/${projectId}/env?environment=${environment}`);
    expect((await env("production")).body).toMatchObject({
      env: body.env,
      fingerprint: body.fingerprint,
      version: 1,
    });
    expect((await env("development")).body.env).toEqual({});
  });

  it("202: writes audit entries and events without values", async () => {
    const { tenant, projectId } = await arrange();

    const { body } = await add(tenant, projectId);

    const { service_id: serviceId } = body.service;
    const entries = await auditOf(harness.app, serviceId);
    expect(entries.map(({ action }) => action)).toEqual(["service.requested", "service.added", "env.pulled"]);
    expect(entries[1]?.actor).toMatchObject({ type: "developer", id: tenant.tenantId });
    const events = await eventsOf(harness.app, serviceId);
    expect(events.map(({ type }) => type)).toEqual(["service.provisioning", "service.active"]);
    expect(JSON.stringify([entries, events])).not.toContain(body.env.PGPASSWORD);
  });

  it("202: a dashboard session receives names only", async () => {
    const { developerId, accessToken } = await accountsOf(harness).seedAccount();
    const projectId = await linkedProject(await harness.seedKey(developerId as TenantId));

    const { status, body } = await harness.send({
      method: "POST",
      url: `${PREFIX}/projects/${projectId}/services`,
      headers: {
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
        "x-svc-mode": "live",
      },
      payload: JSON.stringify({ service: "neon/postgres" }),
    });

    expect([status, body.service.status, body.env, body.fingerprint]).toEqual([202, "active", null, null]);
    expect(body.env_names).toContain("DATABASE_URL");
  });

  it("202: key without env:read receives names only", async () => {
    const { tenant, projectId } = await arrange();
    const key = await harness.seedKey(tenant.tenantId, { scopes: ["services:write"] });

    const { status, body } = await add(key, projectId);

    expect([status, body.env, body.fingerprint]).toEqual([202, null, null]);
    expect(body.env_names).toContain("DATABASE_URL");
    const entries = await auditOf(harness.app, body.service.service_id);
    expect(entries.map(({ action }) => action)).not.toContain("env.pulled");
  });

  it("202: a slow addition returns a poll_url, and its variables are in later bundles", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await newProject(tenant);
    await services.linkSupabase(tenant, projectId);

    const { status, body } = await add(tenant, projectId, { service: "supabase/project" });

    expect(status).toBe(202);
    expect(body).toMatchObject({
      env: null,
      fingerprint: null,
      expected_callback_seconds: 120,
      operation: { status: "running", poll_url: body.poll_url },
      service: { status: "provisioning", credential: { version: 0 } },
    });
    expect(body.env_names).toContain("SUPABASE_SECRET_KEY");
    expect((await tenant.get(`/projects/${projectId}/env`)).body.env).toEqual({});
    const operation = await services.ended(tenant, body.poll_url);
    expect(operation).toMatchObject({
      status: "succeeded",
      expected_callback_seconds: null,
      poll_url: null,
    });
    expect(operation.env).toBeUndefined();
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    expect(Object.keys(env).sort()).toEqual(body.env_names);
    expect(env.DATABASE_URL).toContain(body.service.provider_resource_id);
  });

  it("202: accepts provider and service_slug, and numbers the second service of a kind", async () => {
    const { tenant, projectId } = await arrange();

    const first = await add(tenant, projectId);
    const second = await tenant.post(`/projects/${projectId}/services`, {
      provider: "neon",
      service_slug: "postgres",
    });

    expect(first.body.service.name).toBe("postgres");
    expect(second.body.service.name).toBe("postgres-2");
    expect(second.body.env_names).toContain("POSTGRES_2_DATABASE_URL");
  });

  it.each([
    ["an unknown service", { service: "neon/mysql" }, "/body/service"],
    ["an unknown provider", { service: "oracle/postgres" }, "/body/service"],
    ["an unknown plan", { plan: "enterprise" }, "/body/plan"],
    ["an unknown region", { region: "mars-north-1" }, "/body/region"],
    ["an unknown field of config", { config: { ram: 1 } }, "/body/config/ram"],
    ["an invalid value in config", { config: { pg_version: 9 } }, "/body/config/pg_version"],
    ["too many values in config", { config: { a: Array(999).fill(1) } }, "/body/config"],
    ["an unknown environment", { environments: ["staging"] }, "/body/environments"],
    ["no environment", { environments: [] }, "/body/environments"],
    ["a repeated environment", { environments: ["production", "production"] }, "/body/environments"],
    ["a prefix in lower case", { env_prefix: "main_" }, "/body/env_prefix"],
    ["an invalid name", { name: "-db" }, "/body/name"],
    ["fields that name different services", { provider: "supabase" }, "/body/service"],
    ["a maximum cost with three decimals", { max_monthly_cost: "1.005" }, "/body/max_monthly_cost"],
    ["an unknown field", { dry_run: true }, "/body/dry_run"],
    ["metadata that is not text", { metadata: { a: 1 } }, "/body/metadata/a"],
  ])("422: %s", async (_, body, pointer) => {
    const { tenant, projectId } = await arrange();

    const answer = await add(tenant, projectId, body);

    expect([answer.status, answer.body.code]).toEqual([422, "validation_error"]);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(await heldFor(projectId)).toMatchObject({ services: [], operations: [], secrets: [] });
  });

  it("422: no service, or a plan above max_monthly_cost", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkSupabase(tenant, projectId);

    const resourcesWithoutService = await tenant.post(`/projects/${projectId}/services`, {});
    const tooExpensive = await add(tenant, projectId, {
      service: "supabase/project",
      plan: "pro",
      max_monthly_cost: "24.99",
    });

    expect(resourcesWithoutService.body.errors[0].pointer).toBe("/body/service");
    expect(tooExpensive.body).toMatchObject({
      status: 422,
      errors: [{ pointer: "/body/max_monthly_cost", code: "limit_exceeded" }],
    });
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it("409: old version of the terms; 202 for the current version", async () => {
    const { tenant, projectId } = await arrange();

    const old = await add(tenant, projectId, { accept_terms_version: "2019-01" });
    const current = await add(tenant, projectId, { accept_terms_version: "2026-05" });

    expect([old.status, old.body.code]).toEqual([409, "tos_acceptance_required"]);
    expect(current.status).toBe(202);
  });

  it("409: provider is not linked, or its link is revoked", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await newProject(tenant);

    const before = await add(tenant, projectId);
    const { linkId } = await services.linkNeon(tenant, projectId);
    await tenant.delete(`/projects/${projectId}/links/${linkId}`);
    const after = await add(tenant, projectId);

    expect([before.status, before.body.code]).toEqual([409, "provider_not_linked"]);
    expect([after.status, after.body.code]).toEqual([409, "provider_not_linked"]);
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it("409: name is taken by another service, until that service is removed", async () => {
    const { tenant, projectId } = await arrange();
    const { body: first } = await add(tenant, projectId, { name: "db" });

    const taken = await add(tenant, projectId, { name: "db" });
    await tenant.delete(`/projects/${projectId}/services/${first.service.service_id}`);
    const free = await add(tenant, projectId, { name: "db" });

    expect(taken.body).toMatchObject({
      status: 409,
      code: "already_exists",
      errors: [{ pointer: "/body/name" }],
    });
    expect(free.status).toBe(202);
  });

  it("409: five of six concurrent calls with the same name, and one database is created", async () => {
    const { tenant, projectId } = await arrange();

    const answers = await Promise.all(Array.from({ length: 6 }, () => add(tenant, projectId, { name: "db" })));

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
    const ids = (await heldFor(projectId)).services.map(({ service_id }) => service_id);
    expect(ids).toHaveLength(1);
    expect(await resourcesOf("neon", ids)).toHaveLength(1);
  });

  it("409: project is being deleted", async () => {
    const { tenant, projectId } = await arrange();
    await services.rows("update projects set status = 'deleting' where project_id = $1", [projectId]);

    const answer = await add(tenant, projectId);

    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it("502: the provider rejects the addition, and nothing is left behind", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await newProject(tenant);
    await services.linkNeon(tenant, projectId, "sandbox-full-ada");

    const answer = await add(tenant, projectId, { name: "db" });

    expect([answer.status, answer.body.code]).toEqual([502, "provider_error"]);
    expect(answer.body.detail).toContain("projects limit");
    const held = await heldFor(projectId);
    expect(held).toMatchObject({ services: [{ status: "failed" }], secrets: [], charges: [] });
    expect(held.operations).toMatchObject([
      {
        status: "failed",
        steps: {
          kya_gate: "succeeded",
          provider_provisioning: "failed",
          credential_storage: "skipped",
          audit: "skipped",
        },
      },
    ]);
    expect((await tenant.get(`/projects/${projectId}/env`)).body.env).toEqual({});
  });

  describe("with existing_resource_id", () => {
    it("202: adopts the resource unchanged, and detaches it when the service is removed", async () => {
      const tenant = await harness.seedTenant();
      const projectId = await newProject(tenant);
      const { token } = await services.linkNeon(tenant, projectId);
      const resourceId = await createElsewhere(token, "existing");

      const { status, body } = await add(tenant, projectId, { existing_resource_id: resourceId });

      expect(status).toBe(202);
      expect(body.service).toMatchObject({
        status: "active",
        provider_resource_id: resourceId,
        deprovision_effect: "detach",
      });
      expect(await connectTo(body.env.DATABASE_URL)).toEqual([{ one: 1 }]);
      expect(await resourcesOf("neon", [body.service.service_id])).toEqual([]);
      const removal = await tenant.delete(`/projects/${projectId}/services/${body.service.service_id}`);
      expect(removal.body).toMatchObject({ effect: "detached", status: "removed" });
      expect(await connectTo(body.env.DATABASE_URL)).toEqual([{ one: 1 }]);
    });

    it("502: the resource remains after a failed addition", async () => {
      const tenant = await harness.seedTenant();
      const projectId = await newProject(tenant);
      const { token } = await services.linkNeon(tenant, projectId);
      const resourceId = await createElsewhere(token, "existing");
      const operation = "getConnectionURI";
      harness.sandbox.force({ vendor: "neon", operation, outcome: "refused" });

      const { status } = await add(tenant, projectId, { existing_resource_id: resourceId });

      expect(status).toBe(502);
      const neon = await harness.sandbox.objects("neon");
      expect(neon.map(({ id }) => id)).toContain(resourceId);
      expect((await heldFor(projectId)).services).toMatchObject([{ status: "failed" }]);
    });

    it("502: resource of another account or unknown resource, with the same response", async () => {
      const tenant = await harness.seedTenant();
      const projectId = await linkedProject(tenant);
      const foreign = await createElsewhere("sandbox-other-account", "theirs");

      const answers = [
        await add(tenant, projectId, { existing_resource_id: foreign }),
        await add(tenant, projectId, { existing_resource_id: "absent-bird-00000000" }),
      ];

      const [ofOther, unknown] = answers.map(({ status, body }) => [status, body.code, body.detail]);
      expect(ofOther).toEqual(unknown);
      expect(ofOther?.[0]).toBe(502);
      const neon = await harness.sandbox.objects("neon");
      expect(neon.map(({ id }) => id)).toContain(foreign);
    });
  });
});
