import type { ErrorObject } from "ajv";
import type { InvalidField } from "./errors.ts";
import { pointerToken } from "./strict-json.ts";

/** Limits the response size. More errors would not help the caller. */
const ERRORS_MAX = 50;

const LISTED_VALUES_MAX = 50;

/** The message for a value that does not match a format or a pattern. */
export type FormDetail = string | ((violation: Pick<ErrorObject, "data" | "parentSchema">) => string);

/**
 * Converts Ajv's errors to messages for the caller. `forms` contains the message for each format and for patterns. The
 * message for any other pattern contains the schema's description, which must say what the pattern allows. Ajv must run
 * with `verbose`, which adds the schema to each error.
 */
export function invalidFields(
  pointer: string,
  errors: readonly ErrorObject[],
  forms: Readonly<Record<string, FormDetail>> = {},
): InvalidField[] {
  const mismatched = new Set(
    errors.filter(({ keyword }) => keyword === "pattern").map(({ instancePath }) => instancePath),
  );
  // If a value violates both its pattern and its format, only the pattern is reported, because the format's message
  // would say the same.
  const isRepeated = ({ keyword, instancePath }: ErrorObject) => keyword === "format" && mismatched.has(instancePath);
  return errors
    .filter((error) => error.keyword !== "propertyNames" && !isRepeated(error))
    .slice(0, ERRORS_MAX)
    .map((error) => ({
      pointer: `${pointer}${error.instancePath}${offendingName(error)}`,
      code: error.keyword,
      detail: (error.propertyName === undefined ? "" : "its name ") + sentenceOf(error, forms),
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

/** Returns the message for a value that is none of the allowed ones. */
export function mustBeOneOf(values: readonly unknown[]): string {
  return `must be ${values.length === 1 ? "" : "one of "}${values.join(", ")}`;
}

/** A long list of values would hide the message: the description says what they are. */
function sentenceOfEnum(values: readonly unknown[], description: unknown): string {
  if (values.length <= LISTED_VALUES_MAX || typeof description !== "string") return mustBeOneOf(values);
  return `is none of the ${values.length} allowed values. ${description}`;
}

/** The messages for keywords that have a limit. */
const LIMITS: Readonly<Record<string, string>> = {
  minimum: "must be at least #",
  maximum: "must be at most #",
  exclusiveMinimum: "must be greater than #",
  exclusiveMaximum: "must be less than #",
  minLength: "must have at least # characters",
  maxLength: "must have at most # characters",
  minItems: "must have at least # items",
  maxItems: "must have at most # items",
  minProperties: "must have at least # fields",
  maxProperties: "must have at most # fields",
};

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

function sentenceOf(error: ErrorObject, forms: Readonly<Record<string, FormDetail>>): string {
  const { keyword, message = "is not valid", params, parentSchema } = error;
  const limit = params["limit"];
  const sentence = LIMITS[keyword];
  if (sentence !== undefined && limit !== undefined) {
    return sentence.replace("#", String(limit)).replace(/( 1 \w+)s$/, "$1");
  }
  switch (keyword) {
    case "additionalProperties":
      return "is not a field of this request";
    case "required":
      return "is required";
    case "enum":
      return sentenceOfEnum([params["allowedValues"]].flat(), parentSchema?.["description"]);
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "type":
      return `must be ${[params["type"]]
        .flat()
        .map((type) => TYPES[type])
        .join(" or ")}`;
    case "uniqueItems":
      return "must not contain the same item twice";
    case "format":
      return formDetail(forms[String(params["format"])], error) ?? "does not have the required form";
    case "pattern":
      return (
        formDetail(forms[String(params["pattern"])], error) ??
        `does not have the required form: ${parentSchema?.["description"] ?? "see its schema"}`
      );
    default:
      return message;
  }
}

function formDetail(detail: FormDetail | undefined, error: ErrorObject): string | undefined {
  return typeof detail === "function" ? detail(error) : detail;
}
