import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const HEADER_BYTES = 5;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM. The result has the same layout as in Purser. The header contains format 1 and data
 * key version 1.
 */
export function seal({ sealingKey }: { readonly sealingKey: Buffer }, plaintext: string): Buffer {
  const header = Buffer.from([1, 0, 0, 0, 1]);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey, iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what `seal` has encrypted. Throws if it was encrypted with another key. */
export function open({ sealingKey }: { readonly sealingKey: Buffer }, sealed: Buffer): string {
  const [tagStart, textStart] = [HEADER_BYTES + IV_BYTES, HEADER_BYTES + IV_BYTES + TAG_BYTES];
  const iv = sealed.subarray(HEADER_BYTES, tagStart);
  const decipher = createDecipheriv("aes-256-gcm", sealingKey, iv);
  decipher.setAuthTag(sealed.subarray(tagStart, textStart));
  const text = Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]);
  return text.toString("utf8");
}
