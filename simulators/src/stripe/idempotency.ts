import { createHash } from "node:crypto";
import type { VendorAnswer, VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { newRequestId, stripeError } from "./stripe-errors.ts";

const KEY_LENGTH_MAX = 255;

interface KeptAnswer {
  readonly fingerprint: string;
  /** It may hold a client secret, which is not for the control page. */
  readonly secret: { readonly answer: VendorAnswer };
}

/** Stripe's rules for `Idempotency-Key`, which only a POST has. */
export interface Idempotency {
  answerOnce(
    request: VendorRequest,
    context: VendorContext,
    handle: () => Promise<VendorAnswer>,
  ): Promise<VendorAnswer>;
}

/**
 * The same key with the same parameters is answered with what was answered first. What failed validation is not kept, so
 * that it may be put right under the same key.
 */
export function createIdempotency(): Idempotency {
  const inProgress = new Set<string>();
  return {
    answerOnce: async (request, context, handle) => {
      const key = request.headers["idempotency-key"];
      if (request.method !== "POST" || typeof key !== "string") return handle();
      if (key.length > KEY_LENGTH_MAX) {
        return stripeError(400, { message: "Idempotency keys are at most 255 characters." });
      }
      const id = `${String(request.caller)}:${key}`;
      if (inProgress.has(id)) return keyInUse();
      inProgress.add(id);
      try {
        return await answerOrRepeat(request, context, id, handle);
      } finally {
        inProgress.delete(id);
      }
    },
  };
}

async function answerOrRepeat(
  { path, rawBody }: VendorRequest,
  { objects }: VendorContext,
  id: string,
  handle: () => Promise<VendorAnswer>,
): Promise<VendorAnswer> {
  const fingerprint = createHash("sha256").update(`${path}\n${rawBody}`).digest("hex");
  const kept = await objects.find<KeptAnswer>("idempotency_key", id);
  if (kept === undefined) {
    const made = await handle();
    const answer = { ...made, headers: { ...made.headers, "original-request": requestIdOf(made) } };
    if (answer.status !== 400) {
      const data = { fingerprint, secret: { answer } };
      await objects.insert({ type: "idempotency_key", id, state: "answered", data });
    }
    return answer;
  }
  if (kept.data.fingerprint !== fingerprint) return otherParameters();
  const { answer } = kept.data.secret;
  const headers = { "request-id": newRequestId(), "idempotent-replayed": "true" };
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function requestIdOf({ headers }: VendorAnswer): string {
  return headers?.["request-id"] ?? newRequestId();
}

function keyInUse(): VendorAnswer {
  return stripeError(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: "There is currently another in-progress request using this Idempotent Key.",
  });
}

function otherParameters(): VendorAnswer {
  return stripeError(400, {
    type: "idempotency_error",
    message:
      "Keys for idempotent requests can only be used with the same parameters they were first used with.",
  });
}
