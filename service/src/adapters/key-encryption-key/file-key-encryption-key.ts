import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { KeyEncryptionKey, WrapContext } from "../../ports/key-encryption-key.ts";

/**
 * Combines several key encryption keys. `wrap` uses the current key. `unwrap` uses the key with the given id.
 *
 * To rotate the key, complete each step on every process before the next step:
 *
 * 1. Add the new key to `previous`, so that all processes can unwrap with it.
 * 2. Make the new key `current`, and rewrap the data keys.
 * 3. Remove the old key.
 */
export function createKeyring(current: KeyEncryptionKey, previous: readonly KeyEncryptionKey[]): KeyEncryptionKey {
  const byId = new Map([...previous, current].map((key) => [key.id, key]));
  return {
    id: current.id,
    wrap: (dataKey, context) => current.wrap(dataKey, context),
    unwrap: async (wrapped, id, context) => {
      const key = byId.get(id);
      if (key === undefined) throw new Error(`The key encryption key ${id} is not configured.`);
      return key.unwrap(wrapped, id, context);
    },
  };
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A key encryption key from a file, for the local profile and for tests. An attacker who can read the service's memory
 * can copy this key. In production, use a KMS, whose keys cannot be copied.
 *
 * @param material 32 bytes in base64
 */
export function createFileKeyEncryptionKey(material: string): KeyEncryptionKey {
  const key = Buffer.from(material.trim(), "base64");
  if (key.length !== KEY_BYTES) throw new Error("The key encryption key is not 32 bytes in base64.");
  const id = `file-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
  return {
    id,
    wrap: async (dataKey, context) => {
      if (dataKey.length !== KEY_BYTES) throw new Error("The data key is not 32 bytes long.");
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      cipher.setAAD(associatedData(id, context));
      const wrapped = Buffer.concat([cipher.update(dataKey), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), wrapped]);
    },
    unwrap: async (wrapped, wrappedUnder, context) => {
      if (wrappedUnder !== id) throw new Error(`The data key is encrypted under ${wrappedUnder}, not under ${id}.`);
      // By default, Node accepts GCM authentication tags that are truncated to four bytes, so the length is checked.
      if (wrapped.length !== IV_BYTES + TAG_BYTES + KEY_BYTES) throw new Error("This is not a wrapped data key.");
      const bytes = Buffer.from(wrapped);
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(id, context));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

function associatedData(id: string, { tenantId, version }: WrapContext): Buffer {
  return Buffer.from(JSON.stringify(["purser-data-key-v1", id, tenantId, version]));
}
