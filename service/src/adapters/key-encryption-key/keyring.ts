import type { KeyEncryptionKey } from "../../ports/key-encryption-key.ts";

/**
 * The current key encryption key together with those before it: wraps under the current one, and unwraps under whichever
 * a data key names. A rotation goes in three steps, each on every process before the next: the new key joins `previous`, so
 * that all can open what it wraps; it becomes `current`, and the data keys are wrapped anew; the old one is left out.
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
      if (key === undefined) throw new Error(`There is no key encryption key ${id} here.`);
      return key.unwrap(wrapped, id, context);
    },
  };
}
