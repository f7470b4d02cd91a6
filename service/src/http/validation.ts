import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { AppError } from "../foundation/errors.ts";
import { memoize } from "../foundation/memoize.ts";
import { invalidFields } from "../foundation/schema-violations.ts";

const isRfc3339 = formats.default(new Ajv(), ["date-time"]).compile({
  type: "string",
  format: "date-time",
});

/** A time of RFC 3339 that the platform and the database have too: no leap second, and none that its offset moves past the year 9999. */
function isTime(text: string): boolean {
  return isRfc3339(text) && new Date(text).getUTCFullYear() <= 9_999;
}

/** The formats that request schemas use, each with the sentence that refuses what does not have it. */
const FORMAT_SENTENCES = {
  "date-time": "must be a time of RFC 3339, such as 2026-11-21T10:00:00Z",
  decimal: "must be an amount in decimal notation, such as 12.50",
  email: "must be an email address with at most 64 characters before the @",
  "not-blank": "must have a character that is not a space",
  uri: "must be an absolute URI",
  uuid: "must be a UUID, such as 3b241101-e2bb-4255-8caf-4136c566a962",
  visible: "must have a letter, a digit, a punctuation mark or a symbol",
};

/**
 * Nothing is dropped or coerced in silence: an unknown field and a wrong type are the caller's to mend. Only what travels
 * as text (query, path, headers) is read as the type that its schema names.
 */
function newAjv({ coerceTypes }: { readonly coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    coerceTypes,
    strict: true,
    useDefaults: true,
    verbose: true,
  });
  formats.default(ajv, ["uri", "uuid"]);
  ajv.addFormat("date-time", isTime);
  // The number form of an amount is replaced by its digits before it comes here. One that was not is a float, and refused.
  ajv.addFormat("decimal", { type: "number", validate: () => false });
  // The rest of an address, a name or a line is in its pattern. What needs looking ahead is here, for RE2 has no lookaround.
  ajv.addFormat("email", /^[^@]{1,64}@/);
  ajv.addFormat("not-blank", /\S/);
  ajv.addFormat("visible", /[\p{L}\p{N}\p{P}\p{S}]/u);
  ajv.addKeyword("example");
  return ajv;
}

/** By the schema's text: many routes ask for the same, and each server makes its schemas anew. */
function newCompiler(options: { readonly coerceTypes: boolean }) {
  const ajv = newAjv(options);
  return memoize<ValidateFunction>((text) => {
    // The id is for the OpenAPI document. Servers of two profiles have two schemas of one id.
    const { $id: _id, ...schema } = JSON.parse(text);
    return ajv.compile(schema);
  });
}

const compileBody = newCompiler({ coerceTypes: false });
const compileText = newCompiler({ coerceTypes: true });

/** How a pointer names the part of the request in which a value stood. */
const PARTS: Readonly<Record<string, string>> = { querystring: "query", params: "path" };

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "body" }) => {
  const compile = httpPart === "body" ? compileBody : compileText;
  const validate = compile(JSON.stringify(schema));
  const pointer = `/${PARTS[httpPart] ?? httpPart}`;
  return (value) => {
    if (validate(value)) return true;
    const errors = invalidFields(pointer, validate.errors ?? [], FORMAT_SENTENCES);
    return { error: new AppError("validation_error", { errors }) };
  };
};
