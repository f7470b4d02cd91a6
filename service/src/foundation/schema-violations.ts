import type { ErrorObject } from "ajv";
import type { InvalidField } from "./errors.ts";
import { pointerToken } from "./strict-json.ts";

/** Limits the response size. More errors would not help the caller. */
const ERRORS_MAX = 50;

/**
 * Converts Ajv's errors to messages for the caller. `formats` contains the message for each format. The message for a
 * pattern contains the schema's description. Ajv must run with `verbose`, which adds the schema to each error.
 */
export function invalidFields(
  pointer: string,
  errors: readonly ErrorObject[],
  formats: Readonly<Record<string, string>> = {},
): InvalidField[] {
  const mismatched = new Set(
    errors.filter(({ keyword }) => keyword === "pattern").map(({ instancePath }) => instancePath),
  );
  // If a value violates both its pattern and its format, only the pattern is reported, because the format's message
  // would say the same.
  const isRepeated = ({ keyword, instancePath }: ErrorObject) =>
    keyword === "format" && mismatched.has(instancePath);
  return errors
    .filter((error) => error.keyword !== "propertyNames" && !isRepeated(error))
    .slice(0, ERRORS_MAX)
    .map((error) => ({
      pointer: `${pointer}${error.instancePath}${offendingName(error)}`,
      code: error.keyword,
      detail: (error.propertyName === undefined ? "" : "its name ") + sentenceOf(error, formats),
    }));
}

/**
 * Returns the pointer segment of a field that is missing or unknown, or whose name is malformed. Ajv omits this segment
 * from the error's path. Returns an empty string for any other error.
 */
function offendingName({ params, propertyName }: ErrorObject): string {
  const name: unknown = propertyName ?? params["missingProperty"] ?? params["additionalProperty"];
  return typeof name === "string" ? `/${pointerToken(name)}` : "";
}

function sentenceOf(
  { keyword, message = "is not valid", params, parentSchema }: ErrorObject,
  formats: Readonly<Record<string, string>>,
): string {
  switch (keyword) {
    case "additionalProperties":
      return "is not a field of this request";
    case "required":
      return "is required";
    case "enum":
      return `must be one of ${[params["allowedValues"]].flat().join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "type":
      return `must be ${[params["type"]].flat().join(" or ")}`;
    case "uniqueItems":
      return "must not contain the same item twice";
    case "format":
      return formats[String(params["format"])] ?? "does not have the required form";
    case "pattern":
      return `does not have the required form: ${parentSchema?.["description"] ?? "see its schema"}`;
    default:
      return message;
  }
}
