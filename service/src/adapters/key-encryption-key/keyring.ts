import type { KeyEncryptionKey } from "../../ports/key-encryption-key.ts";

/**
 * Combines the current key encryption key with other keys: wraps under the current key, and unwraps under the key with
 * the given id. To rotate keys, complete each step on every process before the next: add the new key to `previous`, so
 * that all processes can unwrap with it; make it `current` and rewrap the data keys; remove the old key.
 */
export function createKeyring(
  current: KeyEncryptionKey,
  previous: readonly KeyEncryptionKey[],
): KeyEncryptionKey {
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
