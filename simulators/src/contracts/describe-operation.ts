import type { JsonRecord } from "./records.ts";

export const STRING = { type: "string" };
export const DATE_TIME = { type: "string", format: "date-time" };
export const BOOLEAN = { type: "boolean" };
export const PAGE_LIMIT = { type: "integer", minimum: 1, maximum: 100 };

/** A named schema of the vendor's description. */
export function schemaRef(name: string): JsonRecord {
  return { $ref: `#/components/schemas/${name}` };
}

export function object(required: readonly string[], properties: JsonRecord): JsonRecord {
  return { type: "object", required, properties };
}

export function list(items: JsonRecord = { type: "object" }): JsonRecord {
  return { type: "array", items };
}

export function json(schema: JsonRecord): JsonRecord {
  return { content: { "application/json": { schema } } };
}

export function form(schema: JsonRecord): JsonRecord {
  return { content: { "application/x-www-form-urlencoded": { schema } } };
}

/** The responses of an operation that has one success. */
export function success(schema: JsonRecord, status = 200): JsonRecord {
  return { [status]: { description: "ok", ...json(schema) } };
}

export function query(name: string, schema: JsonRecord = STRING): JsonRecord {
  return { name, in: "query", required: false, schema };
}

export function requiredQuery(name: string, schema: JsonRecord = STRING): JsonRecord {
  return { name, in: "query", required: true, schema };
}

export function pathParameter(name: string, schema: JsonRecord = STRING): JsonRecord {
  return { name, in: "path", required: true, schema };
}
