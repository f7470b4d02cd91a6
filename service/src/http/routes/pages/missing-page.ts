import type { FastifyReply, FastifyRequest } from "fastify";
import { isCanonicalPath } from "../../paths.ts";
import { htmlPage, PAGE_HEADERS } from "./html-page.ts";

const PAGE = htmlPage(
  "There is no such page",
  `<p>Check the address, or go to the <a href="/dashboard">dashboard</a> or the <a href="/docs/">documents</a>.</p>`,
);

/** Whether a browser asks for a page, rather than a program for something else. */
export function isPageVisit({ method, headers, raw: { url = "" } }: FastifyRequest): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && headers.accept?.includes("text/html") === true && !url.startsWith("/api/");
}

/** Leads a browser from `/login/` to `/login`, or says that there is no such page. */
export function sendMissingPage(request: FastifyRequest, reply: FastifyReply) {
  const [, path = "", query = ""] = /^([^?]*)\/(\?.*)?$/.exec(request.raw.url ?? "") ?? [];
  // `//example.com` would lead to another server.
  if (path !== "" && isCanonicalPath(path)) return reply.redirect(path + query, 308);
  return reply.code(404).headers(PAGE_HEADERS).send(PAGE);
}
