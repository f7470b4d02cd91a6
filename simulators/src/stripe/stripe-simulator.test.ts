import { randomUUID } from "node:crypto";
import { stringify } from "qs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { stripeSimulator } from "./stripe-simulator.ts";

const SECRET_KEYS = { live: "sk_live_0123456789abcdef", test: "sk_test_0123456789abcdef" };
const VERSION = "2026-10-28.endive";

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;
let vendor: TestVendor;
/** Without Stripe's description at hand, as the sandbox has to do as a rule. */
let alone: TestVendor;
beforeAll(async () => {
  const simulator = stripeSimulator({ secretKeys: SECRET_KEYS });
  vendor = await startTestVendor(simulator);
  alone = await startTestVendor(simulator, { contract: null });
});
afterAll(async () => {
  await vendor.close();
  await alone.close();
});

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into at many depths, and asserted on field by field.
type AnyBody = any;

interface Sent {
  readonly to?: TestVendor;
  readonly method?: string;
  readonly form?: object;
  readonly headers?: Record<string, string | undefined>;
}

/** A request with everything that Stripe asks for; what a test sets to undefined is left out. */
async function send(path: string, { to = vendor, method = "POST", form, headers = {} }: Sent = {}) {
  const sent = Object.entries({
    authorization: `Bearer ${SECRET_KEYS.test}`,
    "stripe-version": VERSION,
    ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    ...headers,
  });
  const response = await fetch(to.url + path, {
    method,
    headers: sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])) as [
      string,
      string,
    ][],
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

async function idsListed(path: string): Promise<{ ids: string[]; more: boolean }> {
  const { body } = await get(path);
  return { ids: body.data.map(({ id }: { id: string }) => id), more: body.has_more };
}

describe("a wrong request", () => {
  const CUSTOMER = "/v1/customers";
  const ATTACH = "/v1/payment_methods/pm_card_visa/attach";
  const INTENT = "/v1/setup_intents";
  const of = { customer: "cus_1" };

  it.each([
    ["without what is required", ATTACH, {}, "parameter_missing", "customer"],
    ["without what is required", INTENT, { usage: "off_session" }, "parameter_missing", "customer"],
    ["with an unknown field", CUSTOMER, { nmae: "Atlas" }, "parameter_unknown", "nmae"],
    ["with an unknown field", ATTACH, { ...of, default: "true" }, "parameter_unknown", "default"],
    [
      "with a field that went in 2026",
      INTENT,
      { ...of, payment_method_types: ["card"] },
      "parameter_unknown",
      "payment_method_types",
    ],
    [
      "with an unknown field further down",
      INTENT,
      { ...of, automatic_payment_methods: { enabled: true, redirects: "never" } },
      "parameter_unknown",
      "automatic_payment_methods[redirects]",
    ],
    ["with a bad choice", INTENT, { ...of, usage: "sometimes" }, undefined, "usage"],
    ["with a wrong type", INTENT, { ...of, confirm: "perhaps" }, undefined, "confirm"],
    ["with a wrong type", ATTACH, { customer: { id: "cus_1" } }, undefined, "customer"],
    ["with a text too long", CUSTOMER, { name: "a".repeat(257) }, undefined, "name"],
    [
      "with an address that is none",
      INTENT,
      { ...of, confirm: true, return_url: "ftp://x" },
      undefined,
      "return_url",
    ],
  ])("%s is refused by %s", async (_what, path, form, code, param) => {
    for (const to of [vendor, alone]) {
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
    ["another key", "Bearer sk_test_other"],
    ["another key", `Basic ${Buffer.from("sk_test_other:").toString("base64")}`],
    ["another scheme", `Digest ${SECRET_KEYS.test.slice(0, 4)}`],
  ])("with %s is refused: %s", async (_what, authorization) => {
    const { status, body } = await send("/v1/customers", { form: {}, headers: { authorization } });

    expect(status).toBe(401);
    expect(body.error.type).toBe("invalid_request_error");
  });

  it.each(["2023-08-16"])("in the version %s is refused", async (version) => {
    const answer = await send("/v1/customers", {
      form: {},
      headers: { "stripe-version": version },
    });

    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain("version");
  });

  it("in JSON is refused", async () => {
    const headers = { "content-type": "application/json" };

    expect((await send("/v1/customers", { form: { name: "x" }, headers })).status).toBe(400);
  });

  it("to nowhere is refused", async () => {
    const { status, body } = await get("/v1/nowhere");

    expect(status).toBe(404);
    expect(body.error.message).toContain("Unrecognized request URL");
  });
});

describe("the key", () => {
  it("is taken as Basic credentials too", async () => {
    const authorization = `Basic ${Buffer.from(`${SECRET_KEYS.test}:`).toString("base64")}`;

    const { status } = await send("/v1/customers", { form: {}, headers: { authorization } });

    expect(status).toBe(200);
  });

  it("of live mode makes live objects, which are absent in test mode", async () => {
    const live = { authorization: `Bearer ${SECRET_KEYS.live}` };
    const id = await createCustomer(live);

    expect((await get(`/v1/customers/${id}`, live)).body).toMatchObject({ livemode: true });
    expect((await get(`/v1/customers/${id}`)).status).toBe(404);
  });

  it("of another mode may use the same idempotency key", async () => {
    const key = { "idempotency-key": randomUUID() };
    const live = { ...key, authorization: `Bearer ${SECRET_KEYS.live}` };

    expect(await createCustomer(key)).not.toBe(await createCustomer(live));
  });
});

describe("an idempotency key", () => {
  const keyed = (form: object, key: string) =>
    send("/v1/customers", { form, headers: { "idempotency-key": key } });

  it("is answered as it was at first, and says so", async () => {
    const key = randomUUID();
    const first = await keyed({ name: "Atlas" }, key);

    const second = await keyed({ name: "Atlas" }, key);

    expect(second.body).toEqual(first.body);
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("is refused with other parameters, and on another path", async () => {
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

  it("is in use while the first request is under way", async () => {
    const key = randomUUID();

    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed({ name: "x" }, key)));

    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.id);
    expect(new Set(made).size).toBe(1);
    const busy = answers.find(({ status }) => status === 409);
    expect(busy?.body.error.code).toBe("idempotency_key_in_use");
  });

  it("is still free after a request that failed validation", async () => {
    const key = randomUUID();
    await keyed({ nmae: "Atlas" }, key);

    expect(await keyed({ name: "Atlas" }, key)).toMatchObject({
      status: 200,
      body: { name: "Atlas" },
    });
  });

  it("is still free after a request whose parameters did not go together", async () => {
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

  it("repeats a decline", async () => {
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

  it("makes nothing twice, even where the first answer was never kept", async () => {
    const key = randomUUID();
    const { body: first } = await keyed({ name: "Atlas" }, key);
    // As a process leaves it that dies between the two.
    await vendor.context.objects.remove("idempotency_key", `test:${key}`);

    const { body: second } = await keyed({ name: "Atlas" }, key);

    expect(second.id).toBe(first.id);
  });
});

describe("a customer", () => {
  it("is changed in what is named, and loses what is set to nothing", async () => {
    const { body: customer } = await send("/v1/customers", {
      form: { name: "Atlas", email: "ada@example.com", metadata: { one: "1", two: "2" } },
    });

    const { body } = await send(`/v1/customers/${customer.id}`, {
      form: { email: "", metadata: { two: "", three: "3" } },
    });

    expect(body).toMatchObject({ name: "Atlas", email: null });
    expect(body.metadata).toEqual({ one: "1", three: "3" });
  });

  it("is shown as deleted after its deletion, and cannot be deleted again", async () => {
    const id = await createCustomer();
    const method = await attach(id);

    const { body } = await send(`/v1/customers/${id}`, { method: "DELETE" });

    expect(body).toEqual({ id, object: "customer", deleted: true });
    expect((await get(`/v1/customers/${id}`)).body).toMatchObject({ deleted: true });
    expect((await send(`/v1/customers/${id}`, { method: "DELETE" })).status).toBe(404);
    expect((await get(`/v1/payment_methods/${method}`)).body.customer).toBeNull();
  });

  it("lists its payment methods page by page, newest first", async () => {
    const id = await createCustomer();
    const [one, two, three] = [await attach(id), await attach(id), await attach(id)];
    const path = `/v1/customers/${id}/payment_methods`;

    expect(await idsListed(`${path}?limit=2`)).toEqual({ ids: [three, two], more: true });
    const rest = await idsListed(`${path}?limit=2&starting_after=${two}`);
    expect(rest).toEqual({ ids: [one], more: false });
    const before = await idsListed(`${path}?limit=1&ending_before=${one}`);
    expect(before).toEqual({ ids: [two], more: true });
    expect((await get(`${path}?limit=0`)).status).toBe(400);
    expect((await get(`${path}?starting_after=pm_other`)).status).toBe(400);
  });
});

describe("a payment method", () => {
  it("of a test name is another one each time", async () => {
    const id = await createCustomer();

    const [one, two] = [await attach(id), await attach(id)];

    expect(one).toMatch(/^pm_1\w{23}$/);
    expect(two).not.toBe(one);
    const { body } = await get("/v1/payment_methods/pm_card_visa");
    expect(body).toMatchObject({ customer: null, card: { brand: "visa", last4: "4242" } });
  });

  it("of a test name is good in live mode too, unlike Stripe's", async () => {
    const live = { authorization: `Bearer ${SECRET_KEYS.live}` };
    const form = { customer: await createCustomer(live) };

    const answer = await send("/v1/payment_methods/pm_card_visa/attach", { form, headers: live });

    expect(answer).toMatchObject({ status: 200, body: { livemode: true } });
  });

  it("is used up once it is detached", async () => {
    const customer = await createCustomer();
    const method = await attach(customer);

    const detached = await send(`/v1/payment_methods/${method}/detach`, { form: {} });

    expect(detached.body).toMatchObject({ id: method, customer: null });
    expect((await send(`/v1/payment_methods/${method}/detach`)).status).toBe(400);
    const again = await send(`/v1/payment_methods/${method}/attach`, { form: { customer } });
    expect(again.status).toBe(400);
  });
});

describe("a setup intent", () => {
  const NEVER = { enabled: true, allow_redirects: "never" };
  const create = (form: object) => send("/v1/setup_intents", { form });

  it("waits for a method, then for its confirmation", async () => {
    const customer = await createCustomer();
    const { body: intent } = await create({ customer, automatic_payment_methods: NEVER });
    expect(intent).toMatchObject({ status: "requires_payment_method", usage: "off_session" });
    const confirm = `/v1/setup_intents/${intent.id}/confirm`;
    expect((await send(confirm)).body.error.code).toBe("parameter_missing");

    const { body } = await send(confirm, { form: { payment_method: "pm_card_visa" } });

    expect(body).toMatchObject({ status: "succeeded", next_action: null });
    // What is set up for a customer is attached to it.
    const { body: method } = await get(`/v1/payment_methods/${body.payment_method}`);
    expect(method.customer).toBe(customer);
    expect((await send(confirm)).body.error.code).toBe("setup_intent_unexpected_state");
  });

  it("needs an address to come back to, unless it rules redirects out", async () => {
    const customer = await createCustomer();
    const confirmed = { customer, payment_method: "pm_card_visa", confirm: true };

    const { status, body } = await create(confirmed);

    expect(status).toBe(400);
    expect(body.error.param).toBe("return_url");
    expect((await create({ ...confirmed, return_url: "https://x.test/" })).status).toBe(200);
    expect((await create({ ...confirmed, automatic_payment_methods: NEVER })).status).toBe(200);
  });

  it("is refused of another customer's method, and of no method", async () => {
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

  it("is canceled once, and never after it succeeded", async () => {
    const customer = await createCustomer();
    const { body: intent } = await create({ customer });
    const cancel = `/v1/setup_intents/${intent.id}/cancel`;

    const { body } = await send(cancel, { form: { cancellation_reason: "abandoned" } });

    expect(body).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" });
    expect((await send(cancel)).status).toBe(400);
  });
});

describe("the page that asks a card's owner", () => {
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
  const answer = (url: string, decision: string) =>
    fetch(url, { method: "POST", body: new URLSearchParams({ decision }), redirect: "manual" });
  const statusOf = async (id: string) => (await get(`/v1/setup_intents/${id}`)).body.status;

  it("attaches the card once its owner has proven to be one, and takes no second answer", async () => {
    const { intent, url, customer } = await arrange();
    expect(intent).toMatchObject({
      status: "requires_action",
      payment_method: expect.stringMatching(/^pm_1/),
    });

    await answer(url, "complete");
    await answer(url, "fail");

    expect(await statusOf(intent.id)).toBe("succeeded");
    const { ids } = await idsListed(`/v1/customers/${customer}/payment_methods`);
    expect(ids).toEqual([intent.payment_method]);
  });

  it("is for those who know the client secret, and who press a button of it", async () => {
    const { intent, url } = await arrange();
    const guessed = new URL(url);
    guessed.searchParams.set("client_secret", `${intent.id}_secret_guess`);

    expect((await fetch(guessed)).status).toBe(404);
    expect((await answer(guessed.href, "complete")).status).toBe(404);
    expect((await answer(url, "perhaps")).status).toBe(400);
    expect(await statusOf(intent.id)).toBe("requires_action");
  });

  it("is told to the browser's own script where redirects are ruled out", async () => {
    const never = { automatic_payment_methods: { enabled: true, allow_redirects: "never" } };
    const { intent } = await arrange(never);
    expect(intent.next_action.type).toBe("use_stripe_sdk");

    const answered = await answer(intent.next_action.use_stripe_sdk.stripe_js, "complete");

    expect(await answered.text()).toContain("The card is set up");
    expect(await statusOf(intent.id)).toBe("succeeded");
  });
});

describe("the control page", () => {
  it("sees no client secret but below data.secret", async () => {
    const customer = await createCustomer();
    const { body } = await send("/v1/setup_intents", {
      form: { customer },
      headers: { "idempotency-key": randomUUID() },
    });

    const objects = await vendor.context.objects.listAll();

    const shown = JSON.stringify(
      objects.map(({ data }) => ({ ...Object(data), secret: undefined })),
    );
    expect(shown).toContain(customer);
    expect(shown).not.toContain(body.client_secret);
  });
});
