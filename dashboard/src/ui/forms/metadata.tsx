type Metadata = Readonly<Record<string, string>>;

/** Returns the metadata of an object, one line for each name. Null if there is none. */
export function metadataLines(metadata: Metadata) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return entries.map(([name, value]) => <div key={name}>{`${name}: ${value}`}</div>);
}

/** The field for metadata: a JSON object, which keeps every character of its texts. */
export function metadataField(metadata: Metadata) {
  const description = 'Your own names and texts as JSON: {"team": "platform"}';
  const defaultValue = JSON.stringify(metadata, null, 2);
  return { name: "metadata", label: "Metadata", description, input: "lines", defaultValue } as const;
}

/** Returns the metadata of the field. The API checks that its values are texts. */
export function metadataOf(text: string): Metadata {
  const typed: unknown = JSON.parse(text.trim() || "{}");
  if (typeof typed !== "object" || typed === null || Array.isArray(typed)) throw new Error(NO_OBJECT);
  return { ...typed };
}

const NO_OBJECT = "The metadata is not a JSON object.";

/** Returns the metadata of the field as a change of the former: the API removes a name whose value is null. */
export function metadataChange(text: string, former: Metadata): Readonly<Record<string, string | null>> {
  return { ...Object.fromEntries(Object.keys(former).map((name) => [name, null])), ...metadataOf(text) };
}
