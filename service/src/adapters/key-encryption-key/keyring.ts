import type { KeyEncryptionKey } from "../../ports/key-encryption-key.ts";

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
