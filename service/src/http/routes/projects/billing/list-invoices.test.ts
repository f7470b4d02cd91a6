import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../../../test/approvals/seed-approval.ts";
import { type AnyBody, useHarness } from "../../../../../test/harness.ts";
import { seedCharge } from "../../../../../test/project-seeds.ts";
import type { App } from "../../../../app.ts";
import type { Schema } from "../../../../db/schema.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { newId, type ProjectId, type TenantId } from "../../../../foundation/ids.ts";
import { periodOf } from "../../../../modules/projects/usage.ts";

/** Inserts an open invoice of a live project, with charges of these amounts on it. */
async function seedInvoice(
  app: Pick<App, "db" | "clock">,
  {
    tenantId,
    projectId,
    chargedCents = [500n],
    ...invoice
  }: { readonly tenantId: TenantId; readonly projectId: string } & {
    readonly chargedCents?: readonly bigint[];
  } & Partial<Omit<Insertable<Schema["invoices"]>, "tenantId" | "projectId">>,
): Promise<string> {
  const invoiceId = newId("inv");
  const at = app.clock.now();
  const row = { tenantId, projectId: projectId as ProjectId, invoiceId, mode: "live" as const };
  await withTransaction(app.db, tenantId, (tx) =>
    tx
      .insertInto("invoices")
      .values({
        ...{ ...row, customerId: "cus_seeded", processorInvoiceId: `in_${invoiceId}`, status: "open" },
        periodStart: periodOf(at).start,
        amountCents: chargedCents.reduce((sum, cents) => sum + cents, 0n),
        ...{ createdAt: at, updatedAt: at },
        ...invoice,
      })
      .execute(),
  );
  for (const amountCents of chargedCents) {
    await seedCharge(app, {
      tenantId,
      projectId,
      amountCents,
      invoiceId,
      billedBy: "purser",
      // Counts in no cap, so it needs no reservation.
      status: "failed",
      mode: invoice.mode ?? "live",
    });
  }
  return invoiceId;
}

describe("GET /invoices and GET /projects/{project_id}/invoices", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const newProject = async (name: string = randomUUID()) => {
      const { project_id: projectId } = (await tenant.post("/projects", { name })).body;
      return {
        projectId: projectId as string,
        invoice: (rest: object = {}) => {
          harness.clock.advanceSeconds(1);
          return seedInvoice(harness.app, { tenantId, projectId, ...rest });
        },
        list: (query = "") => tenant.get(`/projects/${projectId}/invoices${query}`),
      };
    };
    return { tenant, tenantId, newProject, list: (query = "") => tenant.get(`/invoices${query}`) };
  }

  const idsOf = ({ body }: { readonly body: AnyBody }): string[] =>
    body.data.map(({ invoice_id }: AnyBody) => invoice_id);

  it("200: returns every field of an invoice, with its charges", async () => {
    const { newProject, list } = await arrange();
    const { projectId, invoice, list: listOfProject } = await newProject("Shop");
    const id = await invoice({ chargedCents: [1_205n, -200n] });
    const at = harness.clock.now().toISOString();

    const { status, body } = await list();

    const charge = { charge_id: expect.stringMatching(/^ch_/), description: "launch" };
    expect([status, body]).toEqual([
      200,
      {
        object: "list",
        data: [
          {
            ...{ object: "invoice", invoice_id: id, mode: "live", project_id: projectId, project_name: "Shop" },
            ...{ period: at.slice(0, 7), status: "open", past_due: false, currency: "usd", amount: "10.05" },
            charges: [
              { ...charge, amount: "12.05" },
              { ...charge, amount: "-2.00" },
            ],
            has_more_charges: false,
            processor_invoice_id: `in_${id}`,
            ...{ created_at: at, updated_at: at, paid_at: null },
          },
        ],
        ...{ has_more: false, next_cursor: null },
      },
    ]);
    expect((await listOfProject()).body).toEqual(body);
  });

  it("200: a paid invoice has paid_at; one that is being prepared has no id at the payment processor", async () => {
    const { newProject, list } = await arrange();
    const { invoice } = await newProject();
    const paidAt = new Date(harness.clock.now().getTime() + 60_000);
    await invoice({ status: "paid", updatedAt: paidAt });
    await invoice({ status: "preparing", processorInvoiceId: null });
    await invoice({ pastDue: true });

    expect((await list()).body.data).toMatchObject([
      { status: "open", past_due: true, paid_at: null },
      { status: "preparing", processor_invoice_id: null, paid_at: null },
      { status: "paid", paid_at: paidAt.toISOString() },
    ]);
  });

  it("200: at most 50 charges of an invoice", async () => {
    const { newProject, list } = await arrange();
    const { invoice } = await newProject();
    await invoice({ chargedCents: Array.from({ length: 51 }, () => 1n) });
    await invoice({ chargedCents: Array.from({ length: 50 }, () => 1n) });

    const { data } = (await list()).body;

    expect(data.map(({ charges, has_more_charges }: AnyBody) => [charges.length, has_more_charges])).toEqual([
      [50, false],
      [50, true],
    ]);
  });

  it("200: newest first, page by page, of all projects or of one", async () => {
    const { newProject, list } = await arrange();
    const [shop, blog] = [await newProject(), await newProject()];
    const ids = [await shop.invoice(), await blog.invoice(), await shop.invoice()].reverse();

    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);

    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect([first.body.has_more, second.body.has_more]).toEqual([true, false]);
    expect(idsOf(await shop.list())).toEqual([ids[0], ids[2]]);
    expect(idsOf(await shop.list(`?cursor=${(await shop.list("?limit=1")).body.next_cursor}`))).toEqual([ids[2]]);
  });

  it("200: invoices and charges of a deleted project stay readable", async () => {
    const { tenant, newProject, list } = await arrange();
    const { projectId, invoice, list: listOfProject } = await newProject("Old shop");
    const id = await invoice({ status: "paid" });
    expect((await tenant.delete(`/projects/${projectId}`)).status).toBe(200);

    expect((await list()).body.data).toMatchObject([{ invoice_id: id, project_name: "Old shop" }]);
    expect(idsOf(await listOfProject())).toEqual([id]);
    const charges = await tenant.get(`/projects/${projectId}/charges`);
    expect([charges.status, charges.body.data]).toMatchObject([200, [{ amount: "5.00" }]]);
    expect((await tenant.get(`/projects/${projectId}`)).status).toBe(404);
  });

  it("only of the tenant, the mode and the key's projects; 404: a foreign project, also a deleted one", async () => {
    const { tenant, tenantId, newProject, list } = await arrange();
    const [shop, blog] = [await newProject(), await newProject()];
    const [id] = [await shop.invoice(), await blog.invoice()];
    const other = await arrange();
    const foreign = await other.newProject();
    await foreign.invoice();
    await other.tenant.delete(`/projects/${foreign.projectId}`);
    const test = await harness.seedKey(tenantId, { mode: "test" });
    const bound = await harness.seedKey(tenantId, { projectIds: [shop.projectId] });

    expect(idsOf(await list())).toHaveLength(2);
    expect(idsOf(await test.get("/invoices"))).toEqual([]);
    expect(idsOf(await bound.get("/invoices"))).toEqual([id]);
    await tenant.delete(`/projects/${blog.projectId}`);
    for (const refused of [
      await tenant.get(`/projects/${foreign.projectId}/invoices`),
      await tenant.get(`/projects/${foreign.projectId}/charges`),
      await test.get(`/projects/${shop.projectId}/invoices`),
      await test.get(`/projects/${blog.projectId}/charges`),
      await bound.get(`/projects/${blog.projectId}/charges`),
      await bound.get(`/projects/${blog.projectId}/invoices`),
      await tenant.get("/projects/proj_01hf7yat00rm3czb8yy5nw42xz/invoices"),
    ]) {
      expect(outcomeOf(refused)).toEqual([404, "project_not_found"]);
    }
  });

  it("422: a wrong cursor or limit", async () => {
    const { list } = await arrange();

    for (const query of ["?limit=0", "?limit=101", "?cursor=x", "?status=paid"]) {
      expect((await list(query)).status).toBe(422);
    }
  });
});
