import { type TSchema, Type } from "typebox";

export const id = Type.String({ pattern: "^[^\\x00]{1,255}$" });

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
