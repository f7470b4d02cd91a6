import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readBody } from "../kit/read-body.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { type Html, html } from "../mailbox/html.ts";
import { STYLESHEET } from "../mailbox/page-assets.ts";
import { type AuthorizationRequest, type Query, readAuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./codes.ts";
import type { OAuthApp } from "./oauth-app.ts";

const STYLE = "/sandbox/consent.css";
const BASE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const CONSENT_STYLE = `
fieldset { margin: 1.5rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .625rem; }
legend { padding: 0 .375rem; font-weight: 600; }
fieldset label { display: block; padding: .375rem 0; }
fieldset input:not([type="radio"], [type="checkbox"]), fieldset select {
  display: block; width: 100%; margin-top: .25rem; padding: .5rem .75rem; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.answers { display: flex; flex-wrap: wrap; gap: .5rem; }
.answers button {
  padding: .625rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .5rem;
  color: var(--text); background: var(--card); border: 1px solid var(--line);
}
.answers button[value="allow"] {
  color: var(--on-accent); background: var(--accent); border-color: var(--accent);
}
`;

/**
 * A vendor's consent page.
 * @typeParam Grant the data that is stored as JSON with the authorization code and returned when the code is exchanged
 */
export interface ConsentPage<Grant> {
  readonly path: string;
  /** The vendor's name as shown on the page, for example `Supabase`. */
  readonly displayName: string;
  readonly app: OAuthApp;
  /** The permissions that the app requests, as shown on the page. */
  readonly permissions: string;
  readonly codeLifetimeMs: number;
  /** Form fields above the buttons. */
  readonly fields: Html;
  /** Returns a problem with the vendor's own parameters, or undefined if they are valid. */
  validate(query: Query): string | undefined;
  /** Returns the grant for the submitted form, or undefined if the form is invalid. */
  grantOf(form: Query, query: Query): Grant | undefined;
  /** Parameters that the vendor adds to the redirect, in addition to `state` and either `code` or `error`. */
  readonly extraParameters: {
    readonly allowed: Readonly<Record<string, string>>;
    readonly denied: Readonly<Record<string, string>>;
  };
}

type ConsentRequest = { Querystring: Record<string, unknown> };

/** Adds the page on which a user allows or denies access. The page's form can also be submitted with curl. */
export function addConsentPage<Grant>(server: FastifyInstance, context: VendorContext, page: ConsentPage<Grant>): void {
  const read = (query: Query) => {
    const request = readAuthorizationRequest(query, page.app);
    const problem = "problem" in request ? request.problem : page.validate(query);
    return problem === undefined ? request : { problem };
  };

  server.get<ConsentRequest>(page.path, async ({ query, url }, reply) => {
    const request = read(query);
    return "problem" in request
      ? sendProblem(reply, request.problem)
      : sendPage(reply, consentMarkup(page, request, url), policyFor(request));
  });

  server.post<ConsentRequest>(page.path, async (submitted, reply) => {
    const request = read(submitted.query);
    if ("problem" in request) return sendProblem(reply, request.problem);
    const decision = readDecision(page, submitted);
    if (decision === undefined) return sendProblem(reply, "The form is invalid. Press Allow or Deny.");
    return reply.redirect(await redirectUrl(decision, { page, request, context }), 303);
  });

  server.get(STYLE, async (_request, reply) => reply.type("text/css").send(STYLESHEET + CONSENT_STYLE));
}

type Decision<Grant> = { readonly grant: Grant } | "denied";

/** Returns the user's decision, or undefined if the form is invalid or was sent from another site. */
function readDecision<Grant>(
  page: ConsentPage<Grant>,
  { headers, body, query }: FastifyRequest<ConsentRequest>,
): Decision<Grant> | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return undefined;
  const text = typeof body === "string" ? body : "";
  const form: Query = Object(readBody(text, headers["content-type"], "form").body);
  if (form["decision"] === "deny") return "denied";
  const grant = form["decision"] === "allow" ? page.grantOf(form, query) : undefined;
  return grant === undefined ? undefined : { grant };
}

async function redirectUrl<Grant>(
  decision: Decision<Grant>,
  {
    page,
    request: { state, ...consent },
    context,
  }: {
    readonly page: ConsentPage<Grant>;
    readonly request: AuthorizationRequest;
    readonly context: VendorContext;
  },
): Promise<string> {
  const { allowed, denied } = page.extraParameters;
  const outcome =
    decision === "denied"
      ? { error: "access_denied", ...denied }
      : {
          code: await issueCode(context, { ...consent, grant: decision.grant }, page.codeLifetimeMs),
          ...allowed,
        };
  const url = new URL(consent.redirectUri);
  for (const [name, value] of Object.entries({ ...outcome, ...(state && { state }) })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

/** The CSP's `form-action` also applies to the redirect after a form is sent, so it must contain the app's origin. */
function policyFor({ redirectUri }: AuthorizationRequest): string {
  return `${BASE_POLICY} ${new URL(redirectUri).origin}`;
}

function consentMarkup(
  { displayName, permissions, fields }: ConsentPage<unknown>,
  { clientId, redirectUri }: AuthorizationRequest,
  /** The page's path and query string. The form is submitted to the same URL. */
  url: string,
): string {
  const body = html`
    <header>
      <h1>Allow this app to use your ${displayName} account?</h1>
      <p class="quiet">This page belongs to the sandbox, which simulates ${displayName} on this machine.</p>
    </header>
    <main>
      <dl>
        <dt>App</dt><dd>${clientId}</dd>
        <dt>Redirects to</dt><dd>${redirectUri}</dd>
        <dt>Permissions</dt><dd>${permissions}</dd>
      </dl>
      <form method="post" action="${url}">
        ${fields}
        <p class="answers">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </p>
      </form>
    </main>`;
  return pageOf("Allow this app to use your account?", body);
}

function sendProblem(reply: FastifyReply, problem: string): FastifyReply {
  const body = html`
    <main>
      <h1>Invalid authorization request</h1>
      <p>${problem}</p>
      <p class="quiet">You were not redirected, and the app has no access.</p>
    </main>`;
  return sendPage(reply.code(400), pageOf("Invalid authorization request", body), BASE_POLICY);
}

function pageOf(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${STYLE}">
  </head>
  <body>${body}</body>
</html>
`.markup;
}

function sendPage(reply: FastifyReply, markup: string, policy: string): FastifyReply {
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
