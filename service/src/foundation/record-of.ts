/** A record with one value for each of these names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  // The type of `Object.fromEntries` does not keep the names.
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}
