import { createHash } from "node:crypto";

/** The namespace of the keys that we send to vendors. Any UUID, and never another one. */
const NAMESPACE = Buffer.from("6f0d8a3e5b1c4f7e9a2d7c6b5e4f3a21", "hex");

/**
 * The idempotency key of one effect at a vendor, as a UUIDv5 (RFC 9562, section 5.5) of our own id and what is done under it.
 * Every attempt of the same effect has the same key, whichever process makes it, and nothing volatile goes into it.
 */
export function operationKey(id: string, effect: string): string {
  const hash = createHash("sha1").update(NAMESPACE).update(`${id}/${effect}`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex", 0, 16);
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([start, end]) => hex.slice(start, end))
    .join("-");
}
