import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { servicesOf, type Tenant, until } from "../../../../test/services.ts";
import { runDueWork } from "../../../due-work/run-due-work.ts";
import { applyVendorEvents } from "../../../workflows/apply-vendor-events.ts";

describe("webhooks about payment methods", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  beforeAll(services.callEachVendorOnce);

  async function arrange() {
    const tenant = await harness.seedTenant();
    return { tenant, projectId: await services.newProject(tenant) };
  }

  const billingOf = async (tenant: Tenant, projectId: string) =>
    (await tenant.get(`/projects/${projectId}`)).body.billing;

  /** Delivers what the processor has reported, and works it off. */
  async function deliver() {
    await until(
      async () => harness.webhooks.length,
      (count) => count > 0,
    );
    for (const webhook of harness.webhooks.splice(0)) await harness.deliver(webhook);
    await until(
      () => runDueWork(harness.app, applyVendorEvents).catch(() => 1),
      (count) => count === 0,
    );
  }

  async function attachWaiting(tenant: Tenant, projectId: string): Promise<string> {
    const attach = () =>
      tenant.post(`/projects/${projectId}/billing/payment-methods`, {
        payment_method_id: "pm_card_authenticationRequired",
        return_url: "https://shop.example/back",
      });
    const answer = await until(attach, ({ status }) => status !== 503);
    return answer.body.setup_intent.next_action.url;
  }

  const decide = (url: string, decision: "complete" | "fail") =>
    fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `decision=${decision}`,
    });

  it("billing is ready as soon as the card's owner has confirmed it at the bank", async () => {
    const { tenant, projectId } = await arrange();
    const url = await attachWaiting(tenant, projectId);
    expect((await billingOf(tenant, projectId)).status).toBe("requires_action");
    await decide(url, "complete");

    await deliver();

    const { status, default_payment_method: method } = await billingOf(tenant, projectId);
    expect(status).toBe("ready");
    expect((await auditOf(harness.app, projectId)).map(({ action }) => action)).toContain("payment_method.ready");
    const events = await eventsOf(harness.app, method.id);
    expect(events.map(({ type }) => type)).toEqual(["payment_method.requires_action", "payment_method.attached"]);
  });

  it("billing requires another payment method if the card's owner did not confirm it", async () => {
    const { tenant, projectId } = await arrange();
    await decide(await attachWaiting(tenant, projectId), "fail");

    await deliver();

    expect((await billingOf(tenant, projectId)).status).toBe("requires_payment_method");
  });

  it("billing requires another payment method after the card was detached at the processor", async () => {
    const { tenant, projectId } = await arrange();
    await services.attachCard(tenant, projectId);
    await deliver();
    const { status, default_payment_method: method } = await billingOf(tenant, projectId);
    expect(status).toBe("ready");
    const { url, secretKeys } = harness.sandbox.stripe;
    const detached = await fetch(`${url}/v1/payment_methods/${method.id}/detach`, {
      method: "POST",
      headers: { authorization: `Bearer ${secretKeys.live}` },
    });
    expect(detached.status).toBe(200);

    await deliver();

    const after = await billingOf(tenant, projectId);
    expect([after.status, after.default_payment_method]).toEqual(["requires_payment_method", null]);
  });
});
