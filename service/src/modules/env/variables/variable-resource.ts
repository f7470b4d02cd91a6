import { type Static, Type } from "typebox";
import { Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { Variable } from "./queries.ts";

/** A variable without its value. Only env bundles contain values (docs/api.md, section 12). */
export const VariableResource = Type.Object(
  {
    object: Type.Literal("variable"),
    name: Type.String(),
    environments: Type.Array(Type.String(), {
      description: "Environments in which the variable has a value.",
    }),
    sensitive: Type.Boolean({
      description: "Whether the value is a secret that tools should not display.",
    }),
    version: Type.Integer({
      description: "Number of times the variable has been set, starting at 1.",
    }),
    updated_at: Timestamp,
  },
  {
    $id: "Variable",
    description: "A variable without its value. Only `GET /projects/{project_id}/env` returns values.",
  },
);

export function presentVariable(variable: Variable): Static<typeof VariableResource> {
  return toWire(VariableResource, variable);
}
