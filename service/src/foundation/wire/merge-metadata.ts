import { invalidField } from "../errors.ts";

const METADATA_KEYS_MAX = 50;

/**
 * Returns the metadata after a change: a null value removes its key, and a null change removes all keys. Throws
 * `validation_error` if more than 50 keys remain.
 */
export function mergedMetadata(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>> | null,
): Record<string, string> {
  const merged = Object.entries({ ...(change !== null && before), ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  if (merged.length <= METADATA_KEYS_MAX) return Object.fromEntries(merged);
  throw invalidField(
    "/body/metadata",
    "maxProperties",
    `must not have more than ${METADATA_KEYS_MAX} keys after the change`,
  );
}
