import Stripe from "stripe";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { MODES, type Mode } from "../../foundation/vocabulary.ts";
import type { ReceivedWebhook, VendorWebhooks, VerifiedWebhook } from "../../ports/vendor-webhooks.ts";
import { VendorId } from "../http-client/vendor-client.ts";

/** The age at which a signature is rejected. It is also the SDK's default. */
const TOLERANCE_SECONDS = 300;

const stripeEvent = Type.Object({
  id: VendorId,
  livemode: Type.Boolean(),
  type: VendorId,
  data: Type.Object({ object: Type.Object({ id: VendorId, object: VendorId }) }),
});

/** The signing secret of the webhook endpoint of each mode. Null if there is no such endpoint. */
export type StripeWebhookSecrets = Readonly<Record<Mode, string | null>>;

/** Verifies Stripe's webhooks with Stripe's SDK. Live and test mode have endpoints with different secrets. */
export function createStripeWebhooks(secrets: StripeWebhookSecrets): VendorWebhooks {
  return {
    verify: (webhook) => {
      for (const mode of MODES) {
        const secret = secrets[mode];
        if (secret === null) continue;
        const verified = verify(webhook, secret);
        if (verified !== undefined) return eventOf(verified.content, mode);
      }
      return undefined;
    },
  };
}

function verify(
  { rawBody, headers, receivedAt }: ReceivedWebhook,
  secret: string,
): { readonly content: unknown } | undefined {
  const { "stripe-signature": signature } = headers;
  if (typeof signature !== "string") return undefined;
  try {
    const content: unknown = Stripe.webhooks.constructEvent(
      rawBody,
      signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      receivedAt.getTime(),
    );
    return { content };
  } catch {
    return undefined;
  }
}

function eventOf(content: unknown, mode: Mode): VerifiedWebhook | undefined {
  if (!Check(stripeEvent, content)) return { event: null };
  const { id: eventId, livemode, type, data } = content;
  // An endpoint of one mode never receives events of the other.
  if (livemode !== (mode === "live")) return undefined;
  const { id: objectId, object: objectType } = data.object;
  return { event: { eventId, mode, type, objectType, objectId } };
}
