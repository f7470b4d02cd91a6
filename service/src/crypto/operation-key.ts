import { v5 } from "uuid";

/** The namespace of the idempotency keys. An arbitrary UUID, which must never change. */
const NAMESPACE = "6f0d8a3e-5b1c-4f7e-9a2d-7c6b5e4f3a21";

/**
 * The idempotency key of one vendor call: a UUIDv5 (RFC 9562, section 5.5) of a Purser id and the effect. Every attempt
 * has the same key, in every process.
 */
export function operationKey(id: string, effect: string): string {
  return v5(`${id}/${effect}`, NAMESPACE);
}
