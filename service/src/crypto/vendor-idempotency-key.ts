import { v5 } from "uuid";

/** The UUID namespace of the idempotency keys. An arbitrary value that must never change. */
const NAMESPACE = "6f0d8a3e-5b1c-4f7e-9a2d-7c6b5e4f3a21";

/**
 * Returns the idempotency key of a vendor call: a UUIDv5 (RFC 9562, section 5.5) derived from a Purser id and a name
 * for the call's effect, such as `customer`. The key depends only on these two values, so retries in any process use
 * the same key.
 */
export function vendorIdempotencyKey(id: string, effect: string): string {
  return v5(`${id}/${effect}`, NAMESPACE);
}
