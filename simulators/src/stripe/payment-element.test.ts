import { Script } from "node:vm";
import { stringify } from "qs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { stripeSimulator } from "./stripe-simulator.ts";

const KEYS = { live: "sk_live_0123456789abcdef", test: "sk_test_0123456789abcdef" };
const NOW = new Date("2026-11-24T10:00:00Z");

describe("Payment Element of the Stripe simulator", () => {
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;
  beforeAll(async () => {
    const simulator = stripeSimulator({ secretKeys: KEYS, webhookSecrets: KEYS });
    vendor = await startTestVendor(simulator, { now: () => NOW });
  });
  afterAll(() => vendor.close());

  async function send(path: string, key: string, form?: object) {
    const init = form && { method: "POST", body: new URLSearchParams(stringify(form)) };
    const response = await fetch(vendor.url + path, { ...init, headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  const create = (card: object, key = "pk_test_1") =>
    send("/v1/payment_methods", key, {
      type: "card",
      card: { number: "4242424242424242", exp_month: 4, exp_year: 2032, cvc: "123", ...card },
      billing_details: { address: { postal_code: "94107" } },
    });

  it("a card of Stripe's test numbers becomes a payment method in the mode of the publishable key", async () => {
    const { status, body } = await create({ number: "4000002500003155" });

    expect(status).toBe(200);
    expect(body).toMatchObject({ card: { last4: "3155", exp_month: 4, exp_year: 2032 }, livemode: false });
    expect(await send(`/v1/payment_methods/${body.id}`, KEYS.test)).toMatchObject({ status: 200 });
    expect(await send(`/v1/payment_methods/${body.id}`, KEYS.live)).toMatchObject({ status: 404 });
    const stored = JSON.stringify(await vendor.context.objects.list("payment_method"));
    expect(stored).toContain("3155");
    expect(stored).not.toContain("4000002500003155");
  });

  it.each([
    [{ number: "4242424242424241" }, "incorrect_number"],
    [{ number: "4111111111111111" }, "card_declined"],
    [{ exp_month: 13 }, "invalid_expiry_month"],
    [{ exp_month: 10, exp_year: 2026 }, "invalid_expiry_month"],
    [{ exp_year: 2025 }, "invalid_expiry_year"],
    [{ cvc: "12" }, "invalid_cvc"],
  ])("402: %j is refused with %s", async (card, code) => {
    expect(await create(card)).toMatchObject({ status: 402, body: { error: { type: "card_error", code } } });
  });

  it("401: a secret key creates no payment method, and a publishable key does nothing else", async () => {
    expect(await create({}, KEYS.test)).toMatchObject({ status: 401 });
    expect(await send("/v1/customers", "pk_test_1", { name: "Ada" })).toMatchObject({ status: 401 });
  });

  it("the form is in a frame of an app on this machine only, and its scripts can be loaded", async () => {
    const visit = (parent: string) => fetch(`${vendor.url}/elements/payment?${new URLSearchParams({ parent })}`);

    const shown = await visit("http://localhost:8080");

    const policy = shown.headers.get("content-security-policy");
    expect(policy).toContain("frame-ancestors http://localhost:8080;");
    expect(policy).not.toContain("unsafe");
    const scripts = [...(await shown.text()).matchAll(/src="([^"]+)"/g)].map(([, path = ""]) => path);
    for (const path of [...scripts, "/endive/stripe.js"]) {
      const script = await fetch(vendor.url + path);
      expect(script.headers.get("content-type")).toContain("text/javascript");
      const text = await script.text();
      expect(() => new Script(text), path).not.toThrow();
    }
    for (const elsewhere of ["https://purser.example", "http://localhost.example", "*"]) {
      expect((await visit(elsewhere)).status).toBe(404);
    }
  });
});
