import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { servicesOf } from "../../../../../test/services.ts";
import { composeVendors } from "../../../../compose/vendors.ts";
import { newSecrets } from "../../../../config/new-secrets.ts";
import { createReader } from "../../../../config/reader.ts";
import { checkRealVendors, readVendors } from "../../../../config/vendors.ts";
import { readConfig } from "../../../../config.ts";
import { systemClock } from "../../../../foundation/clock.ts";

const PROVIDER = "acme-db";
const SERVICE = "acme-db/postgres";

describe("failure tests with Acme DB", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorAttempts: { brief: 2, long: 2 }, vendorSettleMs: 1 },
  });
  const services = servicesOf(harness);

  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const link = await services.linkByToken(tenant, projectId, PROVIDER);
    return { tenant, projectId, link };
  }

  type Place = Awaited<ReturnType<typeof arrange>>;

  /** Adds a service and returns the response and the finished operation. */
  async function addAndWait({ tenant, projectId }: Place, config: object, plan = "free") {
    const { status, body } = await services.add(tenant, projectId, {
      service: SERVICE,
      plan,
      config,
    });
    await services.allEnded(projectId);
    const { services: added, charges, operations } = await services.heldFor(projectId);
    const path = `/projects/${projectId}/services/${added[0].service_id}`;
    return { status, body, path, service: added[0], charges, operation: operations[0] };
  }

  const databases = async ({ service }: { readonly service: { readonly service_id: string } }) =>
    (await harness.sandbox.objects(PROVIDER)).filter(({ data }) => JSON.stringify(data).includes(service.service_id));

  /** Deletes the database at the vendor without using Purser. */
  async function deleteByForce({ link }: Place, database: { readonly id: string } | undefined) {
    const { url } = harness.sandbox[PROVIDER];
    await fetch(`${url}/v1/databases/${database?.id}?force=true`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${link.token}` },
    });
  }

  it("200: the catalog lists it", async () => {
    const tenant = await harness.seedTenant();

    const { body } = await tenant.get(`/projects/catalog?provider=${PROVIDER}`);

    expect(body.data).toMatchObject([{ auth: "api_token", services: [{ service: SERVICE }] }]);
  });

  it("200: a token with the prefix sandbox- links it, and the form shows an example", async () => {
    const place = await arrange();
    const { body } = await place.tenant.post(`/projects/${place.projectId}/link`, {
      provider: PROVIDER,
      force: true,
    });
    const { pathname, search } = new URL(body.url);
    const form = await harness.send({ method: "GET", url: pathname + search });
    const refused = await services.linkByToken(
      place.tenant,
      await services.newProject(place.tenant),
      PROVIDER,
      "a-token-of-another-vendor",
    );

    expect(place.link.answer.body).toMatchObject({ provider: PROVIDER, status: "linked" });
    expect(form.text).toContain("Link Acme DB");
    expect(form.text).toContain("<code>sandbox-ada</code>");
    expect(refused.answer.body).not.toMatchObject({ status: "linked" });
  });

  it("202: provisioning sync returns the variables in the response", async () => {
    const { status, body } = await addAndWait(await arrange(), {});

    expect(status).toBe(202);
    expect(body).toMatchObject({
      operation: { status: "succeeded" },
      service: { status: "active", provider: PROVIDER },
      env: { DATABASE_URL: expect.stringMatching(/^postgresql:\/\/acme:/) },
    });
  });

  it("202: provisioning async has the variables in the bundle after the operation", async () => {
    const place = await arrange();

    const { status, body, operation } = await addAndWait(place, { provisioning: "async" });
    const { env } = (await place.tenant.get(`/projects/${place.projectId}/env`)).body;

    expect(status).toBe(202);
    expect(body).toMatchObject({
      operation: { status: "running" },
      service: { status: "provisioning" },
      expected_callback_seconds: 1,
    });
    expect(operation.status).toBe("succeeded");
    expect(Object.keys(env)).toEqual(["DATABASE_URL"]);
  });

  it("202: provisioning never runs until an operator deletes the database", async () => {
    const place = await arrange();
    const config = { provisioning: "never" };

    const { body } = await services.add(place.tenant, place.projectId, {
      service: SERVICE,
      config,
    });
    const [database] = await databases(body);

    expect(body).toMatchObject({
      operation: { status: "running" },
      service: { status: "provisioning" },
    });
    expect(database).toMatchObject({ type: "database" });
    await deleteByForce(place, database);
    await services.allEnded(place.projectId);
    expect((await services.heldFor(place.projectId)).operations).toMatchObject([
      { status: "failed", error: { code: "provider_error" } },
    ]);
  });

  it.each([
    ["provisioning", "refused", "provider_error"],
    ["provisioning", "rate_limited", "provider_unavailable"],
    ["startup", "refused", "provider_error"],
    ["credentials", "refused", "provider_error"],
    ["credentials", "rate_limited", "provider_unavailable"],
  ])("a failure at %s (%s) is undone, and the service's charge is released", async (failAt, failure, code) => {
    const place = await arrange();
    await services.attachCard(place.tenant, place.projectId);

    const ended = await addAndWait(place, { fail_at: failAt, failure }, "standard");

    expect(ended.operation).toMatchObject({ status: "compensated", error: { code } });
    expect(ended.service.status).toBe("failed");
    expect(ended.charges.map(({ status }) => status)).toEqual(["released"]);
    expect(await databases(ended)).toEqual([]);
  });

  it("502: a failure at the removal needs an operator; 200 after the operator deleted the database", async () => {
    const place = await arrange();
    const added = await addAndWait(place, { fail_at: "removal" });
    const [database] = await databases(added);

    const refused = await place.tenant.delete(added.path);
    const waiting = await services.rows(
      "select status from operations where project_id = $1 and type = 'service.remove'",
      [place.projectId],
    );
    await deleteByForce(place, database);
    const removed = await place.tenant.delete(added.path);

    expect([refused.status, refused.body.code]).toEqual([502, "provider_error"]);
    expect(waiting).toMatchObject([{ status: "needs_operator" }]);
    expect([removed.status, removed.body.status]).toEqual([200, "removed"]);
  });

  it.each(["timeout_applied", "timeout_lost", "error_applied", "duplicate"] as const)(
    "202: one database is created if the sandbox makes the call %s",
    async (outcome) => {
      harness.sandbox.force({ vendor: PROVIDER, operation: "createDatabase", outcome });

      const ended = await addAndWait(await arrange(), {});

      expect(ended.operation.status).toBe("succeeded");
      expect(await databases(ended)).toHaveLength(1);
    },
  );

  it("200: the sandbox's page shows the failure tests", async () => {
    const page = await (await fetch(harness.sandbox.url)).text();

    expect(page).toContain("<h2>Acme DB</h2></summary>");
    expect(page).toContain("config {&quot;fail_at&quot;:&quot;removal&quot;}");
  });

  it("422: unknown failure test", async () => {
    const { tenant, projectId } = await arrange();

    const { status, body } = await services.add(tenant, projectId, {
      service: SERVICE,
      config: { fail_at: "lunch" },
    });

    expect([status, body.errors[0].pointer]).toEqual([422, "/body/config/fail_at"]);
  });
});

describe("Acme DB in production", () => {
  const harness = useHarness({ settings: { profile: "production" } });

  it("200: the catalog does not list it", async () => {
    const tenant = await harness.seedTenant();

    const { body } = await tenant.get("/projects/catalog");

    expect(JSON.stringify(body)).not.toMatch(/acme/i);
  });

  it("422: linking, capping and adding it fail as for an unknown provider", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const refusals = async (provider: string) => {
      const answers = [
        await tenant.post(`/projects/${body.project_id}/link`, { provider }),
        await tenant.post("/projects", { name: "two", provider_caps: { [provider]: "1.00" } }),
        await tenant.post(`/projects/${body.project_id}/services`, {
          service: `${provider}/postgres`,
        }),
      ];
      return answers.map(({ status, body: problem }) => [
        status,
        problem.errors.map(({ code, detail }: Record<string, string>) => [code, detail]),
      ]);
    };

    const refused = await refusals(PROVIDER);

    expect(refused.map(([status]) => status)).toEqual([422, 422, 422]);
    expect(refused).toEqual(await refusals("unknown"));
  });

  it("production rejects its URL variable and has no adapter for it", () => {
    const environment = { ACME_DB_API_URL: "http://127.0.0.1:4010" };
    const config = readConfig({
      ...newSecrets(),
      PURSER_PROFILE: "test",
      PURSER_CLAIMS_FILE: "nowhere",
      PURSER_AUDIT_ANCHOR_FILE: "nowhere",
      DATABASE_URL: "postgres://127.0.0.1/nowhere",
      SMTP_URL: "smtp://127.0.0.1:9",
    });
    const providersIn = (profile: typeof config.profile) => [
      ...composeVendors({ ...config, settings: { profile } }, systemClock).providers.keys(),
    ];

    expect(checkRealVendors(readVendors(createReader(environment, [])))).toContain(
      "ACME_DB_API_URL is allowed only in the local profile.",
    );
    expect(providersIn("production")).not.toContain(PROVIDER);
    expect(providersIn("local")).toContain(PROVIDER);
  });
});
