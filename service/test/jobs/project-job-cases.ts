import { withTransaction } from "../../src/db/transaction.ts";
import type { OperationId, TenantId } from "../../src/foundation/ids.ts";
import { planChangeRows } from "../../src/modules/services/plan-change/queries.ts";
import type { useHarness } from "../harness.ts";
import { asSuperuser, seedBilling, seedCharge, seedLink, seedOperation, seedService } from "../project-seeds.ts";

/** The values of a row as SQL, by column. */
type Row = Readonly<Record<string, string>>;

/** The functions of `jobs.test.ts` that insert rows and look for them. */
interface Rows {
  at(seconds: number): string;
  row(table: string, values: Row): Promise<unknown>;
  rows(count: number, table: string, values: Row): string;
  dueWork(tenant: string, kind: string, subject: string, dueAt: string): Row;
  finds(text: string): Promise<boolean>;
  /** The rows that the database does not accept, as SQL. */
  readonly failingCharge: Row;
}

const DAY = 86_400;

/** The cases of the jobs for projects: their catalogs, links, plans and bills. */
export function projectJobCases(
  harness: ReturnType<typeof useHarness>,
  { at, row, rows, finds, failingCharge, dueWork }: Rows,
) {
  const invoice = (tenant: string, status: "preparing" | "open" | "paid", processorId: string): Row => ({
    tenant_id: tenant,
    invoice_id: "n",
    project_id: tenant,
    mode: "'live'",
    period_start: at(-62 * DAY),
    amount_cents: "1",
    customer_id: "'cus_none'",
    processor_invoice_id: processorId,
    status: `'${status}'`,
    created_at: at(0),
    updated_at: at(0),
  });
  const event = (id: string, objectType: string, receivedAt: string): Row => ({
    vendor: "'stripe'",
    mode: "'live'",
    event_id: id,
    type: "'charge.refunded'",
    object_type: `'${objectType}'`,
    object_id: id,
    received_at: receivedAt,
  });
  const reported = (objectType: string, objectId: string, dueAt: string) =>
    dueWork(
      "'sys_operator'",
      "apply-vendor-events",
      `json_build_array('stripe', 'live', '${objectType}', ${objectId})::text`,
      dueAt,
    );
  const newCustomer = async (tenantId: TenantId) => {
    const billing = harness.app.billing.live;
    const { customerId } = await billing.createCustomer({
      ...{ name: "seeded", metadata: {}, idempotencyKey: `customer ${tenantId}` },
    });
    return customerId;
  };
  /** Makes an invoice at the processor and returns its id. It is paid, because its amount is 0. */
  const makeInvoice = async (tenantId: TenantId, customerId: string) => {
    const billing = harness.app.billing.live;
    const named = { reference: tenantId, description: "seeded" };
    await billing.findInvoice({ customerId, reference: tenantId });
    const draft = { customerId, ...named, idempotencyKey: `draft ${tenantId}` };
    const { invoiceId } = await billing.createInvoice(draft);
    const item = { ...draft, invoiceId, amountCents: 0n, idempotencyKey: `item ${tenantId}` };
    await billing.addInvoiceItem(item);
    await billing.listInvoiceReferences(invoiceId);
    await billing.readInvoice(invoiceId);
    await billing.finalizeInvoice({ invoiceId, idempotencyKey: `final ${tenantId}` });
    return invoiceId;
  };
  const hasInvoice = (condition: string) => (tenantId: TenantId) =>
    finds(`select from invoices where tenant_id = '${tenantId}' and ${condition}`);

  const cases = {
    "refresh-catalogs": {
      seed: () => asSuperuser(harness.database.superuserUrl, (client) => client.query("delete from provider_catalogs")),
      isDone: () => finds("select from provider_catalogs"),
    },
    "change-pending-plans": {
      seed: async (tenantId: TenantId) => {
        const { post } = await harness.seedKey(tenantId);
        const { body } = await post("/projects", { name: "changed" });
        const project = { tenantId, projectId: body.project_id };
        const createdAt = harness.clock.now();
        const pending = { pendingPlan: "launch", pendingPlanAt: createdAt };
        const serviceId = await seedService(harness.app, { ...project, ...pending });
        const operation = { type: "service.upgrade" as const, status: "succeeded" as const };
        const seeded = { ...project, ...operation, serviceId };
        const operationId = await seedOperation(harness.app, seeded);
        await withTransaction(harness.app.db, tenantId, (tx) =>
          planChangeRows.insert(tx, {
            ...{ tenantId, serviceId, createdAt, agentId: null, timing: "scheduled" },
            ...{ operationId: operationId as OperationId, previousPlan: "free", plan: "launch" },
            ...{ priceCents: 0n, preauthorizationCents: 500n, billedBy: "vendor" },
          }),
        );
      },
      isDone: (tenantId: TenantId) =>
        finds(`select from service_plan_changes where tenant_id = '${tenantId}' and timing = 'turn'`),
    },
    "retire-credentials": {
      seed: async (tenantId: TenantId) => {
        const { post } = await harness.seedKey(tenantId);
        const { body } = await post("/projects", { name: "rotated" });
        // The service's former credential is retired already.
        const serviceId = await seedService(harness.app, { tenantId, projectId: body.project_id, env: { A: "1" } });
        await row("due_work", dueWork(`'${tenantId}'`, "retire-credentials", `'${serviceId}'`, at(0)));
      },
      isDone: async (tenantId: TenantId) =>
        !(await finds(`select from due_work where tenant_id = '${tenantId}' and kind = 'retire-credentials'`)),
    },
    "revoke-tokens": {
      seed: async (tenantId: TenantId) => {
        const { post } = await harness.seedKey(tenantId);
        const { body } = await post("/projects", { name: "unlinked" });
        const link = { tenantId, projectId: body.project_id, status: "revoked" as const };
        const linkId = await seedLink(harness.app, link);
        await row("token_revocations", {
          ...{ tenant_id: `'${tenantId}'`, link_id: `'${linkId}'`, version: "0" },
          ...{ access_sealed: "'\\x00'", created_at: at(0) },
        });
        await row("due_work", dueWork(`'${tenantId}'`, "revoke-tokens", `'${linkId} 0'`, at(0)));
      },
      isDone: async (tenantId: TenantId) =>
        !(await finds(`select from token_revocations where tenant_id = '${tenantId}'`)),
    },
    "bill-projects": {
      seed: async (tenantId: TenantId) => {
        const { post } = await harness.seedKey(tenantId);
        const { body } = await post("/projects", { name: "billed" });
        const project = { tenantId, projectId: body.project_id as string };
        const customerId = await newCustomer(tenantId);
        await seedBilling(harness.app, { ...project, customerId, status: "requires_action" });
        await seedCharge(harness.app, {
          ...{ ...project, amountCents: 100n, status: "pending", billedBy: "purser" },
          occurredAt: new Date(harness.clock.now().getTime() - 62 * DAY * 1_000),
        });
      },
      isDone: hasInvoice("status = 'open'"),
      crowd: () =>
        rows(101, "charges", { ...failingCharge, status: "'pending'", billed_by: "'purser'" }) +
        rows(101, "invoices", invoice("crowd", "preparing", "null")),
    },
    "refresh-open-invoices": {
      seed: async (tenantId: TenantId) => {
        const invoiceId = await makeInvoice(tenantId, await newCustomer(tenantId));
        await row("invoices", invoice(`'${tenantId}'`, "open", `'${invoiceId}'`));
      },
      isDone: hasInvoice("status = 'paid'"),
      crowd: () => rows(101, "invoices", invoice("crowd", "open", "'in_' || n")),
    },
    "refresh-refunds": {
      seed: async (tenantId: TenantId) => {
        const customerId = await newCustomer(tenantId);
        const chargeId = `ch_${tenantId}`;
        const data = { livemode: true, customer: customerId, invoice: "in_none", amount: 100 };
        const refunded = { ...data, amountRefunded: 40, paymentMethod: "pm_none" };
        await asSuperuser(harness.sandbox.databaseUrl, (client) =>
          client.query(
            "insert into vendor_objects (vendor, type, id, state, data, created_at) values ('stripe', 'charge', $1, 'succeeded', $2, now())",
            [chargeId, refunded],
          ),
        );
        const { post } = await harness.seedKey(tenantId);
        const { body } = await post("/projects", { name: "refunded" });
        await row("invoices", {
          ...invoice(`'${tenantId}'`, "paid", "'in_none'"),
          ...{ project_id: `'${body.project_id}'`, customer_id: `'${customerId}'` },
        });
      },
      isDone: (tenantId: TenantId) =>
        finds(`select from charges where tenant_id = '${tenantId}' and amount_cents = -40`),
    },
    "apply-vendor-events": {
      seed: (tenantId: TenantId) => row("due_work", reported("invoice", `'${tenantId}'`, at(-1))),
      isDone: async (tenantId: TenantId) => !(await finds(`select from due_work where subject like '%${tenantId}%'`)),
      // The processor has no such charges.
      crowd: () => rows(101, "due_work", reported("charge", "crowd", at(-2))),
    },
    "purge-expired-rows: vendor_events": {
      seed: (tenantId: TenantId) => row("vendor_events", event(`'${tenantId}'`, "invoice", at(-31 * DAY))),
      isDone: async (tenantId: TenantId) => !(await finds(`select from vendor_events where event_id = '${tenantId}'`)),
    },
  };
  /**
   * Makes each type of call that the jobs make. The simulator compiles an operation's schemas on its first call, which takes
   * seconds on a busy machine.
   */
  const callProcessorOnce = async () => {
    const tenantId = "dev_first";
    const customerId = await newCustomer(tenantId);
    await makeInvoice(tenantId, customerId);
    await harness.app.billing.live.listCharges(customerId);
  };
  return { cases, callProcessorOnce, oldEvent: () => event("n", "invoice", at(-31 * DAY)) };
}
