import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readBody } from "../kit/read-body.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { type Html, html } from "../mailbox/html.ts";
import { STYLESHEET } from "../mailbox/page-assets.ts";
import {
  type AuthorizationRequest,
  type Query,
  readAuthorizationRequest,
} from "./authorization-request.ts";
import { issueCode } from "./codes.ts";
import type { OAuthApp } from "./oauth-app.ts";

const STYLE = "/sandbox/consent.css";
const OWN_ONLY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

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

/** What is one vendor's own of its consent page. `Grant` is kept with the code, as JSON, and found again by it. */
export interface ConsentPage<Grant> {
  readonly path: string;
  /** `Supabase`. */
  readonly displayName: string;
  readonly app: OAuthApp;
  /** What the app may do once it is let in, in words. */
  readonly may: string;
  readonly codeLifetimeMs: number;
  /** What stands in the form above Allow and Deny. */
  readonly fields: Html;
  /** What is wrong with the query, of what only this vendor asks for. */
  problemOf(query: Query): string | undefined;
  /** What the person who answered this form grants; undefined where it names nobody. */
  grantOf(form: Query, query: Query): Grant | undefined;
  /** What the vendor adds to the address beside code or error, and state. */
  readonly alsoReturned: {
    readonly allowed: Readonly<Record<string, string>>;
    readonly denied: Readonly<Record<string, string>>;
  };
}

type Queried = { Querystring: Record<string, unknown> };

/** The page on which a person lets the app into their account, or does not: one form, so that curl can answer it, too. */
export function addConsentPage<Grant>(
  server: FastifyInstance,
  context: VendorContext,
  page: ConsentPage<Grant>,
): void {
  const read = (query: Query) => {
    const request = readAuthorizationRequest(query, page.app);
    const problem = "problem" in request ? request.problem : page.problemOf(query);
    return problem === undefined ? request : { problem };
  };

  server.get<Queried>(page.path, async ({ query, url }, reply) => {
    const request = read(query);
    return "problem" in request
      ? sendProblem(reply, request.problem)
      : sendPage(reply, consentMarkup(page, request, url), policyFor(request));
  });

  server.post<Queried>(page.path, async (received, reply) => {
    const request = read(received.query);
    if ("problem" in request) return sendProblem(reply, request.problem);
    const answer = readAnswer(page, received);
    if (answer === undefined) return sendProblem(reply, "Allow or Deny has to be pressed here.");
    return reply.redirect(await addressAfter(answer, { page, request, context }), 303);
  });

  server.get(STYLE, async (_request, reply) =>
    reply.type("text/css").send(STYLESHEET + CONSENT_STYLE),
  );
}

type Answer<Grant> = { readonly grant: Grant } | "denied";

/** What was pressed; undefined where it was not on this page. Browsers say where a form stands, other clients do not. */
function readAnswer<Grant>(
  page: ConsentPage<Grant>,
  { headers, body, query }: FastifyRequest<Queried>,
): Answer<Grant> | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return undefined;
  const text = typeof body === "string" ? body : "";
  const form: Query = Object(readBody(text, headers["content-type"], "form").body);
  if (form["decision"] === "deny") return "denied";
  const grant = form["decision"] === "allow" ? page.grantOf(form, query) : undefined;
  return grant === undefined ? undefined : { grant };
}

async function addressAfter<Grant>(
  answer: Answer<Grant>,
  {
    page,
    request: { state, ...asked },
    context,
  }: {
    readonly page: ConsentPage<Grant>;
    readonly request: AuthorizationRequest;
    readonly context: VendorContext;
  },
): Promise<string> {
  const { allowed, denied } = page.alsoReturned;
  const outcome =
    answer === "denied"
      ? { error: "access_denied", ...denied }
      : {
          code: await issueCode(context, { ...asked, grant: answer.grant }, page.codeLifetimeMs),
          ...allowed,
        };
  const address = new URL(asked.redirectUri);
  for (const [name, value] of Object.entries({ ...outcome, ...(state && { state }) })) {
    address.searchParams.set(name, value);
  }
  return address.href;
}

/** A browser holds the form's redirect to `form-action`, too, so that the app's own origin has to stand there. */
function policyFor({ redirectUri }: AuthorizationRequest): string {
  return `${OWN_ONLY} ${new URL(redirectUri).origin}`;
}

function consentMarkup(
  { displayName, may, fields }: ConsentPage<unknown>,
  { clientId, redirectUri }: AuthorizationRequest,
  /** With the query, which the answer has to bring again. */
  url: string,
): string {
  const body = html`
    <header>
      <h1>Let this app use your ${displayName} account?</h1>
      <p class="quiet">This is the sandbox's ${displayName}. Nothing leaves this machine.</p>
    </header>
    <main>
      <dl>
        <dt>App</dt><dd>${clientId}</dd>
        <dt>Goes on at</dt><dd>${redirectUri}</dd>
        <dt>May</dt><dd>${may}</dd>
      </dl>
      <form method="post" action="${url}">
        ${fields}
        <p class="answers">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </p>
      </form>
    </main>`;
  return pageOf("Let this app use your account?", body);
}

function sendProblem(reply: FastifyReply, problem: string): FastifyReply {
  const body = html`
    <main>
      <h1>This request cannot be answered</h1>
      <p>${problem}</p>
      <p class="quiet">Nobody was redirected, and nothing was granted.</p>
    </main>`;
  return sendPage(reply.code(400), pageOf("This request cannot be answered", body), OWN_ONLY);
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
