import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";
import { memoize } from "../foundation/memoize.ts";

// Without this, the serializer warns about each format in a union: it checks no formats.
const compile = SerializerSelector()({}, { ajv: { logger: false } });

/**
 * Parses a schema and removes each `$id`, which is only for the OpenAPI document: a schema can contain another more than
 * once, and two servers in one process can have different schemas with the same id.
 */
export function parseSchema(text: string) {
  return JSON.parse(text, (key, value) => (key === "$id" ? undefined : value));
}

/**
 * Caches serializers by the schema's JSON text, because routes share schemas and each server instance creates new
 * schema objects.
 */
const compileText = memoize((text) => compile({ schema: parseSchema(text), method: "", url: "", httpStatus: "" }));

/**
 * Error responses need no serializer, because the error handler writes them. Their schemas are only for the OpenAPI
 * document.
 */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema, httpStatus }) =>
  Number(httpStatus?.[0]) >= 4 ? JSON.stringify : compileText(JSON.stringify(schema));
