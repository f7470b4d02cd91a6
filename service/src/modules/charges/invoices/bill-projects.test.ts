import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { asSuperuser, auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../../../test/services.ts";
import { runDueWork } from "../../../due-work/run-due-work.ts";
import { applyVendorEvents } from "../../../workflows/apply-vendor-events.ts";
import { openNewMonths } from "../open-months.ts";
import { settleDueCharges } from "../settle-due-charges.ts";
import { refreshRefunds } from "./apply-invoice.ts";
import { billProjects, refreshOpenInvoices } from "./invoices.ts";
import { monthsToInvoice } from "./queries.ts";

const PROCESSOR_CALLS = [
  "PostInvoices",
  "PostInvoiceitems",
  "PostInvoicesInvoiceFinalize",
  "PostInvoicesInvoicePay",
] as const;

describe("invoices", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "1500" },
  });
  const services = servicesOf(harness);

  beforeAll(async () => {
    await services.callEachVendorOnce();
    // The simulator compiles an operation's schemas on its first call.
    const { projectId } = await arrange();
    moveTo("2026-12-01T01:00:00.000Z");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await runJobs().catch(() => {});
      if ((await invoicesOf(projectId))[0]?.state === "paid") return;
    }
  }, 60_000);

  function moveTo(time: string) {
    const seconds = (Date.parse(time) - harness.clock.now().getTime()) / 1_000;
    harness.clock.advanceSeconds(seconds);
  }

  async function turn() {
    await Promise.all([openNewMonths(harness.app), openNewMonths(harness.app)]);
    await Promise.all([settleDueCharges(harness.app), settleDueCharges(harness.app)]);
  }

  async function runJobs() {
    await turn();
    await billProjects(harness.app);
  }

  /** Creates a project with a card, and adds services with these plans of Acme DB on 21 November. */
  async function arrange(plans: readonly string[] = ["billed"], card = "pm_card_visa") {
    moveTo("2026-11-21T10:00:00.000Z");
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, { monthly_cap: "1000.00" });
    await services.attachCard(tenant, projectId, card);
    await services.linkByToken(tenant, projectId, "acme-db");
    const serviceIds: string[] = [];
    for (const plan of plans) serviceIds.push((await add(tenant, projectId, plan)).id);
    return { tenant, projectId, serviceIds };
  }

  async function add(tenant: Tenant, projectId: string, plan: string) {
    const name = `${plan}-${harness.clock.now().getTime()}-${Math.random()}`.slice(0, 40);
    const { status, body } = await services.add(tenant, projectId, {
      ...{ service: "acme-db/postgres", plan, name: name.replace(".", "-") },
    });
    return { status, body, id: body.service?.service_id as string };
  }

  const chargesOf = async (tenant: Tenant, projectId: string) =>
    (await tenant.get(`/projects/${projectId}/charges?limit=100`)).body.data as {
      charge_id: string;
      status: string;
      amount: string;
      type: string;
      billed_by: string;
      payment_id: string | null;
      period_start: string;
    }[];

  /** Returns `month status amount` of each charge, oldest month first. */
  const summaryOf = async (tenant: Tenant, projectId: string) =>
    (await chargesOf(tenant, projectId))
      .map(({ period_start, status, amount }) => `${period_start.slice(0, 7)} ${status} ${amount}`)
      .sort();

  const billingOf = async (tenant: Tenant, projectId: string) =>
    (await tenant.get(`/projects/${projectId}`)).body.billing;

  async function customerOf(projectId: string) {
    const objects = await harness.sandbox.objects("stripe");
    const found = objects.find(({ type, data }) => type === "customer" && JSON.stringify(data).includes(projectId));
    return found?.id ?? "";
  }

  /** Returns the project's invoices at the processor, oldest first, with the amounts of their items. */
  async function invoicesOf(projectId: string) {
    const objects = await harness.sandbox.objects("stripe");
    const customer = await customerOf(projectId);
    const dataOf = (data: unknown) => Object(data) as Record<string, unknown>;
    return objects
      .filter(({ type, data }) => type === "invoice" && dataOf(data)["customer"] === customer)
      .map(({ id, state }) => ({
        id,
        state,
        amounts: objects
          .filter(({ type, data }) => type === "invoiceitem" && dataOf(data)["invoice"] === id)
          .map(({ data }) => Number(dataOf(data)["amount"]))
          .sort((one, other) => one - other),
      }));
  }

  /** Returns the amounts in cents that the customer's card was charged. */
  async function paidCentsOf(projectId: string) {
    const customer = await customerOf(projectId);
    return (await harness.sandbox.objects("stripe"))
      .filter(({ type, state }) => type === "charge" && state === "succeeded")
      .filter(({ data }) => Object(data).customer === customer)
      .map(({ id, data }) => ({ id, cents: Number(Object(data).amount) }));
  }

  const expectExact = async (tenant: Tenant) => expect(await services.wrongBudgets(tenant)).toEqual([]);

  /** Returns the webhooks that were sent since the last call, oldest first. */
  function takeWebhooks() {
    return harness.webhooks.splice(0);
  }

  it("three months with several services: the processor is asked for the charges, to the cent", async () => {
    const { tenant, projectId, serviceIds } = await arrange([
      "billed",
      "billed",
      "billed-daily",
      "billed-usage",
      "standard",
    ]);

    moveTo("2026-12-01T02:00:00.000Z");
    await runJobs();
    moveTo("2026-12-10T12:00:00.000Z");
    await tenant.delete(`/projects/${projectId}/services/${serviceIds[2]}`);
    await tenant.delete(`/projects/${projectId}/services/${serviceIds[0]}`);
    moveTo("2027-01-01T02:00:00.000Z");
    await runJobs();
    moveTo("2027-02-01T02:00:00.000Z");
    await Promise.all([turn(), turn()]);
    await Promise.allSettled([billProjects(harness.app), billProjects(harness.app)]);
    await billProjects(harness.app);

    const charges = await chargesOf(tenant, projectId);
    const months = ["2026-11", "2026-12", "2027-01"];
    const expected = months.map((month) =>
      charges
        .filter(({ period_start, billed_by }) => period_start.startsWith(month) && billed_by === "purser")
        .map(({ amount }) => Math.round(Number(amount) * 100))
        .sort((one, other) => one - other),
    );
    // 31.00 for 21 to 30 November is a third of 31.00, rounded up; 1 to 10 December is 10/31 of it.
    expect(expected).toEqual([
      [500, 1034, 1234, 1234],
      [500, 1000, 1234, 1234],
      [500, 1234],
    ]);
    const invoices = await invoicesOf(projectId);
    expect(invoices.map(({ amounts }) => amounts)).toEqual(expected);
    expect(new Set(invoices.map(({ state }) => state))).toEqual(new Set(["paid"]));
    const sums = expected.map((amounts) => amounts.reduce((sum, cents) => sum + cents, 0));
    expect((await paidCentsOf(projectId)).map(({ cents }) => cents)).toEqual(sums);
    const past = charges.filter(({ period_start }) => !period_start.startsWith("2027-02"));
    expect(new Set(past.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
    const [billed] = past.filter(({ billed_by }) => billed_by === "purser");
    expect(billed?.payment_id).toBe(invoices[2]?.id);
    const events = await eventsOf(harness.app, billed?.charge_id ?? "");
    expect(events.map(({ type }) => type)).toEqual(["charge.succeeded"]);
    expect(events[0]?.data).toMatchObject({ status: "succeeded", billed_by: "purser" });
    await expectExact(tenant);
  });

  it("a charge is pending from the end of its month until its invoice is paid", async () => {
    const { tenant, projectId } = await arrange();
    moveTo("2026-12-01T00:00:00.000Z");
    await turn();
    expect(await summaryOf(tenant, projectId)).toEqual(["2026-11 pending 12.34", "2026-12 reserved 12.34"]);
    expect((await tenant.get(`/projects/${projectId}`)).body.usage.spent).toBe("0.00");

    await billProjects(harness.app);

    expect(await summaryOf(tenant, projectId)).toEqual(["2026-11 succeeded 12.34", "2026-12 reserved 12.34"]);
    await expectExact(tenant);
  });

  it("the preview of a deletion shows what is owed until its invoice is paid", async () => {
    const plans = ["billed", "billed-daily", "standard"];
    const { tenant, projectId, serviceIds } = await arrange(plans, "pm_card_chargeCustomerFail");
    const preview = async () =>
      (await tenant.post(`/projects/${projectId}/delete-preview`)).body.charges
        .map(
          ({ period_start, billed_by, amount }: Record<string, string>) =>
            `${period_start?.slice(0, 7)} ${billed_by} ${amount}`,
        )
        .sort();
    await tenant.delete(`/projects/${projectId}/services/${serviceIds[1]}`);
    const november = ["2026-11 purser 1.04", "2026-11 purser 12.34"];
    expect(await preview()).toEqual([...november, "2026-11 vendor 10.00"]);

    moveTo("2026-12-01T01:00:00.000Z");
    await turn();
    const december = ["2026-12 purser 12.34", "2026-12 vendor 10.00"];
    expect(await preview()).toEqual([...november, ...december]);

    await billProjects(harness.app);
    expect((await summaryOf(tenant, projectId))[0]).toBe("2026-11 failed 1.04");
    expect(await preview()).toEqual([...november, ...december]);

    await services.attachCard(tenant, projectId);
    await billProjects(harness.app);
    expect(await preview()).toEqual(december);
  });

  it("an invoice waits until all charges of its month are settled", async () => {
    const { projectId } = await arrange(["billed", "billed-usage"]);
    moveTo("2026-12-01T00:30:00.000Z");
    await runJobs();
    expect(await invoicesOf(projectId)).toEqual([]);

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs();

    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid", amounts: [500, 1234] }]);
  });

  /** Sets the amounts of the project's settled charges. The plans of Acme DB cost more than the processor's minimum. */
  const setPending = (projectId: string, cents: number) =>
    services.rows(
      "update charges set amount_cents = $2 where project_id = $1 and status = 'pending' and invoice_id is null",
      [projectId, cents],
    );
  const customersAt = async (projectId: string) =>
    (await harness.sandbox.objects("stripe")).filter(
      ({ type, data }) => type === "customer" && JSON.stringify(data).includes(projectId),
    );

  it("a month below 0.50 is not invoiced, and is on the next month's invoice", async () => {
    const { tenant, projectId } = await arrange();
    moveTo("2026-12-01T01:00:00.000Z");
    await turn();
    const currentStart = new Date("2026-12-01T00:00:00.000Z");
    const months = async () => {
      let count = 0;
      for await (const month of monthsToInvoice(harness.app.db, currentStart, 50n)) {
        if (month.projectId === projectId) count += 1;
      }
      return count;
    };
    expect(await months()).toBe(1);
    await setPending(projectId, 49);
    expect(await months()).toBe(0);
    await billProjects(harness.app);
    expect(await invoicesOf(projectId)).toEqual([]);
    expect((await summaryOf(tenant, projectId))[0]).toBe("2026-11 pending 0.49");

    moveTo("2027-01-01T01:00:00.000Z");
    await runJobs();

    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid", amounts: [49, 1_234] }]);
    expect(await paidCentsOf(projectId)).toMatchObject([{ cents: 1_283 }]);
    expect((await summaryOf(tenant, projectId))[0]).toBe("2026-11 succeeded 0.49");
    expect(await customersAt(projectId)).not.toMatchObject([{ data: { balance: 49 } }]);
  });

  it("deletion: what is left of several months is invoiced together, and waived below 0.50", async () => {
    for (const [cents, status] of [
      [25, "succeeded"],
      [20, "released"],
    ] as const) {
      const { tenant, projectId } = await arrange();
      moveTo("2026-12-01T01:00:00.000Z");
      await turn();
      await setPending(projectId, cents);
      await billProjects(harness.app);
      await tenant.delete(`/projects/${projectId}`);
      await turn();
      await setPending(projectId, cents);

      await billProjects(harness.app);

      const invoices = status === "released" ? [] : [{ state: "paid", amounts: [25, 25] }];
      expect(await invoicesOf(projectId)).toMatchObject(invoices);
      const rows = await services.rows("select status from charges where project_id = $1", [projectId]);
      expect(rows).toEqual([{ status }, { status }]);
      expect(await customersAt(projectId)).toMatchObject([{ state: "deleted" }]);
    }
  });

  it("402: a declined invoice makes billing past_due; another card pays it and makes billing ready", async () => {
    const { tenant, projectId } = await arrange(["billed"], "pm_card_chargeCustomerFail");
    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs();
    await runJobs();

    expect((await summaryOf(tenant, projectId))[0]).toBe("2026-11 failed 12.34");
    expect((await billingOf(tenant, projectId)).status).toBe("past_due");
    const refused = await add(tenant, projectId, "billed");
    expect([refused.status, refused.body.code]).toEqual([402, "payment_method_required"]);
    expect(refused.body.detail).toContain("an invoice of the project could not be paid");
    expect((await add(tenant, projectId, "free")).status).toBe(202);
    const [failed] = (await chargesOf(tenant, projectId)).filter(({ status }) => status === "failed");
    const chargeId = failed?.charge_id ?? "";
    expect((await eventsOf(harness.app, chargeId)).map(({ type }) => type)).toEqual(["charge.failed"]);
    // What runs goes on.
    moveTo("2026-12-02T00:00:00.000Z");
    await runJobs();
    expect(await summaryOf(tenant, projectId)).toContain("2026-12 reserved 12.34");
    expect(await invoicesOf(projectId)).toMatchObject([{ state: "open" }]);

    await services.attachCard(tenant, projectId);
    expect((await billingOf(tenant, projectId)).status).toBe("past_due");
    await billProjects(harness.app);

    expect((await summaryOf(tenant, projectId))[0]).toBe("2026-11 succeeded 12.34");
    expect((await billingOf(tenant, projectId)).status).toBe("ready");
    expect((await eventsOf(harness.app, chargeId)).map(({ type }) => type)).toEqual([
      "charge.failed",
      "charge.succeeded",
    ]);
    expect((await add(tenant, projectId, "billed")).status).toBe(202);
    expect(await paidCentsOf(projectId)).toMatchObject([{ cents: 1_234 }]);
  });

  it.each(
    PROCESSOR_CALLS.flatMap((operation) =>
      (["timeout_applied", "timeout_lost", "error_applied", "duplicate"] as const).map(
        (outcome) => [operation, outcome] as const,
      ),
    ),
  )("%s ends with %s: one invoice, each charge once, paid once", async (operation, outcome) => {
    const { tenant, projectId } = await arrange(["billed", "billed"]);
    moveTo("2026-12-01T01:00:00.000Z");
    await turn();
    harness.sandbox.force({ vendor: "stripe", operation, outcome, times: 1 });

    await billProjects(harness.app).catch(() => {});
    // Longer than the processor remembers idempotency keys.
    await forgetIdempotencyKeys();
    await billProjects(harness.app);

    expect(await services.outcomesLeft()).toEqual([]);
    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid", amounts: [1_234, 1_234] }]);
    expect(await paidCentsOf(projectId)).toMatchObject([{ cents: 2_468 }]);
    expect((await summaryOf(tenant, projectId)).slice(0, 2)).toEqual([
      "2026-11 succeeded 12.34",
      "2026-11 succeeded 12.34",
    ]);
  });

  const inSandbox = (statement: string) =>
    asSuperuser(harness.sandbox.databaseUrl, (client) => client.query(statement));

  async function forgetIdempotencyKeys() {
    // The simulator derives ids from the keys, so the objects that exist get others.
    await inSandbox(`
      delete from vendor_objects where type = 'idempotency_key';
      update vendor_objects set data = jsonb_set(data, '{invoice}', to_jsonb(data ->> 'invoice' || '0'))
        where type = 'invoiceitem' and data ->> 'invoice' in
          (select id from vendor_objects where type = 'invoice' and state = 'draft');
      update vendor_objects set id = id || '0'
        where type = 'invoiceitem' or (type = 'invoice' and state = 'draft')`);
  }

  it("an invoice whose total differs from its charges is not finalized", async () => {
    const { tenant, projectId } = await arrange();
    moveTo("2026-12-01T01:00:00.000Z");
    await turn();
    harness.sandbox.force({
      ...{ vendor: "stripe", operation: "PostInvoicesInvoiceFinalize" },
      ...{ outcome: "timeout_lost", times: 1 },
    });
    await billProjects(harness.app).catch(() => {});
    const [invoice] = await invoicesOf(projectId);
    await services.callStripe("invoiceitems", {
      ...{ customer: await customerOf(projectId), invoice: invoice?.id ?? "" },
      ...{ amount: "1", currency: "usd" },
    });

    await expect(billProjects(harness.app)).rejects.toThrow("is the sum of its charges");

    expect(await invoicesOf(projectId)).toMatchObject([{ state: "draft", amounts: [1, 1_234] }]);
    expect((await summaryOf(tenant, projectId))[0]).toBe("2026-11 pending 12.34");
    await inSandbox("delete from vendor_objects where data->>'amount' = '1'");
    await billProjects(harness.app);
    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid" }]);
  });

  it("webhooks that are doubled, reordered, late and tampered change nothing", async () => {
    const { tenant, projectId } = await arrange(["billed"], "pm_card_chargeCustomerFail");
    moveTo("2026-12-01T01:00:00.000Z");
    takeWebhooks();
    await runJobs();
    await services.attachCard(tenant, projectId);
    await billProjects(harness.app);
    const sent = takeWebhooks();
    expect(sent.map(({ body }) => JSON.parse(body).type)).toEqual(
      expect.arrayContaining(["invoice.finalized", "invoice.payment_failed", "invoice.paid"]),
    );
    const before = [await chargesOf(tenant, projectId), await billingOf(tenant, projectId)];

    const answers = await Promise.all([...sent.toReversed(), ...sent].map((webhook) => harness.deliver(webhook)));
    const [first] = sent;
    const tampered = first && { ...first, body: first.body.replace(/"amount_due": \d+/, "") };
    await runDueWork(harness.app, applyVendorEvents);
    harness.clock.advanceSeconds(301);
    const late = first && (await harness.deliver(first));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(late?.status).toBe(401);
    expect(tampered && (await harness.deliver(tampered)).status).toBe(401);
    expect([await chargesOf(tenant, projectId), await billingOf(tenant, projectId)]).toEqual(before);
    expect(await services.rows("select 1 from due_work where kind = 'apply-vendor-events'")).toEqual([]);
  });

  it.each(["webhook", "hourly look"])(
    "an invoice that the processor pays or voids later is known by a %s",
    async (way) => {
      const paid = await arrange(["billed"], "pm_card_chargeCustomerFail");
      const voided = await arrange(["billed"], "pm_card_chargeCustomerFail");
      moveTo("2026-12-01T01:00:00.000Z");
      await runJobs();
      takeWebhooks();
      const [open] = await invoicesOf(paid.projectId);
      const [owed] = await invoicesOf(voided.projectId);
      await services.callStripe("payment_methods/pm_card_visa/attach", {
        customer: await customerOf(paid.projectId),
      });
      const methods = (await harness.sandbox.objects("stripe")).filter(({ type }) => type === "payment_method");
      await services.callStripe(`customers/${await customerOf(paid.projectId)}`, {
        "invoice_settings[default_payment_method]": methods.at(-1)?.id ?? "",
      });
      await services.callStripe(`invoices/${open?.id}/pay`);
      await services.callStripe(`invoices/${owed?.id}/void`);

      if (way === "webhook") {
        for (const webhook of takeWebhooks()) await harness.deliver(webhook);
        await runDueWork(harness.app, applyVendorEvents);
      } else await refreshOpenInvoices(harness.app);

      expect((await summaryOf(paid.tenant, paid.projectId))[0]).toBe("2026-11 succeeded 12.34");
      expect((await summaryOf(voided.tenant, voided.projectId))[0]).toBe("2026-11 released 12.34");
      for (const { tenant, projectId } of [paid, voided]) {
        expect((await billingOf(tenant, projectId)).status).toBe("ready");
      }
    },
  );

  it("a refund whose report was lost is known by a daily look, once", async () => {
    const { tenant, projectId } = await arrange();
    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs();
    moveTo("2027-01-01T01:00:00.000Z");
    await runJobs();
    const [{ id: charge = "" } = {}] = await paidCentsOf(projectId);
    await services.callStripe("refunds", { charge, amount: "200" });
    takeWebhooks();

    await Promise.all([refreshRefunds(harness.app), refreshRefunds(harness.app)]);
    await refreshRefunds(harness.app);

    const refunds = (await chargesOf(tenant, projectId)).filter(({ type }) => type === "refund");
    expect(refunds).toMatchObject([{ amount: "-2.00", payment_id: charge }]);
  });

  it("a refund is a charge with a negative amount, once however often it is reported", async () => {
    const { tenant, projectId } = await arrange();
    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs();
    takeWebhooks();
    const [{ id: charge = "" } = {}] = await paidCentsOf(projectId);
    await services.callStripe("refunds", { charge, amount: "234" });
    await services.callStripe("refunds", { charge, amount: "100" });

    for (const webhook of takeWebhooks().toReversed()) {
      await harness.deliver(webhook);
      await Promise.all([runDueWork(harness.app, applyVendorEvents), runDueWork(harness.app, applyVendorEvents)]);
    }

    const refunds = (await chargesOf(tenant, projectId)).filter(({ type }) => type === "refund");
    expect(refunds).toMatchObject([
      {
        amount: "-3.34",
        status: "succeeded",
        provider: null,
        service_id: null,
        payment_id: charge,
      },
    ]);
    const events = await eventsOf(harness.app, refunds[0]?.charge_id ?? "");
    expect(events).toMatchObject([{ type: "charge.refunded", data: refunds[0] }]);
    await services.callStripe("refunds", { charge });
    for (const webhook of takeWebhooks()) await harness.deliver(webhook);
    await runDueWork(harness.app, applyVendorEvents);
    expect(
      (await chargesOf(tenant, projectId)).filter(({ type }) => type === "refund").map(({ amount }) => amount),
    ).toEqual(["-9.00", "-3.34"]);
    await expectExact(tenant);
  });

  it("a deleted project's customer stays until its last invoice is paid", async () => {
    const { tenant, projectId } = await arrange(["billed-daily", "billed-usage"]);
    const customer = await customerOf(projectId);

    await tenant.delete(`/projects/${projectId}`);
    await services.allEnded(projectId);
    const [{ kept }] = await services.rows("select customer_id as kept from project_billing where project_id = $1", [
      projectId,
    ]);
    expect(kept).toBe(customer);
    await runJobs();
    expect(await invoicesOf(projectId)).toEqual([]);
    expect(await services.customersOf(projectId)).toHaveLength(1);

    harness.clock.advanceSeconds(3_601);
    await runJobs();

    // One day of 31.00 a month with 30 days, and a thirtieth of the estimated use of 5.00.
    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid", amounts: [17, 104] }]);
    expect(await services.customersOf(projectId)).toEqual([]);
    const actions = (await auditOf(harness.app, projectId)).map(({ action }) => action);
    expect(actions.slice(-1)).toEqual(["payment_customer.deleted"]);
    expect(await services.rows("select 1 from project_billing where project_id = $1", [projectId])).toEqual([]);
  });

  it("the deletion's report names the customer that stays", async () => {
    const { tenant, projectId } = await arrange();
    const customer = await customerOf(projectId);

    const { status, body } = await tenant.delete(`/projects/${projectId}`);

    expect([status, body.status, body.kept_customer_id]).toEqual([200, "deleted", customer]);
  });
});
