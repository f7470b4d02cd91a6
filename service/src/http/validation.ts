import { Ajv } from "ajv";
import formats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { DECIMAL_PATTERN } from "../foundation/money.ts";

const isRfc3339 = formats.default(new Ajv(), ["date-time"]).compile({
  type: "string",
  format: "date-time",
});

/** A time of RFC 3339 that the platform and the database have too: no leap second, and none that its offset moves past the year 9999. */
function isTime(text: string): boolean {
  return isRfc3339(text) && new Date(text).getUTCFullYear() <= 9_999;
}

/**
 * Nothing is dropped or coerced in silence: an unknown field and a wrong type are the caller's to mend. Only what travels
 * as text (query, path, headers) is read as the type that its schema names.
 */
function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ allErrors: true, coerceTypes, useDefaults: true, strict: true });
  formats.default(ajv, ["uri", "uuid"]);
  ajv.addFormat("date-time", isTime);
  ajv.addFormat("decimal", new RegExp(DECIMAL_PATTERN));
  ajv.addKeyword("example");
  return ajv;
}

const bodyAjv = newAjv(false);
const textAjv = newAjv(true);

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === "body" ? bodyAjv : textAjv).compile(schema);
