import { hash } from "node:crypto";
import { join } from "node:path";
import { AppError } from "../../../foundation/errors.ts";
import type { Route } from "../../route.ts";
import { ASSET_HEADERS, builtFiles } from "./built-files.ts";
import { htmlPage, PAGE_HEADERS } from "./html-page.ts";
import { page, type Visit } from "./page.ts";

/** The built documents: `npm run build:docs` writes them. */
const BUILT = builtFiles(join(import.meta.dirname, "../../../../../docs/dist"));

/** The time in seconds after which a browser loads the page again while the documents are being built. */
const RETRY_AFTER_SECONDS = 5;

/** Serves the documents. `/docs/reference` has a route of its own. */
export const docsRoutes: readonly Route[] = [
  // The links of the first page are relative.
  page("/docs", ({ reply }) => reply.redirect("/docs/", 302)),
  page("/docs/*", (visit) => {
    const { "*": path } = visit.request.params as { readonly "*": string };
    return path.includes(".") ? sendFile(visit, path) : sendDocument(visit, path || "index");
  }),
];

async function sendFile(visit: Visit, file: string) {
  // A file without a hash in its name can have another content after the next build.
  if (file.endsWith(".html")) throw new AppError("not_found");
  if (file.startsWith("assets/")) visit.reply.headers(ASSET_HEADERS);
  return BUILT.send(visit, file);
}

async function sendDocument(visit: Visit, path: string) {
  const { reply } = visit;
  if (!(await BUILT.has("404.html"))) {
    const headers = { ...PAGE_HEADERS, "retry-after": RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS };
    return reply.code(503).headers(headers).send(missingPage);
  }
  const isKnown = await BUILT.has(`${path}.html`);
  if (!isKnown) reply.code(404);
  const file = isKnown ? `${path}.html` : "404.html";
  reply.headers({ "content-security-policy": policy(await BUILT.read(file)), "referrer-policy": "same-origin" });
  return BUILT.send(visit, file);
}

/** Allows the scripts and styles of this server, and the page's inline scripts, which set the appearance before it is shown. */
function policy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)];
  const hashes = inline.map(([, script = ""]) => ` 'sha256-${hash("sha256", script, "base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join("")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const missingPage = htmlPage(
  "The documents are being built",
  '<p>This takes some seconds after the first start; this page then loads again. If it stays, run <code>npm run build:docs</code>. The <a href="/docs/reference">API reference</a> is there already, and <code>docs/</code> has the same documents.</p>',
);
