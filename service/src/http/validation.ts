import { Ajv } from "ajv";
import formats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { DECIMAL_PATTERN } from "../foundation/money.ts";

/**
 * Nothing is dropped or coerced in silence: an unknown field and a wrong type are the caller's to mend. Only what travels
 * as text (query, path, headers) is read as the type that its schema names.
 */
function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ allErrors: true, coerceTypes, useDefaults: true, strict: true });
  formats.default(ajv, ["uri", "date-time", "uuid"]);
  ajv.addFormat("decimal", new RegExp(DECIMAL_PATTERN));
  ajv.addKeyword("example");
  return ajv;
}

const bodyAjv = newAjv(false);
const textAjv = newAjv(true);

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === "body" ? bodyAjv : textAjv).compile(schema);
