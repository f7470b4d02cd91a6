import { randomUUID } from "node:crypto";
import { stringify } from "qs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { stripeSimulator } from "./stripe-simulator.ts";

const SECRET_KEYS = { live: "sk_live_0123456789abcdef", test: "sk_test_0123456789abcdef" };
const VERSION = "2026-10-28.endive";

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;
let vendor: TestVendor;
/** Does not check calls against Stripe's OpenAPI description, so that the simulator's own checks are tested. */
let withoutContract: TestVendor;
beforeAll(async () => {
  const simulator = stripeSimulator({ secretKeys: SECRET_KEYS, webhookSecrets: SECRET_KEYS });
  vendor = await startTestVendor(simulator);
  withoutContract = await startTestVendor(simulator, { contract: null });
});
afterAll(async () => {
  await vendor.close();
  await withoutContract.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of many different response bodies.
type AnyBody = any;

interface Sent {
  readonly to?: TestVendor;
  readonly method?: string;
  readonly form?: object;
  readonly headers?: Record<string, string | undefined>;
}

/** Sends a valid test mode request. A header that is set to undefined is not sent. */
async function send(path: string, { to = vendor, method = "POST", form, headers = {} }: Sent = {}) {
  const sent = Object.entries({
    authorization: `Bearer ${SECRET_KEYS.test}`,
    "stripe-version": VERSION,
    ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    ...headers,
  });
  const response = await fetch(to.url + path, {
    method,
    headers: sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])) as [string, string][],
    ...(form === undefined ? {} : { body: stringify(form) }),
  });
  const body: AnyBody = await response.json();
  return { status: response.status, headers: response.headers, body };
}

const get = (path: string, headers = {}) => send(path, { method: "GET", headers });

async function createCustomer(headers = {}): Promise<string> {
  const { body } = await send("/v1/customers", { form: { name: "Atlas" }, headers });
  return body.id;
}

async function attach(customer: string, method = "pm_card_visa"): Promise<string> {
  const { body } = await send(`/v1/payment_methods/${method}/attach`, { form: { customer } });
  return body.id;
}

async function listIds(path: string): Promise<{ ids: string[]; more: boolean }> {
  const { body } = await get(path);
  return { ids: body.data.map(({ id }: { id: string }) => id), more: body.has_more };
}

describe("invalid requests", () => {
  const CUSTOMER = "/v1/customers";
  const ATTACH = "/v1/payment_methods/pm_card_visa/attach";
  const INTENT = "/v1/setup_intents";
  const customerParam = { customer: "cus_1" };

  it.each([
    ["missing parameter", ATTACH, {}, "parameter_missing", "customer"],
    ["missing parameter", INTENT, { usage: "off_session" }, "parameter_missing", "customer"],
    ["unknown parameter", CUSTOMER, { nmae: "Atlas" }, "parameter_unknown", "nmae"],
    ["unknown parameter", ATTACH, { ...customerParam, default: "true" }, "parameter_unknown", "default"],
    [
      "a parameter that was removed in 2026",
      INTENT,
      { ...customerParam, payment_method_types: ["card"] },
      "parameter_unknown",
      "payment_method_types",
    ],
    [
      "unknown nested parameter",
      INTENT,
      { ...customerParam, automatic_payment_methods: { enabled: true, redirects: "never" } },
      "parameter_unknown",
      "automatic_payment_methods[redirects]",
    ],
    ["invalid choice", INTENT, { ...customerParam, usage: "sometimes" }, undefined, "usage"],
    ["wrong type", INTENT, { ...customerParam, confirm: "perhaps" }, undefined, "confirm"],
    ["wrong type", ATTACH, { customer: { id: "cus_1" } }, undefined, "customer"],
    ["string too long", CUSTOMER, { name: "a".repeat(257) }, undefined, "name"],
    ["invalid URL", INTENT, { ...customerParam, confirm: true, return_url: "ftp://x" }, undefined, "return_url"],
  ])("400: %s (%s)", async (_what, path, form, code, param) => {
    for (const to of [vendor, withoutContract]) {
      const before = (await to.context.objects.listAll()).length;

      const { status, body } = await send(path, { to, form });

      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        type: "invalid_request_error",
        message: expect.stringContaining(param),
        param,
        request_log_url: expect.stringContaining("req_"),
      });
      expect(body.error.code).toBe(code);
      expect((await to.context.objects.listAll()).length).toBe(before);
    }
  });

  it.each([
    ["no key", undefined],
    ["a different key", "Bearer sk_test_other"],
    ["a different key", `Basic ${Buffer.from("sk_test_other:").toString("base64")}`],
    ["a different scheme", `Digest ${SECRET_KEYS.test.slice(0, 4)}`],
  ])("401: %s (%s)", async (_what, authorization) => {
    const { status, body } = await send("/v1/customers", { form: {}, headers: { authorization } });

    expect(status).toBe(401);
    expect(body.error.type).toBe("invalid_request_error");
  });

  it.each(["2023-08-16"])("400: API version %s", async (version) => {
    const response = await send("/v1/customers", {
      form: {},
      headers: { "stripe-version": version },
    });

    expect(response.status).toBe(400);
    expect(response.body.error.message).toContain("version");
  });

  it("400: a JSON body", async () => {
    const headers = { "content-type": "application/json" };

    expect((await send("/v1/customers", { form: { name: "x" }, headers })).status).toBe(400);
  });

  it("404: unknown path", async () => {
    const { status, body } = await get("/v1/nowhere");

    expect(status).toBe(404);
    expect(body.error.message).toContain("Unrecognized request URL");
  });
});

describe("secret keys", () => {
  it("200: the key as Basic credentials", async () => {
    const authorization = `Basic ${Buffer.from(`${SECRET_KEYS.test}:`).toString("base64")}`;

    const { status } = await send("/v1/customers", { form: {}, headers: { authorization } });

    expect(status).toBe(200);
  });

  it("404: a live object read in test mode", async () => {
    const live = { authorization: `Bearer ${SECRET_KEYS.live}` };
    const id = await createCustomer(live);

    expect((await get(`/v1/customers/${id}`, live)).body).toMatchObject({ livemode: true });
    expect((await get(`/v1/customers/${id}`)).status).toBe(404);
  });

  it("the same idempotency key is independent in both modes", async () => {
    const key = { "idempotency-key": randomUUID() };
    const live = { ...key, authorization: `Bearer ${SECRET_KEYS.live}` };

    expect(await createCustomer(key)).not.toBe(await createCustomer(live));
  });
});

describe("idempotency keys", () => {
  const keyed = (form: object, key: string) => send("/v1/customers", { form, headers: { "idempotency-key": key } });

  it("200: repeats the first response with Idempotent-Replayed", async () => {
    const key = randomUUID();
    const first = await keyed({ name: "Atlas" }, key);

    const second = await keyed({ name: "Atlas" }, key);

    expect(second.body).toEqual(first.body);
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("400: the key was used with other parameters or another path", async () => {
    const key = randomUUID();
    const { body: customer } = await keyed({ name: "Atlas" }, key);

    const others = [
      await keyed({ name: "Borealis" }, key),
      await send(`/v1/customers/${customer.id}`, {
        form: { name: "Atlas" },
        headers: { "idempotency-key": key },
      }),
    ];

    for (const { status, body } of others) {
      expect(status).toBe(400);
      expect(body.error.type).toBe("idempotency_error");
    }
    expect((await get(`/v1/customers/${customer.id}`)).body.name).toBe("Atlas");
  });

  it("409: a request with the key is in progress", async () => {
    const key = randomUUID();

    const responses = await Promise.all(Array.from({ length: 8 }, () => keyed({ name: "x" }, key)));

    const statuses = new Set(responses.map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    const created = responses.filter(({ status }) => status === 200).map(({ body }) => body.id);
    expect(new Set(created).size).toBe(1);
    const busy = responses.find(({ status }) => status === 409);
    expect(busy?.body.error.code).toBe("idempotency_key_in_use");
  });

  it("200: the key of a request that failed validation can be used again", async () => {
    const key = randomUUID();
    await keyed({ nmae: "Atlas" }, key);

    expect(await keyed({ name: "Atlas" }, key)).toMatchObject({
      status: 200,
      body: { name: "Atlas" },
    });
  });

  it("200: the key of a request with inconsistent parameters can be used again", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const form = {
      customer: await createCustomer(),
      payment_method: "pm_card_visa",
      confirm: true,
    };
    expect((await send("/v1/setup_intents", { form, headers })).status).toBe(400);

    const complete = { ...form, return_url: "https://x.test/" };

    expect((await send("/v1/setup_intents", { form: complete, headers })).status).toBe(200);
  });

  it("402: replays a decline", async () => {
    const customer = await createCustomer();
    const decline = () =>
      send("/v1/payment_methods/pm_card_chargeDeclined/attach", {
        form: { customer },
        headers: { "idempotency-key": `decline ${customer}` },
      });
    const first = await decline();

    const second = await decline();

    expect(first.status).toBe(402);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("200: creates one object, even if the first response was not stored", async () => {
    const key = randomUUID();
    const { body: first } = await keyed({ name: "Atlas" }, key);
    // Simulates a process that was killed before it stored the response.
    await vendor.context.objects.remove("idempotency_key", `test:${key}`);

    const { body: second } = await keyed({ name: "Atlas" }, key);

    expect(second.id).toBe(first.id);
  });
});

describe("customers", () => {
  it("update changes the given fields and removes those with an empty string", async () => {
    const { body: customer } = await send("/v1/customers", {
      form: { name: "Atlas", email: "ada@example.com", metadata: { one: "1", two: "2" } },
    });

    const { body } = await send(`/v1/customers/${customer.id}`, {
      form: { email: "", metadata: { two: "", three: "3" } },
    });

    expect(body).toMatchObject({ name: "Atlas", email: null });
    expect(body.metadata).toEqual({ one: "1", three: "3" });
  });

  it("200: a deleted customer is shown as deleted; 404: deleted twice", async () => {
    const id = await createCustomer();
    const method = await attach(id);

    const { body } = await send(`/v1/customers/${id}`, { method: "DELETE" });

    expect(body).toEqual({ id, object: "customer", deleted: true });
    expect((await get(`/v1/customers/${id}`)).body).toMatchObject({ deleted: true });
    expect((await send(`/v1/customers/${id}`, { method: "DELETE" })).status).toBe(404);
    expect((await get(`/v1/payment_methods/${method}`)).body.customer).toBeNull();
  });

  it("lists payment methods in pages, newest first", async () => {
    const id = await createCustomer();
    const [one, two, three] = [await attach(id), await attach(id), await attach(id)];
    const path = `/v1/customers/${id}/payment_methods`;

    expect(await listIds(`${path}?limit=2`)).toEqual({ ids: [three, two], more: true });
    const rest = await listIds(`${path}?limit=2&starting_after=${two}`);
    expect(rest).toEqual({ ids: [one], more: false });
    const before = await listIds(`${path}?limit=1&ending_before=${one}`);
    expect(before).toEqual({ ids: [two], more: true });
    expect((await get(`${path}?limit=0`)).status).toBe(400);
    expect((await get(`${path}?starting_after=pm_other`)).status).toBe(400);
  });
});

describe("payment methods", () => {
  it("a test method creates a new payment method each time", async () => {
    const id = await createCustomer();

    const [one, two] = [await attach(id), await attach(id)];

    expect(one).toMatch(/^pm_1\w{23}$/);
    expect(two).not.toBe(one);
    const { body } = await get("/v1/payment_methods/pm_card_visa");
    expect(body).toMatchObject({ customer: null, card: { brand: "visa", last4: "4242" } });
  });

  it("200: test methods work in live mode too, unlike at Stripe", async () => {
    const live = { authorization: `Bearer ${SECRET_KEYS.live}` };
    const form = { customer: await createCustomer(live) };

    const response = await send("/v1/payment_methods/pm_card_visa/attach", { form, headers: live });

    expect(response).toMatchObject({ status: 200, body: { livemode: true } });
  });

  it("400: a detached method cannot be attached again", async () => {
    const customer = await createCustomer();
    const method = await attach(customer);

    const detached = await send(`/v1/payment_methods/${method}/detach`, { form: {} });

    expect(detached.body).toMatchObject({ id: method, customer: null });
    expect((await send(`/v1/payment_methods/${method}/detach`)).status).toBe(400);
    const again = await send(`/v1/payment_methods/${method}/attach`, { form: { customer } });
    expect(again.status).toBe(400);
  });
});

describe("setup intents", () => {
  const NEVER = { enabled: true, allow_redirects: "never" };
  const create = (form: object) => send("/v1/setup_intents", { form });

  it("succeeds after a payment method is given and confirmed", async () => {
    const customer = await createCustomer();
    const { body: intent } = await create({ customer, automatic_payment_methods: NEVER });
    expect(intent).toMatchObject({ status: "requires_payment_method", usage: "off_session" });
    const confirm = `/v1/setup_intents/${intent.id}/confirm`;
    expect((await send(confirm)).body.error.code).toBe("parameter_missing");

    const { body } = await send(confirm, { form: { payment_method: "pm_card_visa" } });

    expect(body).toMatchObject({ status: "succeeded", next_action: null });
    // A successful setup attaches the method to the customer.
    const { body: method } = await get(`/v1/payment_methods/${body.payment_method}`);
    expect(method.customer).toBe(customer);
    expect((await send(confirm)).body.error.code).toBe("setup_intent_unexpected_state");
  });

  it("400: no return_url, unless redirects are never allowed", async () => {
    const customer = await createCustomer();
    const confirmed = { customer, payment_method: "pm_card_visa", confirm: true };

    const { status, body } = await create(confirmed);

    expect(status).toBe(400);
    expect(body.error.param).toBe("return_url");
    expect((await create({ ...confirmed, return_url: "https://x.test/" })).status).toBe(200);
    expect((await create({ ...confirmed, automatic_payment_methods: NEVER })).status).toBe(200);
  });

  it("400: another customer's payment method, none, or an unknown one", async () => {
    const customer = await createCustomer();
    const method = await attach(await createCustomer());
    const confirmed = { customer, confirm: true, automatic_payment_methods: NEVER };
    const before = (await vendor.context.objects.list("setup_intent")).length;

    expect((await create({ ...confirmed, payment_method: method })).status).toBe(400);
    expect((await create(confirmed)).body.error.code).toBe("parameter_missing");
    const { body } = await create({ ...confirmed, payment_method: "pm_1other" });
    expect(body.error).toMatchObject({ code: "resource_missing", param: "payment_method" });
    expect((await vendor.context.objects.list("setup_intent")).length).toBe(before);
  });

  it("400: canceled twice", async () => {
    const customer = await createCustomer();
    const { body: intent } = await create({ customer });
    const cancel = `/v1/setup_intents/${intent.id}/cancel`;

    const { body } = await send(cancel, { form: { cancellation_reason: "abandoned" } });

    expect(body).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" });
    expect((await send(cancel)).status).toBe(400);
  });
});

describe("authentication page", () => {
  async function arrange(extra: object = { return_url: "https://x.test/back" }) {
    const customer = await createCustomer();
    const { body } = await send("/v1/setup_intents", {
      form: {
        customer,
        payment_method: "pm_card_authenticationRequired",
        confirm: true,
        ...extra,
      },
    });
    return { customer, intent: body, url: body.next_action.redirect_to_url?.url };
  }
  const decide = (url: string, decision: string) =>
    fetch(url, { method: "POST", body: new URLSearchParams({ decision }), redirect: "manual" });
  const statusOf = async (id: string) => (await get(`/v1/setup_intents/${id}`)).body.status;

  it("attaches the card after authentication, and ignores a second decision", async () => {
    const { intent, url, customer } = await arrange();
    expect(intent).toMatchObject({
      status: "requires_action",
      payment_method: expect.stringMatching(/^pm_1/),
    });

    await decide(url, "complete");
    await decide(url, "fail");

    expect(await statusOf(intent.id)).toBe("succeeded");
    const { ids } = await listIds(`/v1/customers/${customer}/payment_methods`);
    expect(ids).toEqual([intent.payment_method]);
  });

  it("404: wrong client secret; 400: unknown decision", async () => {
    const { intent, url } = await arrange();
    const guessed = new URL(url);
    guessed.searchParams.set("client_secret", `${intent.id}_secret_guess`);

    expect((await fetch(guessed)).status).toBe(404);
    expect((await decide(guessed.href, "complete")).status).toBe(404);
    expect((await decide(url, "perhaps")).status).toBe(400);
    expect(await statusOf(intent.id)).toBe("requires_action");
  });

  it("the URL is in use_stripe_sdk if redirects are never allowed", async () => {
    const never = { automatic_payment_methods: { enabled: true, allow_redirects: "never" } };
    const { intent } = await arrange(never);
    expect(intent.next_action.type).toBe("use_stripe_sdk");

    const page = await decide(intent.next_action.use_stripe_sdk.stripe_js, "complete");

    expect(await page.text()).toContain("The card was set up");
    expect(await statusOf(intent.id)).toBe("succeeded");
  });
});

describe("control page", () => {
  it("client secrets are only in data.secret", async () => {
    const customer = await createCustomer();
    const { body } = await send("/v1/setup_intents", {
      form: { customer },
      headers: { "idempotency-key": randomUUID() },
    });

    const objects = await vendor.context.objects.listAll();

    const shown = JSON.stringify(objects.map(({ data }) => ({ ...Object(data), secret: undefined })));
    expect(shown).toContain(customer);
    expect(shown).not.toContain(body.client_secret);
  });
});
