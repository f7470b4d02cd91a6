import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { stripeSimulator } from "@purser/simulators/stripe/stripe-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
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
  /** The payment method id of a test card that can be attached, but not charged. */
  readonly emptyCard: string;
}

async function startStripe(): Promise<Subject> {
  return {
    vendor: await startTestVendor(stripeSimulator({ secretKeys: SECRET_KEYS, webhookSecrets: SECRET_KEYS })),
    open: (apiUrl, timeoutMs) => createStripeBilling({ secretKey: SECRET_KEYS.test, apiUrl, timeoutMs }),
    card: "pm_card_visa",
    emptyCard: "pm_card_chargeCustomerFail",
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
  { call: "createInvoice", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "addInvoiceItem", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "finalizeInvoice", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "payInvoice", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "findInvoice", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "readInvoice", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "listInvoiceReferences", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "readCharge", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "listCharges", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "readPaymentMethodOwner", failureWithoutResponse: "unavailable", attempts: 1 },
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

  /** Makes a draft for a new customer, whose default is this card. */
  async function draft(card: string) {
    const customerId = await newCustomer();
    const attachment = { customerId, paymentMethodId: card, idempotencyKey: randomUUID() };
    const { paymentMethodId } = await billing.attachPaymentMethod(attachment);
    await billing.setDefaultPaymentMethod({
      ...{ customerId, paymentMethodId, idempotencyKey: randomUUID() },
    });
    const reference = `inv_${randomUUID()}`;
    const invoice = { customerId, reference, description: "one", idempotencyKey: randomUUID() };
    const made = await billing.createInvoice(invoice);
    return { customerId, paymentMethodId, invoice, made, invoiceId: made.invoiceId };
  }

  const item = (
    { customerId, invoiceId }: { readonly customerId: string; readonly invoiceId: string },
    amountCents: bigint,
  ) => {
    const reference = `ch_${randomUUID()}`;
    const idempotencyKey = randomUUID();
    return { customerId, invoiceId, reference, amountCents, description: "one", idempotencyKey };
  };
  const command = (invoiceId: string) => ({ invoiceId, idempotencyKey: randomUUID() });

  it("makes one invoice for repeated calls with the same idempotency key, and finds it by its reference", async () => {
    const { customerId, invoice, made } = await draft(subject.card);

    expect(await billing.createInvoice(invoice)).toEqual(made);
    expect(made).toMatchObject({ status: "draft", totalCents: 0n, customerId, attempted: false });
    const { reference } = invoice;
    expect(await billing.findInvoice({ customerId, reference })).toEqual(made);
    expect(await billing.findInvoice({ customerId, reference: "inv_2" })).toBeUndefined();
  });

  it("adds each item once, lists more than a page of them, and charges their sum", async () => {
    const made = await draft(subject.card);
    const first = item(made, 1_999n);
    await billing.addInvoiceItem(first);
    await billing.addInvoiceItem(first);
    const others = Array.from({ length: 100 }, (_none, index) => item(made, BigInt(index + 1)));
    for (const other of others) await billing.addInvoiceItem(other);

    const references = await billing.listInvoiceReferences(made.invoiceId);
    const finalized = await billing.finalizeInvoice(command(made.invoiceId));
    const paid = await billing.payInvoice(command(made.invoiceId));

    expect(references).toEqual(new Set([first, ...others].map(({ reference }) => reference)));
    expect(finalized).toMatchObject({ status: "open", totalCents: 7_049n, attempted: false });
    expect(paid).toMatchObject({ status: "paid", totalCents: 7_049n });
    expect(await billing.readInvoice(made.invoiceId)).toEqual(paid);
    const charges = await billing.listCharges(made.customerId);
    expect(charges).toMatchObject([{ customerId: made.customerId, refundedCents: 0n }]);
    expect(await billing.readCharge(charges[0]?.chargeId ?? "")).toEqual(charges[0]);
  });

  it("an invoice below 0.50 is paid without a charge, and the next one charges it too", async () => {
    const { customerId, ...made } = await draft(subject.card);
    await billing.addInvoiceItem(item({ customerId, ...made }, 49n));
    const finalized = await billing.finalizeInvoice(command(made.invoiceId));
    expect(finalized).toMatchObject({ status: "paid", totalCents: 49n, attempted: false });
    expect(await billing.listCharges(customerId)).toEqual([]);

    const next = { ...made.invoice, reference: "inv_next", idempotencyKey: randomUUID() };
    const { invoiceId } = await billing.createInvoice(next);
    await billing.addInvoiceItem(item({ customerId, invoiceId }, 1n));
    expect(await billing.finalizeInvoice(command(invoiceId))).toMatchObject({ status: "open" });
    await billing.payInvoice(command(invoiceId));
    expect(await billing.listCharges(customerId)).toHaveLength(1);
  });

  it("refuses a declined payment, and leaves the invoice open", async () => {
    const made = await draft(subject.emptyCard);
    await billing.addInvoiceItem(item(made, 100n));
    await billing.finalizeInvoice(command(made.invoiceId));

    const payment = billing.payInvoice(command(made.invoiceId));

    await expect(payment).rejects.toMatchObject({ failure: "refused" });
    const declined = await billing.readInvoice(made.invoiceId);
    expect(declined).toMatchObject({ status: "open", attempted: true });
  });

  it("reads the owner of a payment method", async () => {
    const { customerId, paymentMethodId } = await arrange();

    expect(await billing.readPaymentMethodOwner(paymentMethodId)).toBe(customerId);
    await billing.deleteCustomer(customerId);
    expect(await billing.readPaymentMethodOwner(paymentMethodId)).toBeNull();
  });

  describe.each(CALLS)("$call", ({ call, failureWithoutResponse, attempts }) => {
    /** Returns the VendorError that the call throws. */
    async function failureOf(url: string, timeoutMs = 5_000): Promise<VendorError> {
      const opened = subject.open(url, timeoutMs);
      const names = { customerId: "cus_1", paymentMethodId: "pm_1", idempotencyKey: randomUUID() };
      const { idempotencyKey } = names;
      const item = { invoiceId: "in_1", reference: "ch_1", amountCents: 1n, description: "one" };
      const calls: Readonly<Record<typeof call, () => Promise<unknown>>> = {
        createCustomer: () => opened.createCustomer({ name: "Atlas", metadata: METADATA, idempotencyKey }),
        deleteCustomer: () => opened.deleteCustomer("cus_1"),
        readSetup: () => opened.readSetup("seti_1"),
        attachPaymentMethod: () => opened.attachPaymentMethod(names),
        setUpPaymentMethod: () => opened.setUpPaymentMethod({ ...names, returnUrl: null }),
        setDefaultPaymentMethod: () => opened.setDefaultPaymentMethod(names),
        createInvoice: () => opened.createInvoice({ ...names, ...item }),
        addInvoiceItem: () => opened.addInvoiceItem({ ...names, ...item }),
        finalizeInvoice: () => opened.finalizeInvoice({ ...item, idempotencyKey }),
        payInvoice: () => opened.payInvoice({ ...item, idempotencyKey }),
        findInvoice: () => opened.findInvoice({ ...names, ...item }),
        readInvoice: () => opened.readInvoice(item.invoiceId),
        listInvoiceReferences: () => opened.listInvoiceReferences(item.invoiceId),
        readCharge: () => opened.readCharge("ch_1"),
        listCharges: () => opened.listCharges("cus_1"),
        readPaymentMethodOwner: () => opened.readPaymentMethodOwner("pm_1"),
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
      ["redirects to another host", (response) => response.writeHead(307, { location: "/elsewhere" }).end()],
    ])(`${failureWithoutResponse}: the processor %s`, async (_what, respond) => {
      expect((await failureOf(await startMisbehavingVendor(respond), 100)).failure).toBe(failureWithoutResponse);
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
