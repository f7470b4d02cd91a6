import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import type { VendorWebhooks } from "../../ports/vendor-webhooks.ts";
import { createStripeWebhooks } from "./stripe-webhooks.ts";

const NOW = new Date("2026-11-24T10:00:00Z");
const TOLERANCE_MS = 300_000;

/** All `VendorWebhooks` adapters. A new adapter needs its vendor's way to sign. */
const ADAPTERS: readonly {
  readonly vendor: string;
  readonly webhooks: VendorWebhooks;
  /** Signs the body as the vendor does. */
  readonly sign: (body: string, at: Date) => Readonly<Record<string, string>>;
  readonly body: string;
}[] = [
  {
    vendor: "stripe",
    webhooks: createStripeWebhooks({ live: "whsec_live", test: null }),
    sign: (payload, at) => ({
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
  },
];

describe.each(ADAPTERS)("webhooks of $vendor", ({ webhooks, sign, body }) => {
  const verify = async (text: string, headers: Readonly<Record<string, string>>) =>
    webhooks.verify({ rawBody: Buffer.from(text), headers, receivedAt: NOW });

  it("returns the event of a webhook that the vendor signed, with its object", async () => {
    expect(await verify(body, sign(body, NOW))).toEqual({
      event: {
        ...{ eventId: "evt_1", mode: "live", type: "invoice.paid" },
        ...{ objectType: "invoice", objectId: "in_1" },
      },
    });
  });

  it("rejects another body, no signature, and a signature that is too old", async () => {
    const tooOld = new Date(NOW.getTime() - TOLERANCE_MS - 1_000);

    expect(await verify(`${body} `, sign(body, NOW))).toBeUndefined();
    expect(await verify(body, {})).toBeUndefined();
    expect(await verify(body, sign(body, tooOld))).toBeUndefined();
  });

  it("does not parse a body before its signature is verified", async () => {
    expect(await verify("{", {})).toBeUndefined();
  });
});
