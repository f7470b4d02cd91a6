import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../../../../test/services.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import type { ProjectId } from "../../../../foundation/ids.ts";

const ACME = "acme-db/postgres";

describe("POST /projects/{project_id}/services/{service_id}/upgrade", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  async function arrange({ service = ACME, plan = "free", project = {}, config = {}, hasCard = true } = {}) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, project);
    if (service === "supabase/project") await services.linkSupabase(tenant, projectId);
    else await services.linkByToken(tenant, projectId, service.split("/")[0] ?? "");
    if (hasCard) await services.attachCard(tenant, projectId);
    const { body } = await services.add(tenant, projectId, { service, plan, config });
    await services.allEnded(projectId);
    const serviceId = body.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    const upgrade = (request: object, options?: Parameters<Tenant["post"]>[2]) =>
      tenant.post(`${path}/upgrade`, request, options);
    return { tenant, projectId, serviceId, path, upgrade };
  }

  /** Returns `type status amount from to` of each charge, oldest first. */
  async function chargesOf(projectId: string) {
    const { charges } = await services.heldFor(projectId);
    return charges
      .map(
        ({ type, status, amount_cents, period_start, period_end, plan }) =>
          `${plan} ${type} ${status} ${amount_cents} ${period_start.toISOString().slice(5, 10)} ${period_end.toISOString().slice(5, 10)}`,
      )
      .sort();
  }

  const expectExact = async (tenant: Tenant) => expect(await services.wrongBudgets(tenant)).toEqual([]);

  const databaseOf = async (vendor: string, serviceId: string) =>
    (await harness.sandbox.objects(vendor)).find(({ data }) => JSON.stringify(data).includes(serviceId))
      ?.data as Record<string, unknown>;

  it("200: an upgrade of Acme DB takes effect at once, and costs the days that are left", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange();

    const { status, body } = await upgrade({ plan: "prorated", expected_current_plan: "free" });

    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      service: {
        plan: "prorated",
        status: "active",
        pending_plan: null,
        pricing: { type: "paid", amount: "31.00" },
        allowed_updates: ["free", "standard"],
      },
      previous_plan: "free",
      changed: true,
      price_change: { old: "0.00", new: "31.00", proration: "10.34" },
      status: "completed",
      operation: {
        type: "service.upgrade",
        status: "succeeded",
        steps: [
          { name: "policy", status: "succeeded" },
          { name: "payment_setup", status: "succeeded" },
          { name: "provider_plan_change", status: "succeeded" },
          { name: "service_record", status: "succeeded" },
          { name: "audit", status: "succeeded" },
        ],
      },
      poll_url: null,
      approval: null,
    });
    expect(await databaseOf("acme-db", serviceId)).toMatchObject({ plan: "prorated" });
    expect((await tenant.get(path)).body).toMatchObject(body.service);
    expect(await chargesOf(projectId)).toEqual(["prorated subscription reserved 1034 11-21 12-01"]);
    const { usage } = (await tenant.get(`/projects/${projectId}`)).body;
    expect([usage.reserved, usage.remaining]).toEqual(["10.34", "89.66"]);
    await expectExact(tenant);
    const actions = (await auditOf(harness.app, serviceId)).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(["service.plan_change_requested", "service.plan_changed"]);
    const events = await eventsOf(harness.app, serviceId);
    expect(events.at(-1)).toMatchObject({
      type: "service.plan_changed",
      data: { plan: "prorated" },
    });
  });

  it("200: an upgrade between two prices costs their difference, for the days that are left", async () => {
    const { tenant, projectId, upgrade } = await arrange({ plan: "standard" });

    const { body } = await upgrade({ plan: "prorated" });

    expect(body.price_change).toMatchObject({ old: "10.00", new: "31.00", proration: "7.00" });
    expect(await chargesOf(projectId)).toEqual([
      "prorated adjustment reserved 700 11-21 12-01",
      "standard subscription reserved 1000 11-01 12-01",
    ]);
    await expectExact(tenant);
  });

  it("200: a cheaper plan takes effect at once if the price is prorated, and the whole days left are freed", async () => {
    const { tenant, projectId, upgrade } = await arrange({ plan: "prorated" });

    const { body } = await upgrade({ plan: "standard" });

    expect(body).toMatchObject({
      status: "completed",
      price_change: { old: "31.00", new: "10.00", proration: "-6.30" },
    });
    expect(await chargesOf(projectId)).toEqual([
      "prorated subscription succeeded 104 11-01 11-22",
      "standard subscription reserved 300 11-22 12-01",
    ]);
    await expectExact(tenant);
  });

  it("200: a cheaper plan frees nothing before the month ends if the price is not prorated", async () => {
    const { tenant, projectId, upgrade } = await arrange({ plan: "standard" });

    const { body } = await upgrade({ plan: "free", effective: "immediate" });

    expect(body).toMatchObject({ status: "completed", price_change: { proration: "0.00" } });
    expect(await chargesOf(projectId)).toEqual(["standard subscription reserved 1000 11-01 12-01"]);
    await expectExact(tenant);
  });

  it("200: an upgrade after such a change does not charge again what the month costs already", async () => {
    const { tenant, projectId, upgrade } = await arrange({ plan: "standard" });
    await upgrade({ plan: "free", effective: "immediate" });

    const back = await upgrade({ plan: "standard" });

    expect(back.body).toMatchObject({ status: "completed", price_change: { proration: "0.00" } });
    expect(await chargesOf(projectId)).toEqual(["standard subscription reserved 1000 11-01 12-01"]);
    await upgrade({ plan: "free", effective: "immediate" });
    expect((await upgrade({ plan: "prorated" })).body.price_change.proration).toBe("7.00");
    expect(await chargesOf(projectId)).toEqual([
      "prorated subscription reserved 700 11-21 12-01",
      "standard subscription reserved 1000 11-01 12-01",
    ]);
    await expectExact(tenant);
  });

  it("200: a cheaper plan that the rest of the month was reserved for before is not reserved again", async () => {
    const { tenant, projectId, path, upgrade } = await arrange({ plan: "prorated" });
    await upgrade({ plan: "standard" });
    await upgrade({ plan: "prorated" });

    const { status, body } = await upgrade({ plan: "standard" });

    expect([status, body.status]).toEqual([200, "completed"]);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "active" });
    expect(await chargesOf(projectId)).toEqual([
      "prorated adjustment succeeded 70 11-21 11-22",
      "prorated subscription succeeded 104 11-01 11-22",
      "standard subscription reserved 300 11-22 12-01",
    ]);
    await expectExact(tenant);
  });

  it("200: a cheaper plan costs the difference to what the rest of the month was reserved for before", async () => {
    const { tenant, projectId, path, upgrade } = await arrange({
      ...{ service: "supabase/project", plan: "pro-large", project: { monthly_cap: "500.00" } },
    });
    for (const plan of ["pro", "pro-medium", "pro-small"]) {
      await upgrade({ plan, effective: "immediate" });
      await services.allEnded(projectId);
    }

    expect((await tenant.get(path)).body).toMatchObject({ plan: "pro-small", status: "active" });
    expect(await chargesOf(projectId)).toEqual([
      "pro subscription reserved 750 11-22 12-01",
      "pro-large subscription succeeded 417 11-01 11-22",
      "pro-medium adjustment succeeded 167 11-21 11-22",
      "pro-small adjustment reserved 150 11-22 12-01",
    ]);
    await expectExact(tenant);
  });

  it("200: Neon gets the settings of the plan, and the use of each plan is charged by itself", async () => {
    const { tenant, projectId, serviceId, upgrade } = await arrange({
      service: "neon/postgres",
      plan: "launch",
    });

    const { status, body } = await upgrade({ plan: "scale" });

    expect([status, body.status]).toEqual([200, "completed"]);
    expect(body.price_change).toMatchObject({ old: "5.00", new: "5.00", proration: "0.00" });
    const { old_usage: oldUsage, new_usage: newUsage } = body.price_change;
    const hours = { metric: "compute_hours" };
    expect(oldUsage).toContainEqual({ ...hours, unit_price: "0.106" });
    expect(newUsage).toContainEqual({ ...hours, unit_price: "0.222" });
    expect(await databaseOf("neon", serviceId)).toMatchObject({
      settings: {
        history_retention_seconds: 30 * 86_400,
        settings: { quota: { compute_time_seconds: 0, logical_size_bytes: 0 } },
      },
    });
    expect(await chargesOf(projectId)).toEqual([
      "launch usage reserved 500 11-01 11-21",
      "scale usage reserved 0 11-21 12-01",
    ]);
    await expectExact(tenant);
  });

  it("200: Supabase resizes the project, and the operation ends when it is ready", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange({
      service: "supabase/project",
      plan: "pro",
    });

    const { status, body } = await upgrade({ plan: "pro-medium" });

    expect([status, body.status, body.service.status]).toEqual([200, "pending", "updating"]);
    expect(body.poll_url).toContain("/operations/op_");
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    expect(Object.keys(env)).toContain("DATABASE_URL");
    await services.allEnded(projectId);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "pro-medium", status: "active" });
    expect(await databaseOf("supabase", serviceId)).toMatchObject({ instanceSize: "medium" });
  });

  it("200: the same plan changes nothing", async () => {
    const { tenant, projectId, upgrade } = await arrange({ plan: "standard" });
    const before = await services.heldFor(projectId);

    const { status, body } = await upgrade({ plan: "standard" });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ changed: false, previous_plan: "standard", status: "completed", operation: null },
      price_change: { old: "10.00", new: "10.00", proration: "0.00" },
    });
    expect(await services.heldFor(projectId)).toEqual(before);
    await expectExact(tenant);
  });

  it("409 not_upgradable with the plans that are possible", async () => {
    const { upgrade } = await arrange({ service: "supabase/project", plan: "pro" });

    const { status, body } = await upgrade({ plan: "team" });

    expect([status, body.code]).toEqual([409, "not_upgradable"]);
    expect(body.errors).toEqual([
      {
        pointer: "/body/plan",
        code: "not_upgradable",
        detail: "must be one of pro-small, pro-medium, pro-large",
      },
    ]);
  });

  it("409: the service has another plan than expected", async () => {
    const { upgrade } = await arrange();

    const { status, body } = await upgrade({ plan: "standard", expected_current_plan: "prorated" });

    expect([status, body.code, body.errors[0].pointer]).toEqual([409, "conflict", "/body/expected_current_plan"]);
  });

  it.each([
    [{}, "/body/plan"],
    [{ plan: "gold" }, "/body/plan"],
    [{ plan: 7 }, "/body/plan"],
    [{ plan: "standard", effective: "later" }, "/body/effective"],
    [{ plan: "standard", max_monthly_cost: "9.99" }, "/body/max_monthly_cost"],
    [{ plan: "standard", max_monthly_cost: "10.001" }, "/body/max_monthly_cost"],
    [{ plan: "standard", surprise: true }, "/body/surprise"],
  ])("422: %j is invalid at %s", async (request, pointer) => {
    const { projectId, upgrade } = await arrange();

    const { status, body } = await upgrade(request);

    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
    expect((await services.heldFor(projectId)).operations).toHaveLength(1);
  });

  it("409: the terms that were accepted are not current", async () => {
    const { upgrade } = await arrange();

    const { status, body } = await upgrade({ plan: "standard", accept_terms_version: "1999" });

    expect([status, body.code]).toEqual([409, "tos_acceptance_required"]);
  });

  it("403 cap_exceeded with the numbers: the difference does not fit, and the provider is not called", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange({
      plan: "standard",
      project: { monthly_cap: "16.99" },
    });

    const { status, body } = await upgrade({ plan: "prorated" });

    expect([status, body.code]).toEqual([403, "cap_exceeded"]);
    expect(body.decision).toMatchObject({ limit: "16.99", used: "10.00", remaining: "6.99" });
    expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "active" });
    expect(await databaseOf("acme-db", serviceId)).toMatchObject({ plan: "standard" });
    expect(await chargesOf(projectId)).toEqual(["standard subscription reserved 1000 11-01 12-01"]);
    await expectExact(tenant);
  });

  it("402: the plan requires a payment method, and nothing stays reserved", async () => {
    const { tenant, projectId, path, upgrade } = await arrange({ hasCard: false });

    const { status, body } = await upgrade({ plan: "standard" });

    expect([status, body.code]).toEqual([402, "payment_method_required"]);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "active" });
    expect(await chargesOf(projectId)).toEqual(["standard subscription released 1000 11-21 12-01"]);
    await services.attachCard(tenant, projectId);
    expect((await upgrade({ plan: "standard" })).body.status).toBe("completed");
    await expectExact(tenant);
  });

  it("200: a cheaper plan needs no payment method that can be charged", async () => {
    const { tenant, projectId, upgrade } = await arrange({ plan: "prorated" });
    await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      tx
        .updateTable("projectBilling")
        .set({ status: "past_due" })
        .where("projectId", "=", projectId as ProjectId)
        .execute(),
    );

    const cheaper = await upgrade({ plan: "standard" });
    const dearer = await upgrade({ plan: "prorated" });

    expect([cheaper.status, cheaper.body.status]).toEqual([200, "completed"]);
    expect([dearer.status, dearer.body.code]).toEqual([402, "payment_method_required"]);
    await expectExact(tenant);
  });

  it("502: the provider refuses, and the service has its plan and its price", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange({
      config: { fail_at: "plan_change" },
    });

    const { status, body } = await upgrade({ plan: "prorated" });

    expect([status, body.code]).toEqual([502, "provider_error"]);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "active" });
    expect(await chargesOf(projectId)).toEqual(["prorated subscription released 1034 11-21 12-01"]);
    const events = await eventsOf(harness.app, serviceId);
    expect(events.at(-1)?.type).toBe("service.plan_change_failed");
    await expectExact(tenant);
  });

  it("502: Neon refuses a plan that the organization's plan does not include", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    await services.linkNeon(tenant, projectId, `sandbox-free-${randomUUID()}`);
    await services.attachCard(tenant, projectId);
    const { body: added } = await services.add(tenant, projectId);
    const path = `/projects/${projectId}/services/${added.service.service_id}`;

    const { status, body } = await tenant.post(`${path}/upgrade`, { plan: "scale" });

    expect([status, body.code]).toEqual([502, "provider_error"]);
    expect(body.detail).toContain("not available on the organization's plan");
    expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "active" });
  });

  it("a repeated call with its Idempotency-Key changes the plan once and answers the same", async () => {
    const { projectId, upgrade } = await arrange();
    const headers = { "idempotency-key": randomUUID() };

    const first = await upgrade({ plan: "standard" }, { headers });
    const again = await upgrade({ plan: "standard" }, { headers });

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await services.heldFor(projectId)).operations).toHaveLength(2);
  });

  it("an upgraded service that is removed costs its part of the month", async () => {
    const { tenant, projectId, path, upgrade } = await arrange({ plan: "standard" });
    await upgrade({ plan: "prorated" });
    harness.clock.advanceSeconds(3_600);

    await tenant.delete(path);

    // One of the ten days that were left.
    expect(await chargesOf(projectId)).toEqual([
      "prorated adjustment succeeded 70 11-21 11-21",
      "standard subscription succeeded 1000 11-01 11-21",
    ]);
    await expectExact(tenant);
  });
});
