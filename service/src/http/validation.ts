import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { AppError } from "../foundation/errors.ts";
import { memoize } from "../foundation/memoize.ts";
import { DECIMAL_PATTERN } from "../foundation/money.ts";
import { type FormDetail, invalidFields } from "../foundation/schema-violations.ts";
import { isDisplaySafe, isEmailAddress, isVisible, normalizeCode, normalizeCredential } from "../foundation/text.ts";
import { PRINTABLE_TEXT, STORABLE_TEXT } from "../foundation/wire/fields.ts";
import { parseSchema } from "./serialization.ts";

const isRfc3339 = formats.default(new Ajv(), ["date-time"]).compile({
  type: "string",
  format: "date-time",
});

/**
 * Returns true for an RFC 3339 time that Node and PostgreSQL can represent: no leap second, and no year after 9999 in
 * UTC.
 */
function isTime(text: string): boolean {
  return isRfc3339(text) && new Date(text).getUTCFullYear() <= 9_999;
}

const NO_DIRECTION_CONTROLS =
  "no characters that change the direction of the text (U+202A to U+202E, U+2066 to U+2069)";

/** The formats and patterns of request schemas, with the error detail for a value that does not match. */
const FORM_DETAILS: Parameters<typeof invalidFields>[2] = {
  [DECIMAL_PATTERN]: amountDetail,
  [PRINTABLE_TEXT.pattern]: detailOf(PRINTABLE_TEXT),
  [STORABLE_TEXT.pattern]: detailOf(STORABLE_TEXT),
  credential: "must be one line of text",
  "date-time": "must be an RFC 3339 time, such as 2026-11-21T10:00:00Z",
  decimal: "must be an amount in decimal notation, such as 12.50",
  display: `must contain ${NO_DIRECTION_CONTROLS}`,
  email: "must be an email address with a valid domain and at most 64 characters before the @",
  "not-blank": "must contain a character that is not a space",
  totp: "must be a code of six digits",
  uri: "must be an absolute URI",
  uuid: "must be a UUID, such as 3b241101-e2bb-4255-8caf-4136c566a962",
  visible: `must contain a letter, a digit, a punctuation mark or a symbol, and ${NO_DIRECTION_CONTROLS}`,
};

function detailOf({ description }: { readonly description: string }): string {
  return `must be ${description[0]?.toLowerCase()}${description.slice(1, -1)}`;
}

/** States which rule for amounts the text violates (docs/rules/conventions.md). */
function amountDetail({ data, parentSchema }: Parameters<Exclude<FormDetail, string>>[0]): string {
  const text = String(data);
  if (/^-[0-9.]+$/.test(text)) {
    const isPositive = parentSchema?.["exclusiveMinimum"] === 0;
    return isPositive ? "must be greater than zero" : "must not be negative";
  }
  if (/^\d+\.\d{7,}$/.test(text)) return "must have at most 6 decimals";
  if (/^\d{19,}(\.|$)/.test(text)) return "must have at most 18 digits before the point";
  return "must be an amount in decimal notation, such as 12.50";
}

/**
 * Unknown fields and wrong types are errors. Only query, path and header values are coerced, because they are always
 * text.
 */
function newAjv({ coerceTypes }: { readonly coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    coerceTypes,
    strict: true,
    verbose: true,
  });
  formats.default(ajv, ["uri", "uuid"]);
  ajv.addFormat("date-time", isTime);
  // Before validation, `preserveDecimals` replaces each number in a decimal field with its source text. A value that is
  // still a number is therefore rejected.
  ajv.addFormat("decimal", { type: "number", validate: () => false });
  // Each of these formats is a second rule for a field that also has a pattern. A single pattern with both rules would
  // need lookahead, which RE2 does not support. Every pattern of the OpenAPI document must be valid in RE2.
  ajv.addFormat("email", isEmailAddress);
  ajv.addFormat("not-blank", /\S/);
  ajv.addFormat("credential", (text: string) => /^[^\p{Cc}]+$/u.test(normalizeCredential(text)));
  ajv.addFormat("totp", (text: string) => /^\d{6}$/.test(normalizeCode(text)));
  ajv.addFormat("display", isDisplaySafe);
  ajv.addFormat("visible", isVisible);
  ajv.addKeyword("example");
  return ajv;
}

/**
 * Caches validators by the schema's JSON text, because routes share schemas and each server instance creates new schema
 * objects.
 */
function newCompiler(options: { readonly coerceTypes: boolean }) {
  const ajv = newAjv(options);
  return memoize<ValidateFunction>((text) => ajv.compile(parseSchema(text)));
}

const compileBody = newCompiler({ coerceTypes: false });
const compileText = newCompiler({ coerceTypes: true });

/** Maps Fastify's name for a part of the request to the first segment of an error's JSON pointer. */
const PARTS: Readonly<Record<string, string>> = { querystring: "query", params: "path" };

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "body" }) => {
  const compile = httpPart === "body" ? compileBody : compileText;
  const validate = compile(JSON.stringify(schema));
  const pointer = `/${PARTS[httpPart] ?? httpPart}`;
  return (value) => {
    if (validate(value)) return true;
    const errors = invalidFields(pointer, validate.errors ?? [], FORM_DETAILS);
    return { error: new AppError("validation_error", { errors }) };
  };
};
