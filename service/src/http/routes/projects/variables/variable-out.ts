import { Type } from "typebox";
import { Timestamp } from "../../../../foundation/wire/common.ts";
import type { Variable } from "../../../../modules/projects/index.ts";

export const VariableOut = Type.Object(
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

/** A variable without its value, which leaves by `GET …/env` only. */
export function presentVariable(variable: Variable) {
  return {
    object: "variable" as const,
    name: variable.name,
    environments: [...variable.environments],
    sensitive: variable.sensitive,
    version: variable.version,
    updated_at: variable.updatedAt.toISOString(),
  };
}
