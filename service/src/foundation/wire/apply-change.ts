import { isDeepStrictEqual } from "node:util";
import { invalidField } from "../errors.ts";

const METADATA_KEYS_MAX = 50;

/** Returns those of the fields whose values differ. The order of the keys of a map does not matter. */
export function changedFields<Row, Field extends keyof Row>(
  before: Pick<Row, Field>,
  after: Pick<Row, Field>,
  fields: Readonly<Record<Field, string>>,
): Field[] {
  return (Object.keys(fields) as Field[]).filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

type MapChange<Value> = Readonly<Record<string, Value | null>> | null | undefined;

/** Returns the map after a change: a null value removes its key, a null change all keys, and an undefined change none. */
export function mergedMap<Value>(
  before: Readonly<Record<string, Value>>,
  change: MapChange<Value>,
): Readonly<Record<string, Value>> {
  const entries = Object.entries({ ...(change !== null && before), ...change });
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== null));
}

/** Returns the metadata after a change, like `mergedMap`. Throws `validation_error` if more than 50 keys remain. */
export function mergedMetadata(
  before: Readonly<Record<string, string>>,
  change: MapChange<string>,
): Readonly<Record<string, string>> {
  const merged = mergedMap(before, change);
  if (Object.keys(merged).length <= METADATA_KEYS_MAX) return merged;
  throw invalidField(
    "/body/metadata",
    "maxProperties",
    `must not have more than ${METADATA_KEYS_MAX} keys after the change`,
  );
}
