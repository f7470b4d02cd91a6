import { beforeAll, describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf, seedBilling } from "../../../../test/project-seeds.ts";
import { servicesOf } from "../../../../test/services.ts";
import { listWrongBudgets } from "../../../budgets/queries.ts";
import { withTransaction } from "../../../db/transaction.ts";

const MONTH = {
  currency: "usd",
  period_start: "2026-11-01T00:00:00.000Z",
  period_end: "2026-12-01T00:00:00.000Z",
};
const RESETS_AT = MONTH.period_end;

/** The plan `standard` of Acme DB costs 10.00 USD per month. */
describe("PATCH /projects/{project_id} with caps", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  beforeAll(services.callEachVendorOnce);

  async function arrange(body: object = {}) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const projectId = await services.newProject(tenant, body);
    await seedBilling(harness.app, { tenantId, projectId });
    await services.linkByToken(tenant, projectId, "acme-db");
    return {
      tenant,
      projectId,
      patch: (change: object) => tenant.patch(`/projects/${projectId}`, change),
      add: (plan = "standard") => services.add(tenant, projectId, { service: "acme-db/postgres", plan }),
      reserved: async () => (await tenant.get(`/projects/${projectId}`)).body.usage.reserved,
      /** Returns the events about the project's cap. Checks that their sequence numbers have no gap. */
      capEvents: async () => {
        const events = await eventsOf(harness.app, projectId);
        const ofCap = events.filter(({ subjectType }) => subjectType === "project_cap");
        expect(ofCap.map(({ sequence }) => sequence)).toEqual(ofCap.map((_, index) => index + 1));
        return ofCap.map(({ type, data }): { type: string; data: AnyBody } => ({ type, data }));
      },
      expectExactBudgets: async () => {
        const wrong = await withTransaction(harness.app.db, tenantId, (tx) =>
          listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
        );
        expect(wrong).toEqual([]);
      },
    };
  }

  const CAPS = [
    ["project_cap", (cap: string) => ({ monthly_cap: cap })],
    ["provider_cap", (cap: string) => ({ provider_caps: { "acme-db": cap } })],
  ] as const;

  it.each(CAPS)("a changed %s binds the next service at once, and keeps what is in place", async (rule_id, change) => {
    const { tenant, projectId, patch, add, reserved, expectExactBudgets } = await arrange();
    const first = await add();
    expect((await patch(change("19.99"))).status).toBe(200);

    const refused = await add();

    const decision = {
      rule_id,
      limit: "19.99",
      used: "10.00",
      remaining: "9.99",
      resets_at: RESETS_AT,
    };
    expect(refused).toMatchObject({
      status: 403,
      body: { type: "/errors/cap_exceeded", code: "cap_exceeded", decision },
    });
    const operations = await services.heldFor(projectId);
    const failed = operations.operations.find(({ status }) => status === "failed");
    expect((await tenant.get(`/operations/${failed.operation_id}`)).body).toMatchObject({
      status: "failed",
      error: { code: "cap_exceeded", decision },
    });

    await patch(change("20.00"));
    expect((await add()).status).toBe(202);
    expect((await patch(change("5.00"))).body.usage.reserved).toBe("20.00");
    expect((await add()).body.decision).toEqual({
      ...decision,
      limit: "5.00",
      used: "20.00",
      remaining: "0.00",
    });
    expect((await add("free")).status).toBe(202);
    const { body } = await tenant.get(`/projects/${projectId}/services/${first.body.service.service_id}`);
    expect([body.status, await reserved()]).toEqual(["active", "20.00"]);
    await expectExactBudgets();
  });

  it.each<[string, object]>([
    ["the provider is set to null", { provider_caps: { "acme-db": null } }],
    ["all provider caps are set to null", { provider_caps: null }],
  ])("a provider's cap no longer applies after %s; the project's does", async (_how, change) => {
    const { patch, add } = await arrange({
      monthly_cap: "20.00",
      provider_caps: { "acme-db": "10.00", neon: "1.00" },
    });
    await add();
    expect((await add()).body.decision.rule_id).toBe("provider_cap");

    await patch(change);

    expect((await add()).status).toBe(202);
    expect((await add()).body.decision).toMatchObject({ rule_id: "project_cap", used: "20.00" });
    await patch({ monthly_cap: "100.00", provider_caps: { "acme-db": "25.00" } });
    expect((await add()).body.decision).toMatchObject({ rule_id: "provider_cap", limit: "25.00" });
  });

  it("a cap that is set before the provider's first service applies to that service", async () => {
    const { patch, add } = await arrange({ provider_caps: { "acme-db": "100.00" } });
    await patch({ provider_caps: { "acme-db": "9.99" } });
    expect((await add()).body.decision).toMatchObject({ rule_id: "provider_cap", used: "0.00" });

    await patch({ provider_caps: { "acme-db": "10.00" } });

    expect((await add()).status).toBe(202);
  });

  it("a lower cap reports each percentage that it reaches, once a month", async () => {
    const { projectId, patch, add, capEvents } = await arrange();
    await add();
    expect(await capEvents()).toEqual([]);

    await patch({ monthly_cap: "20.00" });
    await patch({ monthly_cap: "19.00", name: "renamed" });
    await patch({ monthly_cap: "0" });
    await patch({ monthly_cap: "100.00" });
    await patch({ monthly_cap: "10.00" });
    await patch({ provider_caps: { "acme-db": "1.00" } });

    const type = "project.cap_threshold_reached";
    const reached = (threshold_percent: number, monthly_cap: string) => ({
      project_id: projectId,
      threshold_percent,
      monthly_cap,
      spent: "0.00",
      reserved: "10.00",
      ...MONTH,
    });
    const expected = [reached(50, "20.00"), reached(80, "0.00"), reached(100, "0.00")];
    expect(await capEvents()).toEqual(expected.map((data) => ({ type, data })));
    const entries = await auditOf(harness.app, projectId);
    const written = entries.filter(({ action }) => action === type);
    expect(written.map(({ facts }) => facts)).toEqual(expected);
    expect(written.every(({ actor }) => actor.type === "developer")).toBe(true);
  });

  it("emails the developer about 80 and 100 percent, unless emails about caps are switched off", async () => {
    const { tenant, projectId, patch, add } = await arrange({ name: "shop" });
    const mails = async () => {
      await harness.deliverMails();
      return harness.mails.filter(({ to }) => to === `${tenant.tenantId}@example.com`);
    };
    await add();
    await patch({ monthly_cap: "20.00" });
    expect(await mails()).toEqual([]);

    await patch({ monthly_cap: "12.00" });
    await patch({ monthly_cap: "11.00" });

    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Your project shop has used 80 percent of its monthly cap");
    expect(mail?.text).toContain("has used 10.00 of the 12.00 USD of its monthly cap, 80 percent or more");
    expect(mail?.text).toContain("refused, or needs an approval, until 2026-12-01 (UTC)");
    expect(mail?.text).toContain(`/dashboard/live/projects/${projectId}\n`);

    await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      tx
        .updateTable("developers")
        .set({ notificationPreferences: JSON.stringify({ caps: false }) })
        .execute(),
    );
    await patch({ monthly_cap: "10.00" });
    expect(await mails()).toHaveLength(1);
  });

  it("a lower cap reports nothing if the project has no charges, or nothing changes", async () => {
    const empty = await arrange();
    await empty.patch({ monthly_cap: "0" });
    const { patch, add, capEvents } = await arrange({ monthly_cap: "50.00" });
    await add();

    await patch({ monthly_cap: "50.00" });
    await patch({ name: "renamed" });

    expect(await empty.capEvents()).toEqual([]);
    expect(await capEvents()).toEqual([]);
  });

  it("a refusal is reported at most once a minute, and each has an audit entry", async () => {
    const { projectId, patch, add, capEvents } = await arrange({ monthly_cap: "12.50" });
    await add();
    const serviceIds = async () =>
      (await services.heldFor(projectId)).services
        .filter(({ status }) => status === "failed")
        .map(({ service_id }) => service_id as string);

    await add();
    const [firstId] = await serviceIds();
    harness.clock.advanceSeconds(59);
    await add();
    await patch({ monthly_cap: "100.00", provider_caps: { "acme-db": "15.00" } });
    await add();
    harness.clock.advanceSeconds(1);
    await add();

    const blocked = {
      project_id: projectId,
      amount: "10.00",
      used: "10.00",
      currency: "usd",
      resets_at: RESETS_AT,
    };
    const lastId = (await serviceIds()).at(-1);
    const events = await capEvents();
    expect(events.map(({ type, data }) => [type, data.threshold_percent])).toEqual([
      ["project.cap_threshold_reached", 50],
      ["project.cap_threshold_reached", 80],
      ["project.cap_exceeded_blocked", undefined],
      ["project.cap_exceeded_blocked", undefined],
    ]);
    const byProject = { rule_id: "project_cap", provider: null, limit: "12.50" };
    const byProvider = { rule_id: "provider_cap", provider: "acme-db", limit: "15.00" };
    expect(events.slice(2).map(({ data }) => data)).toEqual([
      { ...blocked, ...byProject, cause: { type: "service", id: firstId } },
      { ...blocked, ...byProvider, cause: { type: "service", id: lastId } },
    ]);
    const entries = await auditOf(harness.app, projectId);
    const written = entries.filter(({ action }) => action === "project.cap_exceeded_blocked");
    expect(written.map(({ facts }) => facts)).toMatchObject([byProject, byProject, byProvider, byProvider]);
    expect(new Set(written.map(({ facts }) => JSON.stringify(facts["cause"]))).size).toBe(4);
  });

  it("20 refusals at once: one event, and 20 audit entries", async () => {
    const { projectId, add, capEvents } = await arrange({ monthly_cap: "9.99" });

    const answers = await Promise.all(Array.from({ length: 20 }, () => add()));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await capEvents()).map(({ type }) => type)).toEqual(["project.cap_exceeded_blocked"]);
    const entries = await auditOf(harness.app, projectId);
    const written = entries.filter(({ action }) => action === "project.cap_exceeded_blocked");
    expect(written).toHaveLength(20);
  });
});
