import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

/** Writes the SDK's types from the OpenAPI document. With `--check`, reports whether the file is up to date. */
const ROOT = path.join(import.meta.dirname, "..");
const FILE = "sdk/typescript/src/api-types.ts";
const HEADER = "// Generated from openapi/openapi.json by `npm run openapi`. Do not edit.\n\n";

const document = JSON.parse(await readFile(path.join(ROOT, "openapi/openapi.json"), "utf8"));
const types = await openapiTS(schemasOf(document), {
  immutable: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // A request field that has a default remains optional.
  defaultNonNullable: false,
});
const text = `${HEADER}${astToString(types)}`
  // The SDK exports only the named schemas, so the other types are removed or not exported.
  .replace(/^export type (paths|webhooks|\$defs|operations) = .*\n/gm, "")
  .replace("export interface components", "interface components");

if (!process.argv.includes("--check")) {
  await writeFile(path.join(ROOT, FILE), text);
  console.log(`Wrote ${FILE}.`);
} else if ((await readFile(path.join(ROOT, FILE), "utf8").catch(() => "")) === text) {
  console.log(`${FILE} is up to date.`);
} else {
  console.error(`${FILE} is out of date. Run \`npm run openapi\` and commit it.`);
  process.exitCode = 1;
}

/** Returns the document reduced to its named schemas. Every request and response body is one of them. */
function schemasOf({ openapi, info, components }: OpenAPI3): OpenAPI3 {
  const schemas = JSON.parse(JSON.stringify(components?.schemas ?? {}), withEnumType);
  return { openapi, info, paths: {}, components: { schemas } };
}

/**
 * Adds a type to enums. The routes declare enums without a type, and the generator would print these as `@enum
 * {unknown}`.
 */
function withEnumType(_key: string, value: unknown): unknown {
  const isEnum = typeof value === "object" && value !== null && "enum" in value;
  return isEnum ? { type: "string", ...value } : value;
}
