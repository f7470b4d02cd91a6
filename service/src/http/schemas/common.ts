import { type TSchema, Type } from "typebox";
import { MODES } from "../../foundation/vocabulary.ts";

/** RFC 3339 in UTC. */
export const Timestamp = Type.String({
  format: "date-time",
  examples: ["2026-11-21T10:00:00.000Z"],
});

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

export const ModeName = Type.Enum([...MODES]);

/** Up to 50 texts of the caller's own (contract, "Shapes"). */
export const Metadata = Type.Record(
  Type.String({ pattern: "^[\\s\\S]{1,40}$" }),
  Type.String({ maxLength: 500 }),
  { maxProperties: 50, additionalProperties: false },
);
