import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Route } from "../../route.ts";
import { asset } from "./page.ts";

const FILE = new URL("../../../../../openapi/openapi.json", import.meta.url);

let document: string | undefined;

/** Serves the OpenAPI document, which `npm run generate` generates from the routes. */
export const openapiRoute = asset("/openapi.json", async ({ reply }) => {
  // Read once and without white space, because the document is large and can be requested without a credential.
  document ??= JSON.stringify(JSON.parse(await readFile(FILE, "utf8")));
  return reply.type("application/json; charset=utf-8").send(document);
});

const SCRIPT_URL = "/docs/reference.js";

/** The page's Content-Security-Policy. It allows requests to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Purser API reference</title>
  </head>
  <body>
    <nav style="padding: .75rem 1.5rem; font: 600 .875rem system-ui"><a href="/docs/" style="color: var(--scalar-color-1)">Documents</a></nav>
    <div id="reference"></div>
    <script src="${SCRIPT_URL}"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>`;

/** Hides Scalar's buttons for sending requests and its form for credentials, because Scalar cannot sign requests. */
const START = `Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hiddenClients: true,
  hideTestRequestButton: true,
  showDeveloperTools: "never",
  customCss: ".scalar-reference-intro-auth { display: none !important }",
  agent: { disabled: true },
  mcp: { disabled: true },
});`;

const FILES = [
  { url: "/docs/reference", type: "text/html; charset=utf-8", read: async () => PAGE },
  { url: "/docs/start.js", type: "text/javascript; charset=utf-8", read: async () => START },
  { url: SCRIPT_URL, type: "text/javascript; charset=utf-8", read: readScript },
];

/** Serves the API reference: the Scalar viewer with Purser's OpenAPI document. */
export const referenceRoutes: readonly Route[] = FILES.map(({ url, type, read }) =>
  asset(url, async ({ reply }) =>
    reply.headers({ "content-type": type, "content-security-policy": POLICY }).send(await read()),
  ),
);

let script: Promise<Buffer> | undefined;

/**
 * Reads Scalar's script on first use, because it takes 4 MB of memory. The script comes from Scalar's plugin for Fastify,
 * because `@scalar/api-reference` needs about 270 packages that the script already contains.
 */
function readScript(): Promise<Buffer> {
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  script ??= readFile(join(dirname(entry), "js", "standalone.js"));
  return script;
}
