/** Creates a record that maps each name to a value. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  // The return type of `Object.fromEntries` does not preserve the names.
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}
