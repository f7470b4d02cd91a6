import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setInterval } from "node:timers/promises";
import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import { stripeSimulator } from "@purser/simulators/stripe/stripe-simulator.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import type { BillingProcessor } from "../../ports/billing-processor.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createStripeBilling } from "./stripe-billing.ts";

const SECRET_KEYS = { live: "sk_live_0123456789abcdef", test: "sk_test_0123456789abcdef" };
const RETURN_URL = "https://purser.test/billing/return?project=proj_1";
const SHORT_TIMEOUT = { timeoutMs: 400 };
const FLOOD_BYTES = 64 * 1_048_576;
const METADATA = { project_id: "proj_1", tenant_id: "ten_1" };

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let billing: BillingProcessor;

beforeAll(async () => {
  vendor = await startTestVendor(stripeSimulator({ secretKeys: SECRET_KEYS, webhookSecrets: SECRET_KEYS }));
  billing = billingAt(vendor.url);
  // The simulator compiles Stripe's API description on first use, which takes longer than the timeouts below. These
  // calls trigger the compilation before the tests start.
  const method = await arrange();
  await billing.readSetup((await setUp(method)).setupIntentId);
});
afterAll(() => vendor.close());
afterEach(() => {
  expect(vendor.requests.counts().invalid).toBe(0);
});

function billingAt(apiUrl: string, { secretKey = SECRET_KEYS.test, timeoutMs = 5_000 } = {}): BillingProcessor {
  return createStripeBilling({ secretKey, apiUrl, timeoutMs });
}

async function createCustomer(idempotencyKey: string = randomUUID(), received = billing) {
  const customer = await received.createCustomer({
    name: "Atlas",
    metadata: METADATA,
    idempotencyKey,
  });
  return customer.customerId;
}

function attach(customerId: string, paymentMethodId: string, received = billing) {
  return received.attachPaymentMethod({
    customerId,
    paymentMethodId,
    idempotencyKey: randomUUID(),
  });
}

/** Creates a customer and attaches a card. */
async function arrange(card = "pm_card_visa") {
  const customerId = await createCustomer();
  const { paymentMethodId } = await attach(customerId, card);
  return { customerId, paymentMethodId };
}

function setUp(
  method: { customerId: string; paymentMethodId: string },
  returnUrl: string | null = null,
  received = billing,
) {
  return received.setUpPaymentMethod({ ...method, returnUrl, idempotencyKey: randomUUID() });
}

/** Returns a customer's objects in the simulator. */
async function objectsOf(type: string, customerId: string) {
  const all = await vendor.context.objects.list<Readonly<Record<string, unknown>>>(type);
  return all.filter(({ id, data }) => id === customerId || data["customer"] === customerId);
}

describe("createCustomer and deleteCustomer", () => {
  it("creates a customer with its name, and Purser's ids in the metadata", async () => {
    const customerId = await createCustomer();

    const [customer] = await objectsOf("customer", customerId);
    expect(customer).toMatchObject({
      state: "active",
      data: { name: "Atlas", metadata: METADATA, livemode: false },
    });
  });

  it("refused: the idempotency key was used for another customer", async () => {
    const key = randomUUID();
    await createCustomer(key);

    await expect(
      billing.createCustomer({ name: "Borealis", metadata: METADATA, idempotencyKey: key }),
    ).rejects.toMatchObject({ failure: "refused", vendorCode: "idempotency_error" });
  });

  it("deletes a customer, and succeeds if it is already deleted", async () => {
    const { customerId, paymentMethodId } = await arrange();

    await billing.deleteCustomer(customerId);
    await billing.deleteCustomer(customerId);

    const [customer] = await objectsOf("customer", customerId);
    expect(customer?.state).toBe("deleted");
    await expect(setUp({ customerId, paymentMethodId })).rejects.toMatchObject({
      failure: "not_found",
      vendorCode: "resource_missing",
    });
  });

  it("not_found: a live customer in test mode", async () => {
    const customerId = await createCustomer(randomUUID(), billingAt(vendor.url, { secretKey: SECRET_KEYS.live }));

    await expect(attach(customerId, "pm_card_visa")).rejects.toMatchObject({
      failure: "not_found",
    });
    await billing.deleteCustomer(customerId);
    const [customer] = await objectsOf("customer", customerId);
    expect(customer?.state).toBe("active");
  });
});

describe("attachPaymentMethod", () => {
  it("attaches the method to the customer, and returns the card", async () => {
    const customerId = await createCustomer();

    const method = await attach(customerId, "pm_card_mastercard");

    expect(method).toEqual({
      paymentMethodId: expect.stringMatching(/^pm_1\w{23}$/),
      type: "card",
      card: { brand: "mastercard", last4: "4444", expiryMonth: 12, expiryYear: 2034 },
    });
    const [stored] = await objectsOf("payment_method", customerId);
    expect(stored).toMatchObject({ id: method.paymentMethodId, state: "attached" });
  });

  it("succeeds if the method is already attached to the customer", async () => {
    const { customerId, paymentMethodId } = await arrange();

    const again = await attach(customerId, paymentMethodId);

    expect(again.paymentMethodId).toBe(paymentMethodId);
    expect(vendor.requests.list().at(-2)).toMatchObject({ status: 400 });
  });

  it("refused: the method is attached to another customer", async () => {
    const { paymentMethodId } = await arrange();
    const other = await createCustomer();

    await expect(attach(other, paymentMethodId)).rejects.toMatchObject({
      failure: "refused",
      operation: "PostPaymentMethodsPaymentMethodAttach",
      vendorMessage: expect.stringContaining("already been attached"),
    });
    expect(await objectsOf("payment_method", other)).toEqual([]);
  });

  it.each([
    ["pm_card_chargeDeclined", "card_declined", "generic_decline"],
    ["pm_card_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card", "expired"],
  ])("refused: %s, with %s and %s", async (card, vendorCode, fields) => {
    const customerId = await createCustomer();

    await expect(attach(customerId, card)).rejects.toMatchObject({
      failure: "refused",
      vendorCode,
      vendorMessage: expect.stringContaining(fields),
    });
    expect(await objectsOf("payment_method", customerId)).toEqual([]);
  });

  it.each(["pm_1made0up", "../customers", "pm_card_unheardOf"])("not_found: %s", async (id) => {
    const customerId = await createCustomer();

    await expect(attach(customerId, id)).rejects.toMatchObject({ failure: "not_found" });
  });
});

describe("setUpPaymentMethod", () => {
  it("succeeded: returns no client secret if no action is required", async () => {
    const method = await arrange();

    const setup = await setUp(method);

    expect(setup).toEqual({
      setupIntentId: expect.stringMatching(/^seti_1\w{23}$/),
      status: "succeeded",
      clientSecret: null,
      redirectUrl: null,
    });
    const [intent] = await objectsOf("setup_intent", method.customerId);
    expect(intent?.data).toMatchObject({
      paymentMethod: method.paymentMethodId,
      usage: "off_session",
      automatic: { enabled: true, allow_redirects: "never" },
    });
    expect(await billing.readSetup(setup.setupIntentId)).toEqual(setup);
  });

  it("creates one setup for repeated calls with the same idempotency key", async () => {
    const method = await arrange();
    const received = { ...method, returnUrl: null, idempotencyKey: randomUUID() };

    const first = await billing.setUpPaymentMethod(received);
    const second = await billing.setUpPaymentMethod(received);

    expect(second).toEqual(first);
    expect(await objectsOf("setup_intent", method.customerId)).toHaveLength(1);
  });

  it("creates one setup for two simultaneous calls with the same idempotency key", async () => {
    const method = await arrange();
    const received = { ...method, returnUrl: null, idempotencyKey: randomUUID() };

    const [one, other] = await Promise.all([
      billing.setUpPaymentMethod(received),
      billing.setUpPaymentMethod(received),
    ]);

    expect(one).toEqual(other);
    expect(await objectsOf("setup_intent", method.customerId)).toHaveLength(1);
  });

  it("requires_action: returns the client secret, and no redirect URL without a return URL", async () => {
    const setup = await setUp(await arrange("pm_card_authenticationRequired"));

    expect(setup).toMatchObject({
      status: "requires_action",
      clientSecret: expect.stringMatching(/^seti_1\w{23}_secret_\w{25}$/),
      redirectUrl: null,
    });
  });

  it.each([
    ["complete", "succeeded", "succeeded"],
    ["fail", "failed", "requires_payment_method"],
  ])(
    "requires_action: after the owner chose %s on the page, the setup is %s",
    async (decision, redirectStatus, status) => {
      const received = await setUp(await arrange("pm_card_authenticationRequired"), RETURN_URL);

      const back = await submitPage(received.redirectUrl ?? "", decision);

      expect(back.href.startsWith(`${RETURN_URL}&`)).toBe(true);
      expect(back.searchParams.get("redirect_status")).toBe(redirectStatus);
      expect(await billing.readSetup(received.setupIntentId)).toEqual({
        setupIntentId: received.setupIntentId,
        status,
        clientSecret: null,
        redirectUrl: null,
      });
    },
  );

  it("not_found: the setup does not exist", async () => {
    await expect(billing.readSetup("seti_1made0up")).rejects.toMatchObject({
      failure: "not_found",
      operation: "GetSetupIntentsIntent",
    });
  });
});

describe("setDefaultPaymentMethod", () => {
  it("sets the default", async () => {
    const { customerId, paymentMethodId } = await arrange();

    await billing.setDefaultPaymentMethod({
      customerId,
      paymentMethodId,
      idempotencyKey: randomUUID(),
    });

    const [customer] = await objectsOf("customer", customerId);
    expect(customer?.data).toMatchObject({
      name: "Atlas",
      metadata: METADATA,
      defaultPaymentMethod: paymentMethodId,
    });
  });

  it("not_found: the customer does not have the method", async () => {
    const { paymentMethodId } = await arrange();
    const customerId = await createCustomer();

    await expect(
      billing.setDefaultPaymentMethod({
        customerId,
        paymentMethodId,
        idempotencyKey: randomUUID(),
      }),
    ).rejects.toMatchObject({ failure: "not_found" });
  });
});

describe("Stripe failures", () => {
  interface Effect {
    readonly operation: string;
    /** The number of attempts that the adapter makes. It is 1 if sagas retry the call. */
    readonly attemptsMax: 1 | 3;
    call(): Promise<unknown>;
    applied(): Promise<number>;
  }

  /** Returns an adapter with a short timeout if an outcome is a timeout. */
  function billingFor(outcomes: readonly Outcome[]): BillingProcessor {
    return outcomes.some((outcome) => outcome.startsWith("timeout")) ? billingAt(vendor.url, SHORT_TIMEOUT) : billing;
  }

  /**
   * Returns three writes for the test to send, each for a different customer. `applied` returns the number of times
   * that the simulator applied the write.
   */
  async function effects(received: BillingProcessor): Promise<Effect[]> {
    const attaching = await createCustomer();
    const settingUp = await arrange();
    const name = `Atlas ${randomUUID()}`;
    return [
      {
        operation: "PostCustomers",
        attemptsMax: 1,
        call: () => received.createCustomer({ name, metadata: METADATA, idempotencyKey: randomUUID() }),
        applied: async () => {
          const all = await vendor.context.objects.list<{ name: string }>("customer");
          return all.filter(({ data }) => data.name === name).length;
        },
      },
      {
        operation: "PostPaymentMethodsPaymentMethodAttach",
        attemptsMax: 3,
        call: () => attach(attaching, "pm_card_visa", received),
        applied: async () => (await objectsOf("payment_method", attaching)).length,
      },
      {
        operation: "PostSetupIntents",
        attemptsMax: 3,
        call: () => setUp(settingUp, null, received),
        applied: async () => (await objectsOf("setup_intent", settingUp.customerId)).length,
      },
    ];
  }

  const FAILING: [Outcome[], string, number][] = [
    [["refused"], "refused", 0],
    [["rate_limited"], "rate_limited", 0],
    // The time limit covers all attempts of a call. The first attempt uses it up, so there is no second attempt.
    [["timeout_applied"], "unknown", 1],
    [["timeout_lost"], "unknown", 0],
    [["error_applied", "error_applied", "error_applied"], "unknown", 1],
    // The last attempt is rate-limited and has no effect, but the previous attempt may have been applied.
    [["error_applied", "rate_limited"], "unknown", 1],
  ];
  it.each(FAILING)("%j: %s, applied %i times", async (outcomes, failure, times) => {
    const all = await effects(billingFor(outcomes));
    for (const { operation, attemptsMax } of all) {
      for (const outcome of outcomes.slice(0, attemptsMax)) {
        vendor.outcomes.force({ operation, outcome });
      }
    }

    const errors = await Promise.all(all.map((effect) => effect.call().catch((error: unknown) => error)));

    for (const [index, { operation }] of all.entries()) {
      expect(errors[index]).toBeInstanceOf(VendorError);
      expect(errors[index]).toMatchObject({ failure, operation, vendor: "stripe" });
    }
    expect(await Promise.all(all.map((effect) => effect.applied()))).toEqual([times, times, times]);
  });

  it("error_applied in calls with three attempts: retried with the same idempotency key, and applied once", async () => {
    const repeated = (await effects(billing)).filter(({ attemptsMax }) => attemptsMax === 3);
    for (const { operation } of repeated) {
      vendor.outcomes.force({ operation, outcome: "error_applied" });
    }
    const since = vendor.requests.list().length;

    await Promise.all(repeated.map((effect) => effect.call()));

    expect(await Promise.all(repeated.map((effect) => effect.applied()))).toEqual([1, 1]);
    const sent = vendor.requests.list().slice(since);
    const keys = sent.map(({ headers }) => headers["idempotency-key"]);
    expect(sent).toHaveLength(4);
    expect(new Set(keys).size).toBe(2);
    expect(keys.every((key) => /^[0-9a-f-]{36}$/.test(String(key)))).toBe(true);
  });

  it.each(["duplicate", "slow"] as const)("%s: sent and applied once", async (outcome) => {
    const all = await effects(billing);
    for (const { operation } of all) vendor.outcomes.force({ operation, outcome, delayMs: 300 });
    const since = vendor.requests.list().length;

    await Promise.all(all.map((effect) => effect.call()));

    expect(await Promise.all(all.map((effect) => effect.applied()))).toEqual([1, 1, 1]);
    expect(vendor.requests.list().slice(since)).toHaveLength(3);
  });

  it("unknown: a call with the same idempotency key is still running", async () => {
    const busy = await startServer(() => ({
      status: 409,
      body: JSON.stringify({
        error: { type: "idempotency_error", code: "idempotency_key_in_use", message: "busy" },
      }),
    }));

    await expect(createCustomer(randomUUID(), billingAt(busy.url))).rejects.toMatchObject({
      failure: "unknown",
      vendorCode: "idempotency_key_in_use",
    });
    await busy.close();
  });

  it("rate_limited: includes the seconds from Retry-After", async () => {
    vendor.outcomes.force({ operation: "PostCustomers", outcome: "rate_limited" });

    await expect(createCustomer()).rejects.toMatchObject({
      failure: "rate_limited",
      vendorCode: "rate_limit",
      retryAfterSeconds: 1,
    });
  });

  it("unavailable, not unknown: a read times out", async () => {
    const { setupIntentId } = await setUp(await arrange());
    const operation = "GetSetupIntentsIntent";
    vendor.outcomes.force({ operation, outcome: "timeout_lost" });

    await expect(billingAt(vendor.url, SHORT_TIMEOUT).readSetup(setupIntentId)).rejects.toMatchObject({
      failure: "unavailable",
    });
  });

  it("unauthorized: the secret key is invalid; the error does not contain it", async () => {
    const secretKey = "sk_test_invalid";
    const error: unknown = await createCustomer(randomUUID(), billingAt(vendor.url, { secretKey })).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toMatchObject({ failure: "unauthorized" });
    expect(loggableTextOf(error)).not.toContain(secretKey);
  });

  it("unavailable after the timeout: a response that arrives byte by byte", async () => {
    const slow = await startServer(() => ({ status: 200, body: Readable.from(endlessResponse()) }));
    const startedAt = performance.now();

    await expect(billingAt(slow.url, SHORT_TIMEOUT).readSetup("seti_1")).rejects.toMatchObject({
      failure: "unavailable",
    });

    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await slow.close();
  });

  it("unavailable: a response of more than 1 MiB, which is not read completely", async () => {
    const counted = { bytes: 0 };
    const flooding = await startServer(() => ({
      status: 200,
      body: Readable.from(longResponse(counted)),
    }));

    await expect(billingAt(flooding.url).readSetup("seti_1")).rejects.toMatchObject({
      failure: "unavailable",
    });

    await flooding.close();
    // The client stops reading after 1 MiB. Because sockets buffer data, the server can send more than that, but far
    // less than the whole response.
    expect(counted.bytes).toBeLessThan(FLOOD_BYTES / 2);
  });

  it("unknown: a redirect, which is not followed", async () => {
    const received: string[] = [];
    const redirecting = await startServer(({ method, path }) => {
      received.push(`${method} ${path}`);
      return { status: 307, body: "", headers: { location: "/v1/elsewhere" } };
    });

    await expect(createCustomer(randomUUID(), billingAt(redirecting.url))).rejects.toMatchObject({
      failure: "unknown",
    });
    expect(received).toEqual(["POST /v1/customers"]);
    await redirecting.close();
  });
});

describe("requests", () => {
  it("contain Purser's user agent and the pinned API version, and no telemetry", async () => {
    await createCustomer();
    await createCustomer();

    const { headers } = vendor.requests.list().at(-1) ?? {};
    expect(headers).toMatchObject({
      "user-agent": expect.stringMatching(/ purser\/\d+\.\d+\.\d+ /),
      "stripe-version": "2026-10-28.endive",
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(headers).not.toHaveProperty("x-stripe-client-telemetry");
  });
});

describe("response about a different object", () => {
  let proxy: Awaited<ReturnType<typeof startServer>>;
  let tamper: (body: Record<string, unknown>) => unknown;
  let tampered: BillingProcessor;
  beforeEach(async () => {
    proxy = await startServer(async (request) => {
      const original = await fetch(new URL(request.path, vendor.url), request);
      return {
        status: original.status,
        body: JSON.stringify(tamper(Object(await original.json()))),
      };
    });
    tampered = billingAt(proxy.url);
  });
  afterEach(() => proxy.close());

  it.each([
    ["another customer's metadata", { metadata: { ...METADATA, project_id: "proj_2" } }],
    ["no id", { id: "" }],
    ["another object type", { object: "account" }],
  ])("createCustomer: unknown for a response with %s", async (_what, change) => {
    tamper = (body) => ({ ...body, ...change });

    await expect(createCustomer(randomUUID(), tampered)).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it.each([
    ["another customer", { customer: "cus_other" }],
    ["no customer", { customer: null }],
    ["a malformed card", { card: { brand: "visa", last4: "42" } }],
  ])("attachPaymentMethod: unknown for a response with %s", async (_what, change) => {
    const customerId = await createCustomer();
    tamper = (body) => ({ ...body, ...change });

    await expect(attach(customerId, "pm_card_visa", tampered)).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it("attachPaymentMethod: unknown for a response with another method", async () => {
    const customerId = await createCustomer();
    // A setup that requires an action from the card's owner creates a payment method that is not attached yet.
    await setUp({ customerId, paymentMethodId: "pm_card_authenticationRequired" });
    const [intent] = await objectsOf("setup_intent", customerId);
    tamper = (body) => ({ ...body, id: "pm_1other" });

    await expect(attach(customerId, String(intent?.data["paymentMethod"]), tampered)).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it.each([
    ["another customer", { customer: "cus_other" }],
    ["another method", { payment_method: "pm_1other" }],
    ["no method, and success", { payment_method: null }],
    ["an unknown status", { status: "fine" }],
    ["a javascript: page", { next_action: { redirect_to_url: { url: "javascript:x" } } }],
  ])("setUpPaymentMethod: unknown for a response with %s", async (_what, change) => {
    const method = await arrange();
    tamper = (body) => ({ ...body, ...change });

    await expect(setUp(method, null, tampered)).rejects.toMatchObject({ failure: "unknown" });
  });

  it("readSetup: unavailable for a response with another setup", async () => {
    const { setupIntentId } = await setUp(await arrange());
    tamper = (body) => ({ ...body, id: "seti_1other" });

    await expect(tampered.readSetup(setupIntentId)).rejects.toMatchObject({
      failure: "unavailable",
    });
  });

  it.each([
    ["another customer", { id: "cus_other" }],
    ["another default", { invoice_settings: { default_payment_method: "pm_1other" } }],
  ])("setDefaultPaymentMethod: unknown for a response with %s", async (_what, change) => {
    const method = await arrange();
    tamper = (body) => ({ ...body, ...change });

    await expect(tampered.setDefaultPaymentMethod({ ...method, idempotencyKey: randomUUID() })).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it.each([
    ["another customer", { id: "cus_other" }],
    ["a customer that is not deleted", { deleted: false }],
  ])("deleteCustomer: unknown for a response with %s", async (_what, change) => {
    const customerId = await createCustomer();
    tamper = (body) => ({ ...body, ...change });

    await expect(tampered.deleteCustomer(customerId)).rejects.toMatchObject({ failure: "unknown" });
  });

  it.each([
    ["with NUL", { code: "a\0b", message: "no\0\ud800" }, "no��"],
    ["truncated within a character", { message: `${"x".repeat(199)}😀` }, `${"x".repeat(199)}�`],
    ["with a long code", { code: "x".repeat(65), decline_code: "because" }, "because"],
    ["with fields of the wrong types", { code: 7, message: { no: 1 }, decline_code: ["no"] }, undefined],
  ])("an error %s is converted to text that the database can store", async (_what, fields, message) => {
    const refusing = await startServer(() => ({
      status: 402,
      body: JSON.stringify({ error: { type: "card_error", ...fields } }),
    }));

    const error: unknown = await createCustomer(randomUUID(), billingAt(refusing.url)).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toBeInstanceOf(VendorError);
    expect(error).toMatchObject({
      failure: "refused",
      vendorCode: "card_error",
      vendorMessage: message,
    });
    await refusing.close();
  });

  it("errors do not contain secrets that Stripe echoes", async () => {
    const secrets = [SECRET_KEYS.test, "sk_live_other", "seti_1abc_secret_def", "whsec_xyz"];
    const refusing = await startServer(() => ({
      status: 402,
      body: JSON.stringify({
        error: {
          type: "card_error",
          code: "card_declined",
          message: secrets.join(" "),
          setup_intent: { client_secret: secrets[2] },
        },
      }),
    }));

    const error: unknown = await createCustomer(randomUUID(), billingAt(refusing.url)).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toMatchObject({ failure: "refused", vendorMessage: expect.any(String) });
    for (const secret of secrets) expect(loggableTextOf(error)).not.toContain(secret);
    await refusing.close();
  });
});

/** Returns everything that a log entry could contain about an error and its causes. */
function loggableTextOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [JSON.stringify(error), error.stack, loggableTextOf(error.cause)].join("\n");
}

/** Submits the page on which a card's owner confirms the payment method, and returns the redirect URL. */
async function submitPage(url: string, decision: string): Promise<URL> {
  const page = await fetch(url);
  expect(await page.text()).toContain(`value="${decision}"`);
  const body = new URLSearchParams({ decision });
  const response = await fetch(url, { method: "POST", body, redirect: "manual" });
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** Yields a chunk every 50 ms and never ends. */
async function* endlessResponse(): AsyncGenerator<string> {
  for await (const chunk of setInterval(50, " ")) yield chunk;
}

/** Yields far more than 1 MiB and counts the bytes sent, which shows whether the client reads the whole response. */
async function* longResponse(counted: { bytes: number }): AsyncGenerator<string> {
  const chunk = " ".repeat(65_536);
  while (counted.bytes < FLOOD_BYTES) {
    yield chunk;
    counted.bytes += chunk.length;
  }
}

/** Starts a server that responds as the test defines. */
async function startServer(
  respond: (request: Sent) => Promise<TestResponse> | TestResponse,
): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const {
      status,
      body,
      headers: responseHeaders,
    } = await respond({
      path: request.url ?? "/",
      method: request.method ?? "GET",
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          typeof value === "string" && name !== "content-length" ? [[name, value]] : [],
        ),
      ),
      body: text === "" ? null : text,
    });
    response.writeHead(status, { "content-type": "application/json", ...responseHeaders });
    // The client may close the connection early.
    await pipeline(typeof body === "string" ? [body] : body, response).catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface TestResponse {
  readonly status: number;
  readonly body: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}
