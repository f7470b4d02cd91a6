import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { servicesOf } from "../../../../../test/services.ts";

/** The seconds after which another call with the same Idempotency-Key takes over. */
const LEASE_SECONDS = 10;

describe("a repeated call after the first one's process crashed before its transaction", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  it.each([
    ["POST /services", "services", { service: "acme-db/postgres" }],
    ["POST /rotate", "rotate", { grace_period_seconds: 0 }],
    ["POST /upgrade", "upgrade", { plan: "standard" }],
    ["POST /link", "link", { provider: "neon" }],
  ])("409, and after ten seconds it is executed: %s", async (_what, route, body) => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    await services.linkByToken(tenant, projectId, "acme-db");
    await services.attachCard(tenant, projectId);
    const added = await services.add(tenant, projectId, { service: "acme-db/postgres" });
    const project = `/projects/${projectId}`;
    const isOfService = route === "rotate" || route === "upgrade";
    const path = isOfService ? `${project}/services/${added.body.service.service_id}` : project;
    const idempotencyKey = randomUUID();
    const call = () => tenant.post(`${path}/${route}`, body, { headers: { "idempotency-key": idempotencyKey } });
    const first = await call();
    await services.allEnded(projectId);
    // Simulates a process that crashed after it claimed the key. All four calls can be executed again.
    await services.rows(
      `update idempotency_records set state = 'in_flight', answer_status = null, answer_body = null
       where idempotency_key = $1`,
      [idempotencyKey],
    );

    harness.clock.advanceSeconds(LEASE_SECONDS - 1);
    const during = await call();
    harness.clock.advanceSeconds(1);
    const after = await call();

    expect(first.status).toBeLessThan(300);
    expect([during.status, during.body.code]).toEqual([409, "idempotency_in_flight"]);
    expect(after.status).toBe(first.status);
    expect(after.headers["idempotent-replayed"]).toBeUndefined();
  });
});
