type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of a JSON object in a file that may have been edited, or no fields if the text is not an object.
 */
export function parseFields(text: string | undefined): Fields {
  try {
    return toFields(JSON.parse(text ?? ""));
  } catch {
    return {};
  }
}

/** Returns the fields of an object, or none for any other value. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
