import { readFile } from "node:fs/promises";
import { asset } from "./page.ts";

const FILE = new URL("../../../../../openapi/openapi.json", import.meta.url);

let document: string | undefined;

/** Serves the OpenAPI document, which `npm run generate` generates from the routes. */
export const openapiRoute = asset("/openapi.json", async ({ reply }) => {
  // Read once and without white space, because the document is large and can be requested without a credential.
  document ??= JSON.stringify(JSON.parse(await readFile(FILE, "utf8")));
  return reply.type("application/json; charset=utf-8").send(document);
});
