import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Html, html } from "../mailbox/html.ts";
import { STYLESHEET } from "../mailbox/page-assets.ts";
import { readBody } from "./read-body.ts";

const STYLE = "/sandbox/page.css";
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** Adds the style sheet of the pages that `sendPage` sends. */
export function addStylesheet(server: FastifyInstance): void {
  server.get(STYLE, async (_request, reply) => reply.type("text/css").send(STYLESHEET));
}

/** Returns the fields of a form that was sent to a page. */
export function formOf({ headers, body }: Pick<FastifyRequest, "headers" | "body">): Record<string, unknown> {
  return Object(readBody(typeof body === "string" ? body : "", headers["content-type"], "form").body);
}

/** Sends a page for users. `redirectUrl` is the URL to which the page's form can redirect, or null. */
export function sendPage(
  reply: FastifyReply,
  heading: string,
  rest: Html | readonly Html[] = [],
  redirectUrl: string | null = null,
): FastifyReply {
  // The CSP's `form-action` also applies to the redirect after a form is sent, so it must contain the app's origin.
  const policy = redirectUrl === null ? POLICY : `${POLICY} ${new URL(redirectUrl).origin}`;
  const { markup } = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${heading}</title>
    <link rel="stylesheet" href="${STYLE}">
  </head>
  <body><main><h1>${heading}</h1>${rest}</main></body>
</html>
`;
  return reply
    .headers({
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    .type("text/html; charset=utf-8")
    .send(markup);
}
