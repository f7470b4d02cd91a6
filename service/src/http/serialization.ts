import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";

type Serialize = (body: unknown) => string;

const compile = SerializerSelector()({}, {});
/** By the schema's text: many routes answer with the same, and each server makes its schemas anew. */
const compiled = new Map<string, Serialize>();

/** Refusals have no serializer: the error handler writes them, and their schemas are for the OpenAPI document. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => {
  if (Number(route.httpStatus?.[0]) >= 4) return JSON.stringify;
  const text = JSON.stringify(route.schema);
  const serialize: Serialize = compiled.get(text) ?? compile({ ...route, httpStatus: "" });
  compiled.set(text, serialize);
  return serialize;
};
