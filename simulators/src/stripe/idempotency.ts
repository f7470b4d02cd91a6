import { createHash } from "node:crypto";
import type { VendorContext, VendorRequest, VendorResponse } from "../kit/vendor-simulator.ts";
import { newRequestId, stripeError } from "./stripe-errors.ts";

const KEY_LENGTH_MAX = 255;

interface StoredResponse {
  readonly fingerprint: string;
  /**
   * The response is stored in `secret`, which the control page does not show, because a response can contain a client
   * secret.
   */
  readonly secret: { readonly answer: VendorResponse };
}

/** Implements Stripe's `Idempotency-Key` header for POST requests. */
export interface Idempotency {
  runOnce(
    request: VendorRequest,
    context: VendorContext,
    handle: () => Promise<VendorResponse>,
  ): Promise<VendorResponse>;
}

/**
 * Replays the stored response if a request repeats an idempotency key with the same parameters. 400 responses are not
 * stored, so the client can correct the request and reuse the key.
 */
export function createIdempotency(): Idempotency {
  const inProgress = new Set<string>();
  return {
    runOnce: async (request, context, handle) => {
      const key = request.headers["idempotency-key"];
      if (request.method !== "POST" || typeof key !== "string") return handle();
      if (key.length > KEY_LENGTH_MAX) {
        return stripeError(400, { message: "Idempotency keys are at most 255 characters." });
      }
      const id = `${String(request.caller)}:${key}`;
      if (inProgress.has(id)) return keyInUse();
      inProgress.add(id);
      try {
        return await runOrRepeat(request, context, id, handle);
      } finally {
        inProgress.delete(id);
      }
    },
  };
}

async function runOrRepeat(
  { path, rawBody }: VendorRequest,
  { objects }: VendorContext,
  id: string,
  handle: () => Promise<VendorResponse>,
): Promise<VendorResponse> {
  const fingerprint = createHash("sha256").update(`${path}\n${rawBody}`).digest("hex");
  const stored = await objects.find<StoredResponse>("idempotency_key", id);
  if (stored === undefined) {
    const first = await handle();
    const response = {
      ...first,
      headers: { ...first.headers, "original-request": requestIdOf(first) },
    };
    if (response.status !== 400) {
      const data = { fingerprint, secret: { answer: response } };
      await objects.insert({ type: "idempotency_key", id, state: "answered", data });
    }
    return response;
  }
  if (stored.data.fingerprint !== fingerprint) return otherParameters();
  const { answer: response } = stored.data.secret;
  const headers = { "request-id": newRequestId(), "idempotent-replayed": "true" };
  return { ...response, headers: { ...response.headers, ...headers } };
}

function requestIdOf({ headers }: VendorResponse): string {
  return headers?.["request-id"] ?? newRequestId();
}

function keyInUse(): VendorResponse {
  return stripeError(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: "There is currently another in-progress request using this Idempotent Key.",
  });
}

function otherParameters(): VendorResponse {
  return stripeError(400, {
    type: "idempotency_error",
    message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
  });
}
