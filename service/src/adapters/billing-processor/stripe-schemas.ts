import { type TSchema, Type } from "typebox";

export const id = Type.String({ minLength: 1, maxLength: 255 });

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
