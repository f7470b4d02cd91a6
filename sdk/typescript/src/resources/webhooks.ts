import { Webhooks as GeneratedWebhooks } from "../api-resources.ts";
import type { Event } from "../api-types.ts";
import { type Bytes, fromBase64, toBytes } from "../crypto/bytes.ts";
import { importHmacKey } from "../crypto/hash.ts";
import { PurserError, SignatureVerificationError } from "../errors.ts";

const SECRET_PREFIX = "whsec_";
const SIGNATURE_PREFIX = "v1,";
const AGE_MAX_SECONDS = 300;

/** The headers of a request: those of `fetch` or of Node.js, with names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export class Webhooks extends GeneratedWebhooks {
  /**
   * Verifies a delivery (Standard Webhooks 1.0) and returns its event. Needs no credentials. A delivery can arrive more than
   * once, always with the same `id`.
   *
   * @param body the request's body as it arrived: a text or bytes, not parsed JSON
   * @param secret the webhook's secret, `whsec_…`
   * @throws SignatureVerificationError if a header is missing, no signature matches, or the delivery was signed more than
   * five minutes ago; PurserError if the secret is malformed.
   */
  async unwrap(body: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<Event> {
    const key = secretKey(secret);
    const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => headerOf(headers, name));
    const ageSeconds = Math.floor(this.transport().nowMs() / 1_000) - Number(timestamp);
    if (!/^\d+$/.test(timestamp ?? "") || Math.abs(ageSeconds) > AGE_MAX_SECONDS) {
      throw new SignatureVerificationError(
        "The webhook-timestamp of the delivery is not within five minutes of this clock.",
      );
    }
    const bytes = typeof body === "string" ? toBytes(body) : new Uint8Array(body);
    const signed = new Uint8Array([...toBytes(`${id}.${timestamp}.`), ...bytes]);
    if (!(await isAnyValid(signatures ?? "", signed, key))) {
      throw new SignatureVerificationError("No webhook-signature of the delivery matches its body and this secret.");
    }
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      throw new SignatureVerificationError("The delivery is not JSON.");
    }
  }
}

/** The secret is not in the message. */
function secretKey(secret: string): Bytes {
  const key = secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : undefined;
  if (key === undefined || key.length === 0) throw new PurserError("A webhook's secret is whsec_ and Base64.");
  return key;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const wanted = `webhook-${name}`;
  const value =
    typeof headers.get === "function"
      ? headers.get(wanted)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
  if (!value?.length) throw new SignatureVerificationError(`The delivery has no ${wanted} header.`);
  return [value].flat().join(" ");
}

/** Signatures of other versions are ignored. */
async function isAnyValid(signatures: string, signed: Bytes, keyBytes: Bytes): Promise<boolean> {
  const key = await importHmacKey(keyBytes, "verify");
  for (const signature of signatures.split(" ").filter((one) => one.startsWith(SIGNATURE_PREFIX))) {
    const bytes = fromBase64(signature.slice(SIGNATURE_PREFIX.length));
    // WebCrypto compares in constant time.
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return true;
  }
  return false;
}
