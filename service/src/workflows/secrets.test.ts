import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { dumpDatabase, encodingsOf } from "../../test/project-seeds.ts";
import { servicesOf } from "../../test/services.ts";

const TABLES = [
  "public.audit_entries",
  "public.events",
  "public.idempotency_records",
  "public.operation_steps",
  "public.operations",
  "public.provider_link_secrets",
  "public.service_secrets",
  "dbos.operation_outputs",
  "dbos.transaction_completion",
  "dbos.workflow_status",
];

/** Secrets of vendors and callers must not appear in the database or the log unencrypted. */
describe("secrets of a service", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  /** Adds services at two providers and returns all secrets that were used. */
  async function addServices() {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { token } = await services.linkNeon(tenant, projectId);
    await services.linkSupabase(tenant, projectId);
    await services.attachCardWithOwner(tenant, projectId);
    const key = { headers: { "idempotency-key": randomUUID() } };
    const neon = await services.add(tenant, projectId, { plan: "launch" }, key);
    await services.add(tenant, projectId, { plan: "launch" }, key);
    const request = { service: "supabase/project" };
    const supabase = await services.add(tenant, projectId, request);
    await services.ended(tenant, supabase.body.poll_url);
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    const clientSecrets = (await harness.sandbox.objects("stripe")).flatMap(({ data }) => {
      const secret: unknown = Object(Object(data).secret).clientSecret;
      return typeof secret === "string" ? [secret] : [];
    });
    return { tenant, projectId, neon, supabase, env, token, clientSecrets };
  }

  const dump = () => dumpDatabase(harness.database.superuserUrl, ["public", "dbos"]);

  it("do not appear in any table or log line while the service is active and after its removal", async () => {
    const { tenant, projectId, neon, supabase, env, token, clientSecrets } = await addServices();
    const passwords = Object.values<string>(env).flatMap((value) =>
      URL.canParse(value) ? [new URL(value).password] : [],
    );
    const secrets = [
      tenant.apiKey,
      tenant.apiSecret,
      token,
      neon.body.env.PGPASSWORD,
      neon.body.env.DATABASE_URL,
      ...Object.entries<string>(env).flatMap(([name, value]) =>
        /SECRET|PASSWORD|DATABASE_URL/.test(name) ? [value] : [],
      ),
      ...passwords,
      ...clientSecrets,
    ].filter((secret) => secret !== "");
    expect(secrets.length).toBeGreaterThanOrEqual(8);
    expect(env.DATABASE_URL).toBe(neon.body.env.DATABASE_URL);

    const whileActive = await dump();
    for (const added of [neon, supabase]) {
      await tenant.delete(`/projects/${projectId}/services/${added.body.service.service_id}`);
    }
    await tenant.delete(`/projects/${projectId}`);
    const afterRemoval = await dump();
    const logged = harness.logLines.join("");

    for (const table of TABLES) expect(whileActive).toContain(`${table}\n`);
    expect(whileActive).toContain(neon.body.service.provider_resource_id);
    for (const secret of secrets) {
      for (const encoding of encodingsOf(secret)) {
        expect(whileActive.includes(encoding)).toBe(false);
        expect(afterRemoval.includes(encoding)).toBe(false);
        expect(logged.includes(encoding)).toBe(false);
      }
    }
  });

  it("do not appear anywhere after a failed addition", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { token } = await services.linkNeon(tenant, projectId);
    const operation = "getConnectionURI";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "ok" });
    harness.sandbox.force({ vendor: "neon", operation, outcome: "refused" });
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });

    await services.add(tenant, projectId);

    const [{ service_id: serviceId }] = (await services.heldFor(projectId)).services;
    const [resource] = await services.resourcesOf("neon", [serviceId]);
    const { password } = Object(Object(resource?.data).secret);
    const stored = (await dump()) + harness.logLines.join("");
    for (const encoding of [password, token].flatMap(encodingsOf)) {
      expect(stored.includes(encoding)).toBe(false);
    }
  });
});
