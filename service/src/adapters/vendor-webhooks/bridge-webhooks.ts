import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { parseJson } from "../../foundation/text.ts";
import { MODES, type Mode } from "../../foundation/vocabulary.ts";
import type { ReceivedWebhook, VendorWebhooks, VerifiedWebhook } from "../../ports/vendor-webhooks.ts";

/** The age that Bridge recommends. A delivery that is repeated has a new time. */
const TOLERANCE_MS = 600_000;
/** The time in milliseconds since 1970, and the signature in Base64. */
const SIGNATURE = /^t=(\d{1,15}),v0=([A-Za-z0-9+/]+={0,2})$/;

const name = Type.String({ pattern: "^[\\w.-]{1,255}$" });
const bridgeEvent = Type.Object({ event_id: name, event_category: name, event_type: name, event_object_id: name });

/** The public key of the webhook endpoint of each mode, in PEM format. Null if there is no such endpoint. */
export type BridgeWebhookKeys = Readonly<Record<Mode, string | null>>;

/**
 * Verifies Bridge's webhooks (https://apidocs.bridge.xyz/platform/additional-information/webhooks/signature). The body
 * does not name the mode: it is the mode of the key that verifies the signature.
 */
export function createBridgeWebhooks(publicKeys: BridgeWebhookKeys): VendorWebhooks {
  const keys = MODES.flatMap((mode) => {
    const pem = publicKeys[mode];
    return pem === null ? [] : [{ mode, key: createPublicKey(pem) }];
  });
  return {
    verify: (webhook) => {
      const signed = keys.find(({ key }) => isSigned(webhook, key));
      return signed && eventOf(webhook.rawBody, signed.mode);
    },
  };
}

function isSigned({ rawBody, headers, receivedAt }: ReceivedWebhook, key: KeyObject): boolean {
  const { "x-webhook-signature": header } = headers;
  const [, time, encoded = ""] = (typeof header === "string" && SIGNATURE.exec(header)) || [];
  if (time === undefined || Math.abs(receivedAt.getTime() - Number(time)) > TOLERANCE_MS) return false;
  const data = Buffer.concat([Buffer.from(`${time}.`), rawBody]);
  const signature = Buffer.from(encoded, "base64");
  // Bridge's text can be read as a signature of the data or of its digest. Its example is of the digest.
  const digest = createHash("sha256").update(data).digest();
  return [data, digest].some((message) => verify("sha256", message, key, signature));
}

function eventOf(rawBody: Buffer, mode: Mode): VerifiedWebhook {
  const content = parseJson(rawBody.toString());
  if (!Check(bridgeEvent, content)) return { event: null };
  return {
    event: {
      eventId: content.event_id,
      mode,
      type: content.event_type,
      objectType: content.event_category,
      objectId: content.event_object_id,
    },
  };
}
