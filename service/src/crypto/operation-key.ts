import { v5 } from "uuid";

/** The namespace of the idempotency keys. An arbitrary UUID, which must never change. */
const NAMESPACE = "6f0d8a3e-5b1c-4f7e-9a2d-7c6b5e4f3a21";

/**
 * The idempotency key of one vendor call: a UUIDv5 (RFC 9562, section 5.5) derived from a Purser id and the name of the
 * effect. It is the same for every attempt, in every process.
 */
export function operationKey(id: string, effect: string): string {
  return v5(`${id}/${effect}`, NAMESPACE);
}
