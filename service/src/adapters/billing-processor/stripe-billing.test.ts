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
const IMPATIENT = { timeoutMs: 400 };
const FLOOD_BYTES = 64 * 1_048_576;
const METADATA = { project_id: "proj_1", tenant_id: "ten_1" };

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let billing: BillingProcessor;

beforeAll(async () => {
  vendor = await startTestVendor(stripeSimulator({ secretKeys: SECRET_KEYS }));
  billing = billingAt(vendor.url);
  // Vendors' descriptions are compiled when they are first needed, which takes longer than the timeouts below.
  const method = await arrange();
  await billing.readSetup((await setUp(method)).setupIntentId);
});
afterAll(() => vendor.close());
afterEach(() => {
  expect(vendor.requests.counts().invalid).toBe(0);
});

function billingAt(
  apiUrl: string,
  { secretKey = SECRET_KEYS.test, timeoutMs = 5_000 } = {},
): BillingProcessor {
  return createStripeBilling({ secretKey, apiUrl, timeoutMs });
}

async function createCustomer(idempotencyKey: string = randomUUID(), asked = billing) {
  const customer = await asked.createCustomer({
    name: "Atlas",
    metadata: METADATA,
    idempotencyKey,
  });
  return customer.customerId;
}

function attach(customerId: string, paymentMethodId: string, asked = billing) {
  return asked.attachPaymentMethod({ customerId, paymentMethodId, idempotencyKey: randomUUID() });
}

/** A customer with a card. */
async function arrange(card = "pm_card_visa") {
  const customerId = await createCustomer();
  const { paymentMethodId } = await attach(customerId, card);
  return { customerId, paymentMethodId };
}

function setUp(
  method: { customerId: string; paymentMethodId: string },
  returnUrl: string | null = null,
  asked = billing,
) {
  return asked.setUpPaymentMethod({ ...method, returnUrl, idempotencyKey: randomUUID() });
}

/** A customer's objects as Stripe has them, told apart from those of other tests by the customer. */
async function objectsOf(type: string, customerId: string) {
  const all = await vendor.context.objects.list<Readonly<Record<string, unknown>>>(type);
  return all.filter(({ id, data }) => id === customerId || data["customer"] === customerId);
}

describe("a customer", () => {
  it("is made under its name, with our ids in its metadata", async () => {
    const customerId = await createCustomer();

    const [customer] = await objectsOf("customer", customerId);
    expect(customer).toMatchObject({
      state: "active",
      data: { name: "Atlas", metadata: METADATA, livemode: false },
    });
  });

  it("is refused under a key that was used for another one", async () => {
    const key = randomUUID();
    await createCustomer(key);

    await expect(
      billing.createCustomer({ name: "Borealis", metadata: METADATA, idempotencyKey: key }),
    ).rejects.toMatchObject({ failure: "refused", vendorCode: "idempotency_error" });
  });

  it("is gone after its deletion, which can be asked for again", async () => {
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

  it("of live mode is absent in test mode", async () => {
    const customerId = await createCustomer(
      randomUUID(),
      billingAt(vendor.url, { secretKey: SECRET_KEYS.live }),
    );

    await expect(attach(customerId, "pm_card_visa")).rejects.toMatchObject({
      failure: "not_found",
    });
    await billing.deleteCustomer(customerId);
    const [customer] = await objectsOf("customer", customerId);
    expect(customer?.state).toBe("active");
  });
});

describe("attaching a payment method", () => {
  it("makes it the customer's, and shows the card", async () => {
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

  it("is done where the method is the customer's already", async () => {
    const { customerId, paymentMethodId } = await arrange();

    const again = await attach(customerId, paymentMethodId);

    expect(again.paymentMethodId).toBe(paymentMethodId);
    expect(vendor.requests.list().at(-2)).toMatchObject({ status: 400 });
  });

  it("is refused where the method is another customer's", async () => {
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
  ])("is refused of %s with %s, and says %s", async (card, vendorCode, told) => {
    const customerId = await createCustomer();

    await expect(attach(customerId, card)).rejects.toMatchObject({
      failure: "refused",
      vendorCode,
      vendorMessage: expect.stringContaining(told),
    });
    expect(await objectsOf("payment_method", customerId)).toEqual([]);
  });

  it.each(["pm_1made0up", "../customers", "pm_card_unheardOf"])(
    "says not_found of %s",
    async (id) => {
      const customerId = await createCustomer();

      await expect(attach(customerId, id)).rejects.toMatchObject({ failure: "not_found" });
    },
  );
});

describe("setting up a payment method", () => {
  it("succeeds at once where nobody has to be asked, and shows no secret", async () => {
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

  it("is one setup, however often it is asked for under one key", async () => {
    const method = await arrange();
    const asked = { ...method, returnUrl: null, idempotencyKey: randomUUID() };

    const first = await billing.setUpPaymentMethod(asked);
    const second = await billing.setUpPaymentMethod(asked);

    expect(second).toEqual(first);
    expect(await objectsOf("setup_intent", method.customerId)).toHaveLength(1);
  });

  it("is one setup for two who ask at the same moment", async () => {
    const method = await arrange();
    const asked = { ...method, returnUrl: null, idempotencyKey: randomUUID() };

    const [one, other] = await Promise.all([
      billing.setUpPaymentMethod(asked),
      billing.setUpPaymentMethod(asked),
    ]);

    expect(one).toEqual(other);
    expect(await objectsOf("setup_intent", method.customerId)).toHaveLength(1);
  });

  it("hands out the client secret where the owner has to be asked, and no page without redirects", async () => {
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
  ])("leads over the owner's page by %s to %s", async (decision, redirectStatus, status) => {
    const asked = await setUp(await arrange("pm_card_authenticationRequired"), RETURN_URL);

    const back = await answerPage(asked.redirectUrl ?? "", decision);

    expect(back.href.startsWith(`${RETURN_URL}&`)).toBe(true);
    expect(back.searchParams.get("redirect_status")).toBe(redirectStatus);
    expect(await billing.readSetup(asked.setupIntentId)).toEqual({
      setupIntentId: asked.setupIntentId,
      status,
      clientSecret: null,
      redirectUrl: null,
    });
  });

  it("says not_found of a setup that there is none of", async () => {
    await expect(billing.readSetup("seti_1made0up")).rejects.toMatchObject({
      failure: "not_found",
      operation: "GetSetupIntentsIntent",
    });
  });
});

describe("the default payment method", () => {
  it("is set", async () => {
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

  it("is refused where the customer has no such method", async () => {
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

describe("what goes wrong at Stripe", () => {
  interface Effect {
    readonly operation: string;
    /** 1: a saga makes the call, and repeats it by itself. */
    readonly attemptsMax: 1 | 3;
    call(): Promise<unknown>;
    applied(): Promise<number>;
  }

  /** Waits for no answer longer than it has to. */
  function billingFor(outcomes: readonly Outcome[]): BillingProcessor {
    return outcomes.some((outcome) => outcome.startsWith("timeout"))
      ? billingAt(vendor.url, IMPATIENT)
      : billing;
  }

  /** Three effects, each on a customer of its own, and how many times each was applied. */
  async function effects(asked: BillingProcessor): Promise<Effect[]> {
    const attaching = await createCustomer();
    const settingUp = await arrange();
    const name = `Atlas ${randomUUID()}`;
    return [
      {
        operation: "PostCustomers",
        attemptsMax: 1,
        call: () =>
          asked.createCustomer({ name, metadata: METADATA, idempotencyKey: randomUUID() }),
        applied: async () => {
          const all = await vendor.context.objects.list<{ name: string }>("customer");
          return all.filter(({ data }) => data.name === name).length;
        },
      },
      {
        operation: "PostPaymentMethodsPaymentMethodAttach",
        attemptsMax: 3,
        call: () => attach(attaching, "pm_card_visa", asked),
        applied: async () => (await objectsOf("payment_method", attaching)).length,
      },
      {
        operation: "PostSetupIntents",
        attemptsMax: 3,
        call: () => setUp(settingUp, null, asked),
        applied: async () => (await objectsOf("setup_intent", settingUp.customerId)).length,
      },
    ];
  }

  const FAILING: [Outcome[], string, number][] = [
    [["refused"], "refused", 0],
    [["rate_limited"], "rate_limited", 0],
    // A timeout is the whole call's: no further attempt is made.
    [["timeout_applied"], "unknown", 1],
    [["timeout_lost"], "unknown", 0],
    [["error_applied", "error_applied", "error_applied"], "unknown", 1],
    // The attempt that was turned away says nothing about the one before it.
    [["error_applied", "rate_limited"], "unknown", 1],
  ];
  it.each(FAILING)("%j: is %s, applied %i times", async (outcomes, failure, times) => {
    const all = await effects(billingFor(outcomes));
    for (const { operation, attemptsMax } of all) {
      for (const outcome of outcomes.slice(0, attemptsMax)) {
        vendor.outcomes.force({ operation, outcome });
      }
    }

    const errors = await Promise.all(
      all.map((effect) => effect.call().catch((error: unknown) => error)),
    );

    for (const [index, { operation }] of all.entries()) {
      expect(errors[index]).toBeInstanceOf(VendorError);
      expect(errors[index]).toMatchObject({ failure, operation, vendor: "stripe" });
    }
    expect(await Promise.all(all.map((effect) => effect.applied()))).toEqual([times, times, times]);
  });

  it("error_applied once, while a request waits: is repeated under the same key, and applied once", async () => {
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

  it.each(["duplicate", "slow"] as const)("%s: is sent and applied once", async (outcome) => {
    const all = await effects(billing);
    for (const { operation } of all) vendor.outcomes.force({ operation, outcome, delayMs: 300 });
    const since = vendor.requests.list().length;

    await Promise.all(all.map((effect) => effect.call()));

    expect(await Promise.all(all.map((effect) => effect.applied()))).toEqual([1, 1, 1]);
    expect(vendor.requests.list().slice(since)).toHaveLength(3);
  });

  it("says unknown while a call under the same key is still at work", async () => {
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

  it("says after how long a rate limit is worth another try", async () => {
    vendor.outcomes.force({ operation: "PostCustomers", outcome: "rate_limited" });

    await expect(createCustomer()).rejects.toMatchObject({
      failure: "rate_limited",
      vendorCode: "rate_limit",
      retryAfterSeconds: 1,
    });
  });

  it("of a read is never unknown", async () => {
    const { setupIntentId } = await setUp(await arrange());
    const operation = "GetSetupIntentsIntent";
    vendor.outcomes.force({ operation, outcome: "timeout_lost" });

    await expect(billingAt(vendor.url, IMPATIENT).readSetup(setupIntentId)).rejects.toMatchObject({
      failure: "unavailable",
    });
  });

  it("says unauthorized of a key that opens nothing, and repeats it nowhere", async () => {
    const secretKey = "sk_test_somebodyelses";
    const error: unknown = await createCustomer(
      randomUUID(),
      billingAt(vendor.url, { secretKey }),
    ).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ failure: "unauthorized" });
    expect(everythingIn(error)).not.toContain(secretKey);
  });

  it("waits for an answer that comes drop by drop no longer than for none", async () => {
    const dripping = await startServer(() => ({ status: 200, body: Readable.from(drip()) }));
    const startedAt = performance.now();

    await expect(billingAt(dripping.url, IMPATIENT).readSetup("seti_1")).rejects.toMatchObject({
      failure: "unavailable",
    });

    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await dripping.close();
  });

  it("reads no answer beyond a mebibyte", async () => {
    const counted = { bytes: 0 };
    const flooding = await startServer(() => ({
      status: 200,
      body: Readable.from(flood(counted)),
    }));

    await expect(billingAt(flooding.url).readSetup("seti_1")).rejects.toMatchObject({
      failure: "unavailable",
    });

    await flooding.close();
    // The machine's own buffers take some, too.
    expect(counted.bytes).toBeLessThan(FLOOD_BYTES / 2);
  });

  it("follows no redirect", async () => {
    const asked: string[] = [];
    const redirecting = await startServer(({ method, path }) => {
      asked.push(`${method} ${path}`);
      return { status: 307, body: "", headers: { location: "/v1/elsewhere" } };
    });

    await expect(createCustomer(randomUUID(), billingAt(redirecting.url))).rejects.toMatchObject({
      failure: "unknown",
    });
    expect(asked).toEqual(["POST /v1/customers"]);
    await redirecting.close();
  });
});

describe("what is sent", () => {
  it("says who we are, in the pinned version, without telemetry", async () => {
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

describe("an answer that is not about what was asked", () => {
  let liar: Awaited<ReturnType<typeof startServer>>;
  let lie: (body: Record<string, unknown>) => unknown;
  let lied: BillingProcessor;
  beforeEach(async () => {
    liar = await startServer(async (request) => {
      const answer = await fetch(new URL(request.path, vendor.url), request);
      return { status: answer.status, body: JSON.stringify(lie(Object(await answer.json()))) };
    });
    lied = billingAt(liar.url);
  });
  afterEach(() => liar.close());

  it.each([
    ["another customer's metadata", { metadata: { ...METADATA, project_id: "proj_2" } }],
    ["no id", { id: "" }],
    ["something else", { object: "account" }],
  ])("with %s is not taken for the new customer", async (_what, change) => {
    lie = (body) => ({ ...body, ...change });

    await expect(createCustomer(randomUUID(), lied)).rejects.toMatchObject({ failure: "unknown" });
  });

  it.each([
    ["another customer", { customer: "cus_other" }],
    ["no customer", { customer: null }],
    ["a card of another shape", { card: { brand: "visa", last4: "42" } }],
  ])("with %s is not taken for an attached method", async (_what, change) => {
    const customerId = await createCustomer();
    lie = (body) => ({ ...body, ...change });

    await expect(attach(customerId, "pm_card_visa", lied)).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it("with another method is not taken for the one that was to be attached", async () => {
    const customerId = await createCustomer();
    // What waits for its owner is attached to nobody yet.
    await setUp({ customerId, paymentMethodId: "pm_card_authenticationRequired" });
    const [intent] = await objectsOf("setup_intent", customerId);
    lie = (body) => ({ ...body, id: "pm_1other" });

    await expect(
      attach(customerId, String(intent?.data["paymentMethod"]), lied),
    ).rejects.toMatchObject({ failure: "unknown" });
  });

  it.each([
    ["another customer", { customer: "cus_other" }],
    ["another method", { payment_method: "pm_1other" }],
    ["no method, and success", { payment_method: null }],
    ["a status that there is none of", { status: "fine" }],
    ["a page that is a script", { next_action: { redirect_to_url: { url: "javascript:x" } } }],
  ])("with %s is not taken for a setup", async (_what, change) => {
    const method = await arrange();
    lie = (body) => ({ ...body, ...change });

    await expect(setUp(method, null, lied)).rejects.toMatchObject({ failure: "unknown" });
  });

  it("with another setup is not taken for the one that was read", async () => {
    const { setupIntentId } = await setUp(await arrange());
    lie = (body) => ({ ...body, id: "seti_1other" });

    await expect(lied.readSetup(setupIntentId)).rejects.toMatchObject({ failure: "unavailable" });
  });

  it.each([
    ["another customer", { id: "cus_other" }],
    ["another default", { invoice_settings: { default_payment_method: "pm_1other" } }],
  ])("with %s is not taken for a default that was set", async (_what, change) => {
    const method = await arrange();
    lie = (body) => ({ ...body, ...change });

    await expect(
      lied.setDefaultPaymentMethod({ ...method, idempotencyKey: randomUUID() }),
    ).rejects.toMatchObject({ failure: "unknown" });
  });

  it.each([
    ["another customer", { id: "cus_other" }],
    ["a customer that is there still", { deleted: false }],
  ])("with %s is not taken for a deletion", async (_what, change) => {
    const customerId = await createCustomer();
    lie = (body) => ({ ...body, ...change });

    await expect(lied.deleteCustomer(customerId)).rejects.toMatchObject({ failure: "unknown" });
  });

  it.each([
    ["with NUL", { code: "a\0b", message: "no\0\ud800" }, "no��"],
    ["cut in a character", { message: `${"x".repeat(199)}😀` }, `${"x".repeat(199)}�`],
    ["with a long code", { code: "x".repeat(65), decline_code: "because" }, "because"],
    ["of other types", { code: 7, message: { no: 1 }, decline_code: ["no"] }, undefined],
  ])("but an error %s is told in a form that a database takes", async (_what, told, message) => {
    const refusing = await startServer(() => ({
      status: 402,
      body: JSON.stringify({ error: { type: "card_error", ...told } }),
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

  it("tells no secret that Stripe repeats to us", async () => {
    const secrets = [SECRET_KEYS.test, "sk_live_other", "seti_1abc_secret_def", "whsec_xyz"];
    const gossip = await startServer(() => ({
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

    const error: unknown = await createCustomer(randomUUID(), billingAt(gossip.url)).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toMatchObject({ failure: "refused", vendorMessage: expect.any(String) });
    for (const secret of secrets) expect(everythingIn(error)).not.toContain(secret);
    await gossip.close();
  });
});

/** What a log could hold of an error, down the chain of its causes. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [JSON.stringify(error), error.stack, everythingIn(error.cause)].join("\n");
}

/** Presses a button of the page on which a card's owner proves to be one, and comes back with where it leads. */
async function answerPage(url: string, decision: string): Promise<URL> {
  const page = await fetch(url);
  expect(await page.text()).toContain(`value="${decision}"`);
  const body = new URLSearchParams({ decision });
  const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("location") ?? "");
}

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** An answer without an end, and never silent for long. */
async function* drip(): AsyncGenerator<string> {
  for await (const drop of setInterval(50, " ")) yield drop;
}

/** An answer that is long enough to see whether it is read to its end. */
async function* flood(counted: { bytes: number }): AsyncGenerator<string> {
  const wave = " ".repeat(65_536);
  while (counted.bytes < FLOOD_BYTES) {
    yield wave;
    counted.bytes += wave.length;
  }
}

/** A server that answers as the test wants. */
async function startServer(
  answer: (request: Sent) => Promise<Answered> | Answered,
): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const {
      status,
      body,
      headers: answered,
    } = await answer({
      path: request.url ?? "/",
      method: request.method ?? "GET",
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          typeof value === "string" && name !== "content-length" ? [[name, value]] : [],
        ),
      ),
      body: text === "" ? null : text,
    });
    response.writeHead(status, { "content-type": "application/json", ...answered });
    // Who asked may hang up before all is said.
    await pipeline(typeof body === "string" ? [body] : body, response).catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answered {
  readonly status: number;
  readonly body: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}
