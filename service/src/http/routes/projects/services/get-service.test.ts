import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { seedService } from "../../../../../test/project-seeds.ts";

describe("GET /projects/{project_id}/services/{service_id}", () => {
  const harness = useHarness();

  async function arrange(service: Omit<Parameters<typeof seedService>[1], "tenantId" | "projectId"> = {}) {
    const tenant = await harness.seedTenant();
    const projectId = (await tenant.post("/projects", { name: "one" })).body.project_id as string;
    const place = { tenantId: tenant.tenantId, projectId };
    const serviceId = await seedService(harness.app, { ...place, ...service });
    const path = `/projects/${projectId}/services/${serviceId}`;
    return { tenant, place, serviceId, path };
  }

  it("200: returns the service with price and names of variables, without values", async () => {
    const at = harness.clock.now();
    const { tenant, place, serviceId, path } = await arrange({
      provider: "supabase",
      service: "supabase/project",
      env: { DATABASE_URL: "postgres://u:hunter2@h/d", PGHOST: "h" },
      envNames: { DATABASE_URL: "PRIMARY_DB_DATABASE_URL", PGHOST: "PGHOST" },
      name: "primary-db",
      plan: "pro",
      priceCents: 1900n,
      environments: ["production"],
      config: JSON.stringify({ desired_instance_size: "nano" }),
      providerResourceId: "quiet-sun-1",
      credentialVersion: 2,
      credentialRotatedAt: at,
      metadata: JSON.stringify({ team: "a" }),
    });

    const { status, body, text } = await tenant.get(path);

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "service",
      service_id: serviceId,
      project_id: place.projectId,
      mode: "live",
      link_id: expect.stringMatching(/^lnk_/),
      provider: "supabase",
      service: "supabase/project",
      name: "primary-db",
      plan: "pro",
      status: "active",
      region: "aws-us-east-1",
      config: { desired_instance_size: "nano" },
      environments: ["production"],
      env_prefix: null,
      env_names: ["PGHOST", "PRIMARY_DB_DATABASE_URL"],
      credential: {
        version: 2,
        type: "single",
        rotated_at: at.toISOString(),
        previous_valid_until: null,
        pulled_by: [],
        expires_at: null,
      },
      // What the vendor bills costs what it costs now.
      pricing: { type: "paid", amount: "25.00", currency: "usd", interval: "month" },
      allowed_updates: ["pro-small", "pro-medium", "pro-large"],
      pending_plan: null,
      deprovision_effect: "destroy",
      provider_resource_id: "quiet-sun-1",
      dashboard_url_available: false,
      notification: null,
      agent_id: null,
      metadata: { team: "a" },
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      removed_at: null,
    });
    expect(text).not.toContain("hunter2");
  });

  it("200: a free plan has no price, and an adopted resource is detached", async () => {
    const { tenant, path } = await arrange({ adopted: true });

    expect((await tenant.get(path)).body).toMatchObject({
      pricing: { type: "free" },
      deprovision_effect: "detach",
      credential: { version: 0, rotated_at: null },
      env_names: [],
    });
  });

  it("200: a plan billed by use has no price, although an amount is reserved", async () => {
    const { tenant, path } = await arrange({ plan: "launch", priceCents: 500n });

    const { body } = await tenant.get(path);

    expect(body.pricing).toEqual({ type: "usage", currency: "usd", interval: "month" });
    expect(body.credential.type).toBe("multiple");
  });

  it("200: a service that is no longer in the catalog has its price", async () => {
    const former = { service: "acme/thing", provider: "acme", plan: "gold", priceCents: 250n };
    const { tenant, path } = await arrange(former);

    expect((await tenant.get(path)).body).toMatchObject({
      pricing: { type: "paid", amount: "2.50", currency: "usd", interval: "month" },
      allowed_updates: [],
      deprovision_effect: "destroy",
    });
  });

  it("200: failed service", async () => {
    const { tenant, path } = await arrange({ status: "failed" });

    expect((await tenant.get(path)).body.status).toBe("failed");
  });

  it("404: service is removed, belongs to another project or tenant, or is unknown", async () => {
    const { tenant, place, serviceId } = await arrange({ status: "removed" });
    const two = (await tenant.post("/projects", { name: "two" })).body.project_id as string;
    const ofTwo = await seedService(harness.app, { ...place, projectId: two });
    const other = await arrange();
    const absent = `srv_${"0".repeat(26)}`;

    const answers = await Promise.all(
      [serviceId, ofTwo, other.serviceId, absent, "nonsense", ofTwo.toUpperCase()].map((id) =>
        tenant.get(`/projects/${place.projectId}/services/${id}`),
      ),
    );

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [404, "service_not_found"]),
    );
    expect((await tenant.get(`/projects/${two}/services/${ofTwo}`)).status).toBe(200);
  });
});
