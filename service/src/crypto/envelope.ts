import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 5;

/**
 * Identifies the place where a value is stored. The context is authenticated with the value, so a value copied to
 * another row cannot be decrypted.
 */
export interface SealContext {
  readonly tenantId: string;
  readonly kind: string;
  /** The row's id, or another text that distinguishes values of the same kind. */
  readonly subject: string;
  readonly field: string;
  readonly version: number;
}

export interface DataKey {
  readonly version: number;
  /** A 32-byte key. A KeyObject is faster than raw bytes, which Node would convert for each value. */
  readonly key: KeyObject;
}

/** Thrown if a value cannot be decrypted: it was changed, moved to another row, or encrypted with another key. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
}

/**
 * Encrypts a value with AES-256-GCM, using a tenant's data key and a random 96-bit IV.
 *
 * @returns format (1 byte), data key version (4 bytes, big endian), IV (12 bytes), tag (16 bytes), ciphertext
 */
export function seal(dataKey: DataKey, context: SealContext, plaintext: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt32BE(dataKey.version, 1);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", dataKey.key, iv);
  cipher.setAAD(associatedData(header, context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/**
 * Returns the version of the data key that a value is encrypted with. Throws EnvelopeError if the format is unknown.
 */
export function sealedVersion(sealed: Uint8Array): number {
  if (sealed.length < HEADER_BYTES + IV_BYTES + TAG_BYTES) throw new EnvelopeError("too short");
  const header = Buffer.from(sealed.buffer, sealed.byteOffset, HEADER_BYTES);
  if (header.readUInt8(0) !== FORMAT) throw new EnvelopeError("unknown format");
  return header.readUInt32BE(1);
}

/** Decrypts a value that `seal` encrypted. Throws EnvelopeError if this fails. */
export function open(dataKey: DataKey, context: SealContext, sealed: Uint8Array): Buffer {
  if (sealedVersion(sealed) !== dataKey.version) throw new EnvelopeError("another data key");
  const bytes = Buffer.from(sealed);
  const ivEnd = HEADER_BYTES + IV_BYTES;
  const iv = bytes.subarray(HEADER_BYTES, ivEnd);
  const decipher = createDecipheriv("aes-256-gcm", dataKey.key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(bytes.subarray(0, HEADER_BYTES), context));
  decipher.setAuthTag(bytes.subarray(ivEnd, ivEnd + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivEnd + TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new EnvelopeError("cannot be decrypted", { cause });
  }
}

/** The context is encoded as a JSON array, so that different contexts never produce the same bytes. */
function associatedData(header: Uint8Array, context: SealContext): Buffer {
  const { tenantId, kind, subject, field, version } = context;
  const text = JSON.stringify(["purser-envelope-v1", tenantId, kind, subject, field, version]);
  return Buffer.concat([header, Buffer.from(text)]);
}
