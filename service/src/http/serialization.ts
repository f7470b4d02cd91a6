import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";
import { memoize } from "../foundation/memoize.ts";

const compile = SerializerSelector()({}, {});

/**
 * Caches serializers by the schema's JSON text, because routes share schemas and each server instance creates new
 * schema objects.
 */
const compileText = memoize((schema) => compile({ schema: JSON.parse(schema), method: "", url: "", httpStatus: "" }));

/**
 * Error responses need no serializer, because the error handler writes them. Their schemas are only for the OpenAPI
 * document.
 */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema, httpStatus }) =>
  Number(httpStatus?.[0]) >= 4 ? JSON.stringify : compileText(JSON.stringify(schema));
