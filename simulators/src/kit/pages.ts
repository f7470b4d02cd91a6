import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Html, html, pageOf } from "./html.ts";
import { readBody } from "./read-body.ts";

const POLICY = "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'";

/** Returns the fields of a form that was sent to a page. */
export function formOf({ headers, body }: Pick<FastifyRequest, "headers" | "body">): Record<string, unknown> {
  return Object(readBody(typeof body === "string" ? body : "", headers["content-type"], "form").body);
}

/** Adds a script, for the app or for a page that the app has in a frame. */
export function addScript(server: FastifyInstance, url: string, script: string): void {
  server.get(url, async (_request, reply) =>
    reply
      .headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" })
      .type("text/javascript")
      .send(script),
  );
}

/** An origin of this machine. Pages of others get no page in a frame, and no messages. */
const PARENT_FORM = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Returns the origin of the app that has the page in a frame, which its script names in the query. Null without a frame. */
export function parentOf({ parent }: Readonly<Record<string, unknown>>): string | null {
  return typeof parent === "string" && PARENT_FORM.test(parent) ? parent : null;
}

/** Returns the headers of a page that only the app can have in a frame, with the page's own script and requests. */
export function frameHeaders(parent: string): Readonly<Record<string, string>> {
  return headersWith(`frame-ancestors ${parent}; form-action 'self'; script-src 'self'; connect-src 'self'`);
}

function headersWith(policy: string): Readonly<Record<string, string>> {
  return {
    "cache-control": "no-store",
    "content-security-policy": `${POLICY}; ${policy}`,
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

interface PageOptions {
  /** The URL to which the page's form can redirect. */
  readonly redirectUrl?: string | null;
  /** The app that has the page in a frame, and the script that talks to it. */
  readonly frame?: { readonly parent: string; readonly script: string } | null;
}

/** Sends a page for users. */
export function sendPage(
  reply: FastifyReply,
  heading: string,
  rest: Html | readonly Html[] = [],
  { redirectUrl = null, frame = null }: PageOptions = {},
): FastifyReply {
  // The CSP's `form-action` also applies to the redirect after a form is sent, so it must contain the app's origin.
  const redirects = redirectUrl === null ? "" : ` ${new URL(redirectUrl).origin}`;
  const name = reply.server.getDecorator<string>("displayName");
  const body = html`<body class="single" data-vendor="${name}">
    <header class="brand"><span class="mark" aria-hidden="true">${name.slice(0, 1)}</span> ${name} <small>Sandbox</small></header>
    <main><h1>${heading}</h1>${rest}</main>${frame === null ? "" : html`<script src="${frame.script}"></script>`}</body>`;
  const headers =
    frame === null ? headersWith(`frame-ancestors 'none'; form-action 'self'${redirects}`) : frameHeaders(frame.parent);
  return reply.headers(headers).send(pageOf(heading, body));
}
