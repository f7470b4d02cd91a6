import { type TProperties, Type } from "typebox";

/** An object that is the component `$id` of the OpenAPI document. */
export function NamedObject<const Fields extends TProperties>($id: string, fields: Fields) {
  return Type.Object(fields, { $id });
}

/** A named object that may have no other fields, such as a request body. */
export function StrictObject<const Fields extends TProperties>($id: string, fields: Fields) {
  return Type.Object(fields, { $id, additionalProperties: false });
}
