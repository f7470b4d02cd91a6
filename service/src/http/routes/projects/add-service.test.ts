import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { type Answer, useHarness } from "../../../../test/harness.ts";

const harness = useHarness({ vendors: true });

type Tenant = Awaited<ReturnType<typeof harness.seedTenant>>;

async function newProject(tenant: Tenant, body: object = {}): Promise<string> {
  const { body: project } = await tenant.post("/projects", { name: randomUUID(), ...body });
  return project.project_id;
}

/** Links Neon by its paste form, as a person does. */
async function linkNeon(tenant: Tenant, projectId: string, token = `sandbox-${randomUUID()}`) {
  const link = await tenant.post(`/projects/${projectId}/link`, { provider: "neon" });
  const url = new URL(link.body.url);
  const form = await harness.send({ method: "GET", url: url.pathname + url.search });
  const once = /name="once"[^>]*value="([^"]+)"/.exec(form.text)?.[1] ?? "";
  return harness.send({
    method: "POST",
    url: url.pathname + url.search,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    payload: new URLSearchParams({ token, once }).toString(),
  });
}

async function linkedProject(tenant: Tenant, body?: object): Promise<string> {
  const projectId = await newProject(tenant, body);
  const { status, text } = await linkNeon(tenant, projectId);
  expect([status, text]).toEqual([200, expect.stringContaining("linked")]);
  return projectId;
}

const add = (tenant: Tenant, projectId: string, body: object = {}): Promise<Answer> =>
  tenant.post(`/projects/${projectId}/services`, { service: "neon/postgres", ...body });

describe("POST /projects/{project_id}/services", () => {
  it("202: a database of a linked provider, with variables that open it", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await linkedProject(tenant);

    const { status, body } = await add(tenant, projectId, { name: "primary-db" });

    expect(status).toBe(202);
    expect(body.operation.status).toBe("succeeded");
    expect(
      body.operation.steps.map((step: { name: string; status: string }) => [
        step.name,
        step.status,
      ]),
    ).toEqual([
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
    const client = new Client({ connectionString: body.env.DATABASE_URL });
    await client.connect();
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await client.end();
  });
});
