import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { stripeSimulator } from "@purser/simulators/stripe/stripe-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import {
  startMisbehavingVendor,
  unreachableUrl,
} from "../../../test/vendors/misbehaving-vendor.ts";
import type { BillingProcessor } from "../../ports/billing-processor.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createStripeBilling } from "./stripe-billing.ts";

/** All `BillingProcessor` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS = [{ name: "Stripe", start: startStripe }] as const;

const SECRET_KEYS = { live: "sk_live_0123456789abcdef", test: "sk_test_0123456789abcdef" };
const METADATA = { project_id: "proj_1", tenant_id: "ten_1" };

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs: number) => BillingProcessor;
  /** The payment method id of a valid test card. */
  readonly card: string;
}

async function startStripe(): Promise<Subject> {
  return {
    vendor: await startTestVendor(
      stripeSimulator({ secretKeys: SECRET_KEYS, webhookSecrets: SECRET_KEYS }),
    ),
    open: (apiUrl, timeoutMs) =>
      createStripeBilling({ secretKey: SECRET_KEYS.test, apiUrl, timeoutMs }),
    card: "pm_card_visa",
  };
}

/**
 * For each call, the expected failure if the vendor does not respond, and the expected number of attempts. Calls with
 * one attempt are retried by sagas, not by the adapter.
 */
const CALLS = [
  { call: "createCustomer", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "deleteCustomer", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "readSetup", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "attachPaymentMethod", failureWithoutResponse: "unknown", attempts: 3 },
  { call: "setUpPaymentMethod", failureWithoutResponse: "unknown", attempts: 3 },
  { call: "setDefaultPaymentMethod", failureWithoutResponse: "unknown", attempts: 3 },
] as const;

describe.each(ADAPTERS)("payment processor $name", ({ start }) => {
  let subject: Subject;
  let billing: BillingProcessor;
  beforeAll(async () => {
    subject = await start();
    billing = subject.open(subject.vendor.url, 5_000);
  });
  afterAll(() => subject.vendor.close());
  afterEach(() => {
    expect(subject.vendor.requests.counts().invalid).toBe(0);
  });

  const newCustomer = async (idempotencyKey: string = randomUUID()) => {
    const customer = { name: "Atlas", metadata: METADATA, idempotencyKey };
    return (await billing.createCustomer(customer)).customerId;
  };

  /** Creates a customer and attaches a card. */
  async function arrange() {
    const customerId = await newCustomer();
    const { paymentMethodId } = await billing.attachPaymentMethod({
      customerId,
      paymentMethodId: subject.card,
      idempotencyKey: randomUUID(),
    });
    return { customerId, paymentMethodId };
  }

  it("creates one customer for repeated calls with the same idempotency key", async () => {
    const key = randomUUID();

    const customerIds = [await newCustomer(key), await newCustomer(key), await newCustomer(key)];

    expect(new Set(customerIds).size).toBe(1);
    expect(await newCustomer()).not.toBe(customerIds[0]);
  });

  it("attaches one card for repeated calls with the same idempotency key", async () => {
    const attachment = {
      customerId: await newCustomer(),
      paymentMethodId: subject.card,
      idempotencyKey: randomUUID(),
    };

    const first = await billing.attachPaymentMethod(attachment);

    expect(await billing.attachPaymentMethod(attachment)).toEqual(first);
  });

  it("attaches a payment method to the same customer again, and rejects attaching it to another customer", async () => {
    const { customerId, paymentMethodId } = await arrange();
    const attachment = { paymentMethodId, idempotencyKey: randomUUID() };

    const again = await billing.attachPaymentMethod({ ...attachment, customerId });
    const stolen = billing.attachPaymentMethod({
      ...attachment,
      customerId: await newCustomer(),
      idempotencyKey: randomUUID(),
    });

    expect(again.paymentMethodId).toBe(paymentMethodId);
    await expect(stolen).rejects.toMatchObject({ failure: "refused" });
  });

  it("creates one setup for repeated calls with the same idempotency key, and reads it", async () => {
    const opened = { ...(await arrange()), returnUrl: null, idempotencyKey: randomUUID() };

    const setup = await billing.setUpPaymentMethod(opened);

    expect(setup).toMatchObject({ status: "succeeded", clientSecret: null, redirectUrl: null });
    expect(await billing.setUpPaymentMethod(opened)).toEqual(setup);
    expect(await billing.readSetup(setup.setupIntentId)).toEqual(setup);
  });

  it("sets the default payment method, even if it is already the default", async () => {
    const choice = await arrange();

    await billing.setDefaultPaymentMethod({ ...choice, idempotencyKey: randomUUID() });
    await billing.setDefaultPaymentMethod({ ...choice, idempotencyKey: randomUUID() });
  });

  it("deletes a customer, and succeeds if it is already deleted", async () => {
    const { customerId, paymentMethodId } = await arrange();

    await billing.deleteCustomer(customerId);
    await billing.deleteCustomer(customerId);

    const setup = { customerId, paymentMethodId, returnUrl: null, idempotencyKey: randomUUID() };
    await expect(billing.setUpPaymentMethod(setup)).rejects.toMatchObject({ failure: "not_found" });
  });

  describe.each(CALLS)("$call", ({ call, failureWithoutResponse, attempts }) => {
    /** Returns the VendorError that the call throws. */
    async function failureOf(url: string, timeoutMs = 5_000): Promise<VendorError> {
      const opened = subject.open(url, timeoutMs);
      const names = { customerId: "cus_1", paymentMethodId: "pm_1", idempotencyKey: randomUUID() };
      const { idempotencyKey } = names;
      const calls: Readonly<Record<typeof call, () => Promise<unknown>>> = {
        createCustomer: () =>
          opened.createCustomer({ name: "Atlas", metadata: METADATA, idempotencyKey }),
        deleteCustomer: () => opened.deleteCustomer("cus_1"),
        readSetup: () => opened.readSetup("seti_1"),
        attachPaymentMethod: () => opened.attachPaymentMethod(names),
        setUpPaymentMethod: () => opened.setUpPaymentMethod({ ...names, returnUrl: null }),
        setDefaultPaymentMethod: () => opened.setDefaultPaymentMethod(names),
      };
      const thrown: unknown = await calls[call]().then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(VendorError);
      return thrown as VendorError;
    }

    it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
      ["does not respond", () => {}],
      ["closes the connection", (response) => response.destroy()],
      ["sends half a response", (response) => response.writeHead(200).write('{"id":')],
      ["responds with 500", (response) => response.writeHead(500).end("{}")],
      ["responds with HTML", (response) => response.end("<html>All good</html>")],
      ["responds with an unexpected shape", (response) => response.end('{"id":7}')],
      [
        "redirects to another host",
        (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
      ],
    ])(`${failureWithoutResponse}: the processor %s`, async (_what, respond) => {
      expect((await failureOf(await startMisbehavingVendor(respond), 100)).failure).toBe(
        failureWithoutResponse,
      );
    });

    it(`${failureWithoutResponse}: the connection is refused`, async () => {
      expect((await failureOf(await unreachableUrl())).failure).toBe(failureWithoutResponse);
    });

    it(`makes at most ${attempts} attempts`, async () => {
      const sent: string[] = [];
      const url = await startMisbehavingVendor((response, request) => {
        sent.push(request);
        response.writeHead(503).end("{}");
      });

      await failureOf(url);

      expect(sent).toHaveLength(attempts);
    });

    it("errors do not contain a secret key that the processor echoes", async () => {
      const url = await startMisbehavingVendor((response) => {
        response.writeHead(402, { "content-type": "application/json" });
        const repeated = { message: `no: ${SECRET_KEYS.test}`, code: SECRET_KEYS.test };
        response.end(JSON.stringify({ error: { type: "card_error", ...repeated } }));
      });

      const error = await failureOf(url);

      expect(error.failure).toBe("refused");
      expect(inspect(error, { depth: 10 })).not.toContain(SECRET_KEYS.test);
    });
  });
});
