import { type Static, type TSchema, Type } from "typebox";
import { MODES } from "../../foundation/vocabulary.ts";

/** RFC 3339 in UTC. */
export const Timestamp = Type.String({
  format: "date-time",
  examples: ["2026-11-21T10:00:00.000Z"],
});

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** On the way in, a value or the null that clears it. Of two types and not a union, so that a refusal names what is wrong once. */
export const Clearable = <Schema extends TSchema & { readonly type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, "null"] });

export const ModeName = Type.Enum([...MODES]);

/** Text that UTF-8 and the database can hold: no NUL, no half of a surrogate pair. */
export const STORABLE_TEXT = "^[^\\u0000\\p{Cs}]*$";

/** On one line, so that a key can be shown and matched as it is. */
const MetadataKey = Type.String({ pattern: "^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{1,40}$" });
const MetadataValue = Type.String({ maxLength: 500, pattern: STORABLE_TEXT });

/** Up to 50 texts of the caller's own (contract, "Shapes"). */
export const Metadata = Type.Record(MetadataKey, MetadataValue, {
  maxProperties: 50,
  additionalProperties: false,
});

/** A change of them: what is named is set, and a null removes its key. All the keys may be exchanged for others at once. */
export const MetadataPatch = Type.Record(MetadataKey, Clearable(MetadataValue), {
  maxProperties: 100,
  additionalProperties: false,
});
