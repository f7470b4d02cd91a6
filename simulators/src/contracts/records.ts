export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function mapValues(
  record: JsonRecord,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

/** Returns the member if it is a record, otherwise an empty record. */
export function memberOf(record: JsonRecord, name: string): JsonRecord {
  const member = record[name];
  return isRecord(member) ? member : {};
}
