type Fields = Readonly<Record<string, unknown>>;

/** Parses the JSON object in a file that a user may have edited. Returns no fields if the text is not a JSON object. */
export function parseFields(text: string | undefined): Fields {
  try {
    return toFields(JSON.parse(text ?? ""));
  } catch {
    return {};
  }
}

/** Returns the fields of an object, or no fields for any other value. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
