import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, dumpDatabase, eventsOf } from "../../../../../test/project-seeds.ts";

const RETURN_URL = "https://shop.test/back?order=17";

describe("POST /projects/{project_id}/billing/payment-methods", () => {
  const harness = useHarness({ vendors: true });

  type Tenant = Awaited<ReturnType<typeof harness.seedTenant>>;

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body: project } = await tenant.post("/projects", { name: randomUUID() });
    return { tenant, id: String(project.project_id) };
  }

  const attach = (tenant: Pick<Tenant, "post">, id: string, body: object = {}, options = {}) =>
    tenant.post(`/projects/${id}/billing/payment-methods`, { payment_method_id: "pm_card_visa", ...body }, options);

  const billingOf = async (tenant: Tenant, id: string) => (await tenant.get(`/projects/${id}`)).body.billing;

  /** Returns the project's objects in the simulated Stripe account. */
  async function atStripe(projectId: string) {
    const objects = await harness.sandbox.objects("stripe");
    const customers = objects.filter(
      ({ type, data }) => type === "customer" && Object(data["metadata"])["project_id"] === projectId,
    );
    const ids = customers.map(({ id }) => id);
    const ofType = (selected: string) =>
      objects.filter(({ type, data }) => type === selected && ids.includes(String(data["customer"])));
    return { customers, methods: ofType("payment_method"), intents: ofType("setup_intent") };
  }

  // On the first calls, the simulator compiles Stripe's API description, which takes longer than the adapter's timeout.
  // Each call is repeated until the simulator responds in time.
  beforeAll(async () => {
    const { tenant, id } = await arrange();
    const methods = ["pm_card_visa", "pm_card_chargeDeclined", "pm_card_authenticationRequired"];
    for (const payment_method_id of methods) {
      let status = 503;
      for (let turn = 0; turn < 20 && status === 503; turn += 1) {
        ({ status } = await attach(tenant, id, { payment_method_id }));
      }
    }
  });

  it("200: attaches a card and sets it up, and the project is ready", async () => {
    const { tenant, id } = await arrange();
    expect(await billingOf(tenant, id)).toMatchObject({ status: "none", customer_id: null });

    const { status, body } = await attach(tenant, id);

    expect(status).toBe(200);
    const method = {
      id: expect.stringMatching(/^pm_1/),
      type: "card",
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: 2034,
    };
    expect(body).toEqual({
      customer_id: expect.stringMatching(/^cus_/),
      payment_method: method,
      setup_intent: {
        id: expect.stringMatching(/^seti_/),
        status: "succeeded",
        client_secret: null,
        next_action: null,
      },
    });
    expect(await billingOf(tenant, id)).toEqual({
      customer_id: body.customer_id,
      status: "ready",
      default_payment_method: method,
    });
    const { customers, methods, intents } = await atStripe(id);
    expect(customers).toMatchObject([
      {
        id: body.customer_id,
        data: {
          metadata: { project_id: id, tenant_id: tenant.tenantId },
          defaultPaymentMethod: body.payment_method.id,
        },
      },
    ]);
    expect([methods.length, intents.length]).toEqual([1, 1]);
  });

  it("200: writes an audit entry and an event", async () => {
    const { tenant, id } = await arrange();

    const { body } = await attach(tenant, id);

    const subject = body.payment_method.id;
    expect(await auditOf(harness.app, subject)).toMatchObject([
      {
        action: "payment_method.attached",
        facts: { project_id: id, setup_status: "succeeded", is_default: true },
      },
    ]);
    expect(await eventsOf(harness.app, subject)).toMatchObject([
      { type: "payment_method.attached", data: { payment_method: { last4: "4242" } } },
    ]);
  });

  it("200: a repeated Idempotency-Key returns the same response and attaches nothing", async () => {
    const { tenant, id } = await arrange();
    const options = { headers: { "idempotency-key": randomUUID() } };
    const first = await attach(tenant, id, {}, options);

    const second = await attach(tenant, id, {}, options);

    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const { methods, intents } = await atStripe(id);
    expect([methods.length, intents.length]).toEqual([1, 1]);
  });

  it("200: two concurrent calls create one customer", async () => {
    const { tenant, id } = await arrange();

    const answers = await Promise.all([attach(tenant, id), attach(tenant, id)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await atStripe(id)).customers).toHaveLength(1);
  });

  it("200: a new default replaces the current one; a method with set_default false does not", async () => {
    const { tenant, id } = await arrange();
    await attach(tenant, id);
    harness.clock.advanceSeconds(1);
    const { body: second } = await attach(tenant, id, { payment_method_id: "pm_card_mastercard" });
    harness.clock.advanceSeconds(1);

    await attach(tenant, id, { payment_method_id: "pm_card_amex", set_default: false });

    expect(await billingOf(tenant, id)).toMatchObject({
      status: "ready",
      default_payment_method: { brand: "mastercard" },
    });
    const { customers, methods } = await atStripe(id);
    expect(methods).toHaveLength(3);
    expect(customers[0]?.data["defaultPaymentMethod"]).toBe(second.payment_method.id);
  });

  it("200: returns the owner's next action, also to a repeated call, and stores no client secret", async () => {
    const { tenant, id } = await arrange();
    const options = { headers: { "idempotency-key": randomUUID() } };
    const request = { payment_method_id: "pm_card_authenticationRequired", return_url: RETURN_URL };

    const { status, body } = await attach(tenant, id, request, options);

    expect(status).toBe(200);
    const { setup_intent: intent } = body;
    expect(intent).toMatchObject({
      status: "requires_action",
      client_secret: expect.stringContaining("_secret_"),
      next_action: { type: "open_url", actor: "human", url: expect.stringContaining("http") },
    });
    expect(await billingOf(tenant, id)).toMatchObject({ status: "requires_action" });
    expect((await eventsOf(harness.app, body.payment_method.id))[0]?.type).toBe("payment_method.requires_action");
    expect((await attach(tenant, id, request, options)).body).toEqual(body);
    expect(await dumpDatabase(harness.database.superuserUrl)).not.toContain(intent.client_secret);
    expect(harness.logLines.join("")).not.toContain(intent.client_secret);

    const redirect = await fetch(intent.next_action.url, {
      method: "POST",
      body: new URLSearchParams({ decision: "complete" }),
      redirect: "manual",
    });
    expect(redirect.headers.get("location")).toContain(`${RETURN_URL}&`);
    const later = await attach(tenant, id, request, options);
    expect(later.body.setup_intent).toMatchObject({ status: "succeeded", client_secret: null });
  });

  it("200: without return_url the next action is use_client_secret", async () => {
    const { tenant, id } = await arrange();

    const { body } = await attach(tenant, id, {
      payment_method_id: "pm_card_authenticationRequired",
    });

    expect(body.setup_intent.next_action).toEqual({ type: "use_client_secret", actor: "human" });
  });

  it("422: the card is declined; the error has the bank's code, and the project is unchanged", async () => {
    const { tenant, id } = await arrange();
    await attach(tenant, id);
    const before = await billingOf(tenant, id);

    const { status, body } = await attach(tenant, id, {
      payment_method_id: "pm_card_chargeDeclined",
    });

    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: "validation_error",
      errors: [{ pointer: "/body/payment_method_id", code: "card_declined" }],
    });
    expect(await billingOf(tenant, id)).toEqual(before);
  });

  it("422: the card is declined at its setup; the next call sets it up", async () => {
    const { tenant, id } = await arrange();
    harness.sandbox.force({ vendor: "stripe", operation: "PostSetupIntents", outcome: "refused" });
    expect((await attach(tenant, id)).status).toBe(422);
    expect(await billingOf(tenant, id)).toMatchObject({ status: "requires_payment_method" });

    expect((await attach(tenant, id)).status).toBe(200);
    expect(await billingOf(tenant, id)).toMatchObject({ status: "ready" });
  });

  it("422: a call after a declined card uses a new idempotency key, because Stripe repeats its stored responses", async () => {
    const { tenant, id } = await arrange();
    await attach(tenant, id);
    const declined = { payment_method_id: "pm_card_chargeDeclined" };
    harness.clock.advanceSeconds(1);

    await attach(tenant, id, declined);
    await attach(tenant, id, declined);

    const sent = harness.sandbox
      .requests("stripe")
      .filter(({ operation }) => operation === "PostPaymentMethodsPaymentMethodAttach")
      .slice(-2)
      .map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(sent).size).toBe(2);
  });

  it("422: unknown payment method", async () => {
    const { tenant, id } = await arrange();

    const { status, body } = await attach(tenant, id, { payment_method_id: "pm_1made0up" });

    expect([status, body.errors[0].code]).toEqual([422, "unknown"]);
  });

  it("422: payment method of another project", async () => {
    const [one, other] = [await arrange(), await arrange()];
    const { body } = await attach(one.tenant, one.id);

    const answer = await attach(other.tenant, other.id, {
      payment_method_id: body.payment_method.id,
    });

    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/body/payment_method_id"]);
    expect(await billingOf(one.tenant, one.id)).toMatchObject({ status: "ready" });
  });

  it.each([
    [{ payment_method_id: undefined }, "/body/payment_method_id"],
    [{ payment_method_id: "card_1" }, "/body/payment_method_id"],
    [{ payment_method_id: "pm_../customers" }, "/body/payment_method_id"],
    [{ payment_method_id: "pm_4242424242424242" }, "/body/payment_method_id"],
    [{ payment_method_id: 4242424242424242 }, "/body/payment_method_id"],
    [{ return_url: "https://shop.test/?card=4242424242424242" }, "/body/return_url"],
    [{ return_url: "http://shop.test/" }, "/body/return_url"],
    [{ return_url: "https://user:pass@shop.test/" }, "/body/return_url"],
    [{ return_url: "javascript:alert(1)" }, "/body/return_url"],
    [{ set_default: "yes" }, "/body/set_default"],
    [{ card: { number: "4242424242424242" } }, "/body/card"],
  ])("422: %j, and nothing is stored or logged", async (body, pointer) => {
    const { tenant, id } = await arrange();

    const answer = await attach(tenant, id, body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(answer.text).not.toContain("4242");
    expect(harness.logLines.join("")).not.toContain("4242424242424242");
    expect(await billingOf(tenant, id)).toMatchObject({ status: "none" });
  });

  it.each(["PostCustomers", "PostPaymentMethodsPaymentMethodAttach", "PostSetupIntents", "PostCustomersCustomer"])(
    "503: the response to %s times out; the next call finds the object that was created",
    async (operation) => {
      const { tenant, id } = await arrange();
      harness.sandbox.force({ vendor: "stripe", operation, outcome: "timeout_applied" });

      const { status, body, headers } = await attach(tenant, id);

      expect([status, body.code]).toEqual([503, "provider_unavailable"]);
      expect(headers["retry-after"]).toBe("1");
      expect((await attach(tenant, id)).status).toBe(200);
      const { customers, methods, intents } = await atStripe(id);
      expect([customers.length, methods.length, intents.length]).toEqual([1, 1, 1]);
    },
  );

  it("503: Stripe's rate limit is reached, with Retry-After", async () => {
    const { tenant, id } = await arrange();
    harness.sandbox.force({
      vendor: "stripe",
      operation: "PostSetupIntents",
      outcome: "rate_limited",
    });

    const { status, headers } = await attach(tenant, id);

    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  });
});
