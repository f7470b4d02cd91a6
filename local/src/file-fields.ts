type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON object that stands in a file which anybody may have edited. None where it holds no such object. */
export function fieldsOf(text: string | undefined): Fields {
  try {
    return membersOf(JSON.parse(text ?? ""));
  } catch {
    return {};
  }
}

/** The members of an object, and none of anything else. */
export function membersOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
