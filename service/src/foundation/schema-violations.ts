import type { ErrorObject } from "ajv";
import type { InvalidField } from "./errors.ts";
import { pointerToken } from "./strict-json.ts";

/** More than anybody mends at once, and few enough that a body full of nonsense is not answered with more of it. */
const ERRORS_MAX = 50;

/**
 * Ajv's findings as sentences for the caller. Ajv must be `verbose`: a pattern is explained by the description
 * of its schema. `formats` has the sentence of each format.
 */
export function invalidFields(
  pointer: string,
  errors: readonly ErrorObject[],
  formats: Readonly<Record<string, string>> = {},
): InvalidField[] {
  const mismatched = new Set(
    errors.filter(({ keyword }) => keyword === "pattern").map(({ instancePath }) => instancePath),
  );
  // A format next to a pattern says more of the same form.
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

/** The field that is missing, not known or badly named, which Ajv leaves out of its path. */
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
      return "must not have the same item twice";
    case "format":
      return formats[String(params["format"])] ?? "does not have the form of this field";
    case "pattern":
      return `does not have the form of this field: ${parentSchema?.["description"] ?? "see its schema"}`;
    default:
      return message;
  }
}
