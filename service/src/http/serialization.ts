import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";
import { memoize } from "../foundation/memoize.ts";

const compile = SerializerSelector()({}, {});

/** By the schema's text: many routes answer with the same, and each server makes its schemas anew. */
const compileText = memoize((schema) =>
  compile({ schema: JSON.parse(schema), method: "", url: "", httpStatus: "" }),
);

/** Refusals have no serializer: the error handler writes them, and their schemas are for the OpenAPI document. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema, httpStatus }) =>
  Number(httpStatus?.[0]) >= 4 ? JSON.stringify : compileText(JSON.stringify(schema));
