import { type Static, Type } from "typebox";
import { Timestamp } from "../../../foundation/wire/common.ts";
import type { Variable } from "./queries.ts";

export const VariableResource = Type.Object(
  {
    object: Type.Literal("variable"),
    name: Type.String(),
    environments: Type.Array(Type.String(), { description: "Those in which it has a value." }),
    sensitive: Type.Boolean(),
    version: Type.Integer({ description: "Counts the settings of this name." }),
    updated_at: Timestamp,
  },
  { $id: "Variable" },
);

/** Never includes the value: only `GET …/env` returns values. */
export function presentVariable(variable: Variable): Static<typeof VariableResource> {
  return {
    object: "variable",
    name: variable.name,
    environments: [...variable.environments],
    sensitive: variable.sensitive,
    version: variable.version,
    updated_at: variable.updatedAt.toISOString(),
  };
}
