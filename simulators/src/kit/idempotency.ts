import { createHash } from "node:crypto";
import type { VendorContext, VendorRequest, VendorResponse } from "./vendor-simulator.ts";

interface StoredResponse {
  readonly fingerprint: string;
  /**
   * The response is stored in `secret`, which the control page does not show, because a response can contain a client
   * secret.
   */
  readonly secret: { readonly answer: VendorResponse };
}

/** What a vendor does with `Idempotency-Key` headers. */
export interface IdempotencyRules {
  /** Returns the response to a POST whose key is missing or not valid, or undefined if the POST can be handled. */
  readonly check: (key: unknown) => VendorResponse | undefined;
  /** The response while another request with the key is being handled. */
  readonly inUse: () => VendorResponse;
  /** The response to a key that was first used with another path or body. */
  readonly otherParameters: () => VendorResponse;
  /** Set if keys expire. */
  readonly expiry?: { readonly afterMs: number; readonly response: () => VendorResponse };
  /** Changes the response to the first request with a key, before it is stored. */
  readonly first?: (response: VendorResponse) => VendorResponse;
  /** Changes the stored response to a repeated request. */
  readonly repeated?: (response: VendorResponse) => VendorResponse;
}

/** Implements the `Idempotency-Key` header for POST requests. */
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
export function createIdempotency(rules: IdempotencyRules): Idempotency {
  const inProgress = new Set<string>();
  return {
    runOnce: async (request, context, handle) => {
      if (request.method !== "POST") return handle();
      const key = request.headers["idempotency-key"];
      const refusal = rules.check(key);
      if (refusal !== undefined || typeof key !== "string") return refusal ?? handle();
      const id = `${String(request.caller)}:${key}`;
      if (inProgress.has(id)) return rules.inUse();
      inProgress.add(id);
      try {
        return await runOrRepeat(rules, request, context, id, handle);
      } finally {
        inProgress.delete(id);
      }
    },
  };
}

async function runOrRepeat(
  { otherParameters, expiry, first = unchanged, repeated = unchanged }: IdempotencyRules,
  { path, rawBody }: VendorRequest,
  { objects, now }: VendorContext,
  id: string,
  handle: () => Promise<VendorResponse>,
): Promise<VendorResponse> {
  const fingerprint = createHash("sha256").update(`${path}\n${rawBody}`).digest("hex");
  const stored = await objects.find<StoredResponse>("idempotency_key", id);
  if (stored === undefined) {
    const response = first(await handle());
    if (response.status !== 400) {
      const data = { fingerprint, secret: { answer: response } };
      await objects.insert({ type: "idempotency_key", id, state: "answered", data });
    }
    return response;
  }
  if (expiry && now().getTime() - stored.createdAt.getTime() > expiry.afterMs) return expiry.response();
  return stored.data.fingerprint === fingerprint ? repeated(stored.data.secret.answer) : otherParameters();
}

function unchanged(response: VendorResponse): VendorResponse {
  return response;
}
