import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { stripeSimulator } from "@purser/simulators/stripe/stripe-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { deadUrl, startMisbehavingVendor } from "../../../test/vendors/misbehaving-vendor.ts";
import type { BillingProcessor } from "../../ports/billing-processor.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createStripeBilling } from "./stripe-billing.ts";

/** Every adapter of the port. What a new one has to bring with it is its `Subject`. */
const ADAPTERS = [{ name: "Stripe", start: startStripe }] as const;

const SECRET_KEYS = { live: "sk_live_0123456789abcdef", test: "sk_test_0123456789abcdef" };
const METADATA = { project_id: "proj_1", tenant_id: "ten_1" };

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs: number) => BillingProcessor;
  /** A card that is good, and what the processor calls the objects that are made of one. */
  readonly card: string;
}

async function startStripe(): Promise<Subject> {
  return {
    vendor: await startTestVendor(stripeSimulator({ secretKeys: SECRET_KEYS })),
    open: (apiUrl, timeoutMs) =>
      createStripeBilling({ secretKey: SECRET_KEYS.test, apiUrl, timeoutMs }),
    card: "pm_card_visa",
  };
}

/** The calls of the port: what no answer to each means, and whether a saga makes them, which repeats them by itself. */
const CALLS = [
  { call: "createCustomer", silence: "unknown", attempts: 1 },
  { call: "deleteCustomer", silence: "unknown", attempts: 1 },
  { call: "readSetup", silence: "unavailable", attempts: 1 },
  { call: "attachPaymentMethod", silence: "unknown", attempts: 3 },
  { call: "setUpPaymentMethod", silence: "unknown", attempts: 3 },
  { call: "setDefaultPaymentMethod", silence: "unknown", attempts: 3 },
] as const;

describe.each(ADAPTERS)("the payment processor $name", ({ start }) => {
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

  /** A customer with a card. */
  async function arrange() {
    const customerId = await newCustomer();
    const { paymentMethodId } = await billing.attachPaymentMethod({
      customerId,
      paymentMethodId: subject.card,
      idempotencyKey: randomUUID(),
    });
    return { customerId, paymentMethodId };
  }

  it("makes one customer, however often it is asked for under one key", async () => {
    const key = randomUUID();

    const made = [await newCustomer(key), await newCustomer(key), await newCustomer(key)];

    expect(new Set(made).size).toBe(1);
    expect(await newCustomer()).not.toBe(made[0]);
  });

  it("attaches one card, however often it is asked for under one key", async () => {
    const attachment = {
      customerId: await newCustomer(),
      paymentMethodId: subject.card,
      idempotencyKey: randomUUID(),
    };

    const first = await billing.attachPaymentMethod(attachment);

    expect(await billing.attachPaymentMethod(attachment)).toEqual(first);
  });

  it("attaches a payment method of the same customer again, and refuses one of another customer", async () => {
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

  it("sets a method up once under one key, and reads that setup", async () => {
    const asked = { ...(await arrange()), returnUrl: null, idempotencyKey: randomUUID() };

    const setup = await billing.setUpPaymentMethod(asked);

    expect(setup).toMatchObject({ status: "succeeded", clientSecret: null, redirectUrl: null });
    expect(await billing.setUpPaymentMethod(asked)).toEqual(setup);
    expect(await billing.readSetup(setup.setupIntentId)).toEqual(setup);
  });

  it("makes a method the default one, also of a customer that has it", async () => {
    const choice = await arrange();

    await billing.setDefaultPaymentMethod({ ...choice, idempotencyKey: randomUUID() });
    await billing.setDefaultPaymentMethod({ ...choice, idempotencyKey: randomUUID() });
  });

  it("deletes a customer, which can be asked for again", async () => {
    const { customerId, paymentMethodId } = await arrange();

    await billing.deleteCustomer(customerId);
    await billing.deleteCustomer(customerId);

    const setup = { customerId, paymentMethodId, returnUrl: null, idempotencyKey: randomUUID() };
    await expect(billing.setUpPaymentMethod(setup)).rejects.toMatchObject({ failure: "not_found" });
  });

  describe.each(CALLS)("when $call is called", ({ call, silence, attempts }) => {
    /** What the call throws, which is never anything else than a VendorError. */
    async function failureOf(url: string, timeoutMs = 5_000): Promise<VendorError> {
      const asked = subject.open(url, timeoutMs);
      const names = { customerId: "cus_1", paymentMethodId: "pm_1", idempotencyKey: randomUUID() };
      const { idempotencyKey } = names;
      const calls: Readonly<Record<typeof call, () => Promise<unknown>>> = {
        createCustomer: () =>
          asked.createCustomer({ name: "Atlas", metadata: METADATA, idempotencyKey }),
        deleteCustomer: () => asked.deleteCustomer("cus_1"),
        readSetup: () => asked.readSetup("seti_1"),
        attachPaymentMethod: () => asked.attachPaymentMethod(names),
        setUpPaymentMethod: () => asked.setUpPaymentMethod({ ...names, returnUrl: null }),
        setDefaultPaymentMethod: () => asked.setDefaultPaymentMethod(names),
      };
      const thrown: unknown = await calls[call]().then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(VendorError);
      return thrown as VendorError;
    }

    it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
      ["never answers", () => {}],
      ["breaks the connection", (response) => response.destroy()],
      ["breaks its answer off", (response) => response.writeHead(200).write('{"id":')],
      ["answers 500", (response) => response.writeHead(500).end("{}")],
      ["answers with HTML", (response) => response.end("<html>All good</html>")],
      ["answers with another shape", (response) => response.end('{"id":7}')],
      [
        "redirects to another host",
        (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
      ],
    ])(`is ${silence} where the processor %s`, async (_what, answer) => {
      expect((await failureOf(await startMisbehavingVendor(answer), 100)).failure).toBe(silence);
    });

    it(`is ${silence} where nobody listens`, async () => {
      expect((await failureOf(await deadUrl())).failure).toBe(silence);
    });

    it(`is sent ${attempts} times at most`, async () => {
      const sent: string[] = [];
      const url = await startMisbehavingVendor((response, request) => {
        sent.push(request);
        response.writeHead(503).end("{}");
      });

      await failureOf(url);

      expect(sent).toHaveLength(attempts);
    });

    it("tells no key that the processor repeats", async () => {
      const url = await startMisbehavingVendor((response) => {
        response.writeHead(402, { "content-type": "application/json" });
        const told = { message: `no: ${SECRET_KEYS.test}`, code: SECRET_KEYS.test };
        response.end(JSON.stringify({ error: { type: "card_error", ...told } }));
      });

      const error = await failureOf(url);

      expect(error.failure).toBe("refused");
      expect(inspect(error, { depth: 10 })).not.toContain(SECRET_KEYS.test);
    });
  });
});
