import { type Static, type TSchema, Type } from "typebox";
import { MODES } from "../vocabulary.ts";

/** RFC 3339 in UTC. */
export const Timestamp = Type.String({
  format: "date-time",
  examples: ["2026-11-21T10:00:00.000Z"],
});

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** On the way in, a value or the null that clears it. Of several types and not a union, so that a refusal names what is wrong once. */
export const Clearable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: ["type" in schema ? schema.type : [], "null"].flat(),
  });

export const ModeName = Type.Enum([...MODES]);

/** Text that the database can hold. JSON with half of a surrogate pair is refused as it is read. */
export const STORABLE_TEXT = {
  pattern: "^[^\\x00]*$",
  description: "Text without NUL characters.",
};

/** Text without control characters, which no header and no terminal would take for a command. */
export const PRINTABLE_TEXT = {
  pattern: "^[^\\p{Cc}]*$",
  description: "Text without line breaks, tabs and other control characters.",
};

const MetadataValue = Type.String({ maxLength: 500, ...STORABLE_TEXT });

/** Texts of the caller's own (contract, "Shapes"). A key is on one line, so that it can be shown and matched as it is. */
const metadataOf = <Value extends TSchema>(value: Value, maxProperties: number) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: "object",
    maxProperties,
    propertyNames: {
      minLength: 1,
      maxLength: 40,
      pattern: "^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$",
      description: "Text on one line, without control characters.",
    },
    additionalProperties: value,
  });

export const Metadata = metadataOf(MetadataValue, 50);

/** A change of them: what is named is set, and a null removes its key. All the keys may be exchanged for others at once. */
export const MetadataPatch = metadataOf(Clearable(MetadataValue), 100);
