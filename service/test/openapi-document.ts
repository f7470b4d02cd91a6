import { readFileSync } from "node:fs";

/** The committed OpenAPI document, which the server serves. `npm run check:generated` compares it with the routes. */
export const openapiDocument = JSON.parse(readFileSync(new URL("../../openapi/openapi.json", import.meta.url), "utf8"));
