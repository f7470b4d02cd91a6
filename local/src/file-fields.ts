type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON object from a file that a user may have edited. Returns `{}` if the text is not a JSON object. */
export function parseFields(text: string | undefined): Fields {
  try {
    return toFields(JSON.parse(text ?? ""));
  } catch {
    return {};
  }
}

/** Returns a copy of an object. Returns `{}` for a value that is not an object. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
