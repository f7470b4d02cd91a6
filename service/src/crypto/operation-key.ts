import { v5 } from "uuid";

/** The namespace of the keys that we send to vendors. Any UUID, and never another one. */
const NAMESPACE = "6f0d8a3e-5b1c-4f7e-9a2d-7c6b5e4f3a21";

/**
 * The idempotency key of one effect at a vendor, as a UUIDv5 (RFC 9562, section 5.5) of our own id and what is done under it.
 * Every attempt of the same effect has the same key, whichever process makes it, and nothing volatile goes into it.
 */
export function operationKey(id: string, effect: string): string {
  return v5(`${id}/${effect}`, NAMESPACE);
}
