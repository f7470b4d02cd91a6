import { generateKeyPairSync, sign } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { newPlaidKey, startKeyServer } from "../../../test/vendors/plaid-webhook-keys.ts";
import type { VendorEvent, VendorWebhooks } from "../../ports/vendor-webhooks.ts";
import { createBridgeWebhooks } from "./bridge-webhooks.ts";
import { createPlaidWebhooks } from "./plaid-webhooks.ts";
import { createStripeWebhooks } from "./stripe-webhooks.ts";

const NOW = new Date("2026-11-24T10:00:00Z");
const BRIDGE_KEYS = generateKeyPairSync("rsa", { modulusLength: 2_048 });

interface Subject {
  readonly webhooks: VendorWebhooks;
  /** Signs the body as the vendor does. */
  readonly sign: (body: string, at: Date) => Promise<Readonly<Record<string, string>>>;
  readonly body: string;
  readonly event: VendorEvent;
  readonly toleranceMs: number;
}

/** All `VendorWebhooks` adapters. A new adapter needs its vendor's way to sign. */
const ADAPTERS: readonly { readonly vendor: string; readonly start: () => Promise<Subject> }[] = [
  { vendor: "stripe", start: startStripe },
  { vendor: "bridge", start: startBridge },
  { vendor: "plaid", start: startPlaid },
];

async function startStripe(): Promise<Subject> {
  return {
    webhooks: createStripeWebhooks({ live: "whsec_live", test: null }),
    sign: async (payload, at) => ({
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({
        payload,
        secret: "whsec_live",
        timestamp: at.getTime() / 1_000,
      }),
    }),
    body: JSON.stringify({
      ...{ id: "evt_1", object: "event", type: "invoice.paid", livemode: true },
      data: { object: { id: "in_1", object: "invoice" } },
    }),
    event: {
      mode: "live",
      ...{ eventId: "evt_1", type: "invoice.paid", objectType: "invoice", objectId: "in_1" },
    },
    toleranceMs: 300_000,
  };
}

async function startBridge(): Promise<Subject> {
  return {
    webhooks: createBridgeWebhooks({
      live: null,
      test: BRIDGE_KEYS.publicKey.export({ type: "spki", format: "pem" }).toString(),
    }),
    sign: async (body, at) => {
      const signature = sign("sha256", Buffer.from(`${at.getTime()}.${body}`), BRIDGE_KEYS.privateKey);
      return { "x-webhook-signature": `t=${at.getTime()},v0=${signature.toString("base64")}` };
    },
    body: JSON.stringify({
      ...{ event_id: "wh_1", event_category: "kyc_link", event_type: "kyc_link.created", event_object_id: "kyc_1" },
    }),
    event: { eventId: "wh_1", mode: "test", type: "kyc_link.created", objectType: "kyc_link", objectId: "kyc_1" },
    toleranceMs: 600_000,
  };
}

async function startPlaid(): Promise<Subject> {
  const key = await newPlaidKey();
  const { apiUrl } = await startKeyServer([key]);
  return {
    webhooks: createPlaidWebhooks({ live: { apiUrl, clientId: "client", secret: "secret" }, test: null }),
    sign: (body, at) => key.sign(body, at),
    body: JSON.stringify({ webhook_type: "ITEM", webhook_code: "ERROR", item_id: "item_1" }),
    event: {
      mode: "live",
      eventId: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...{ type: "ITEM.ERROR", objectType: "item", objectId: "item_1" },
    },
    toleranceMs: 300_000,
  };
}

describe.each(ADAPTERS)("webhooks of $vendor", ({ start }) => {
  async function open() {
    const { webhooks, ...subject } = await start();
    const verify = async (text: string, headers: Readonly<Record<string, string>>) =>
      webhooks.verify({ rawBody: Buffer.from(text), headers, receivedAt: NOW });
    return { ...subject, verify };
  }

  it("returns the event of a webhook that the vendor signed, with its object", async () => {
    const { verify, sign, body, event } = await open();

    expect(await verify(body, await sign(body, NOW))).toEqual({ event });
  });

  it("rejects another body, no signature, and a signature that is too old", async () => {
    const { verify, sign, body, toleranceMs } = await open();
    const tooOld = new Date(NOW.getTime() - toleranceMs - 1_000);

    expect(await verify(`${body} `, await sign(body, NOW))).toBeUndefined();
    expect(await verify(body, {})).toBeUndefined();
    expect(await verify(body, await sign(body, tooOld))).toBeUndefined();
  });

  it("does not parse a body before its signature is verified", async () => {
    const { verify } = await open();

    expect(await verify("{", {})).toBeUndefined();
  });
});
