import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { memberPath, problemPath } from "./problem-path.ts";
import type { RequestProblem } from "./vendor-simulator.ts";

/**
 * Compiles a schema into a function that returns a value's problems. Their paths start with `root`, which may be empty.
 */
export function createSchemaCheck(schema: TSchema, root: string): (value: unknown) => readonly RequestProblem[] {
  const validator = Compile(schema);
  return (value) => (validator.Check(value) ? [] : validator.Errors(value).flatMap((error) => problemsOf(error, root)));
}

function problemsOf(error: TLocalizedValidationError, root: string): RequestProblem[] {
  const path = problemPath(root, error.instancePath);
  switch (error.keyword) {
    case "required":
      return error.params.requiredProperties.map((name) => ({
        path: memberPath(path, name),
        message: "is required",
      }));
    case "additionalProperties":
      return error.params.additionalProperties.map((name) => ({
        path: memberPath(path, name),
        message: "is not known",
      }));
    // TypeBox reports each unknown field twice. The second report has this keyword and is ignored.
    case "boolean":
      return [];
    default:
      return [{ path, message: error.message }];
  }
}
