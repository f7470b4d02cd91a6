import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readBody } from "../kit/read-body.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { type Html, html } from "../mailbox/html.ts";
import { STYLESHEET } from "../mailbox/page-assets.ts";
import { PERSONAS } from "./accounts.ts";
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  writeAuthorizationRequest,
} from "./authorization-request.ts";
import type { OAuthApp } from "./oauth-app.ts";
import { issueCode } from "./tokens.ts";

const AUTHORIZE = "/v1/oauth/authorize";
const STYLE = "/sandbox/consent.css";
const OWN_ONLY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const CONSENT_STYLE = `
fieldset { margin: 1.5rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .625rem; }
legend { padding: 0 .375rem; font-weight: 600; }
fieldset label { display: block; padding: .375rem 0; }
.answers { display: flex; flex-wrap: wrap; gap: .5rem; }
.answers button {
  padding: .625rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .5rem;
  color: var(--text); background: var(--card); border: 1px solid var(--line);
}
.answers button[value="allow"] {
  color: var(--on-accent); background: var(--accent); border-color: var(--accent);
}
`;

type Query = { Querystring: Record<string, unknown> };

/** The page on which a person lets the app into their account, or does not: one form, so that curl can answer it, too. */
export function addConsentPages(
  server: FastifyInstance,
  context: VendorContext,
  app: OAuthApp,
): void {
  server.get<Query>(AUTHORIZE, async ({ query }, reply) => {
    const request = readAuthorizationRequest(query, app);
    return "problem" in request
      ? sendProblem(reply, request.problem)
      : sendPage(reply, consentPage(request), policyFor(request));
  });

  server.post<Query>(AUTHORIZE, async (received, reply) => {
    const request = readAuthorizationRequest(received.query, app);
    if ("problem" in request) return sendProblem(reply, request.problem);
    const answer = readAnswer(received);
    if (answer === undefined) return sendProblem(reply, "Allow or Deny has to be pressed here.");
    return reply.redirect(await addressAfter(answer, request, context), 303);
  });

  server.get(STYLE, async (_request, reply) =>
    reply.type("text/css").send(STYLESHEET + CONSENT_STYLE),
  );
}

type Answer = { readonly account: string } | "denied";

/** What was pressed; undefined where it was not on this page. Browsers say where a form stands, other clients do not. */
function readAnswer({ headers, body }: FastifyRequest): Answer | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return undefined;
  const form = readBody(typeof body === "string" ? body : "", headers["content-type"], "form");
  const { decision, persona }: Record<string, unknown> = Object(form.body);
  if (decision === "deny") return "denied";
  const account = PERSONAS.find(({ id }) => id === persona)?.id;
  return decision === "allow" && account !== undefined ? { account } : undefined;
}

async function addressAfter(
  answer: Answer,
  { state, ...consent }: AuthorizationRequest,
  context: VendorContext,
): Promise<string> {
  const address = new URL(consent.redirectUri);
  if (answer === "denied") {
    address.searchParams.set("error", "access_denied");
  } else {
    const code = await issueCode(context, { ...consent, account: answer.account });
    address.searchParams.set("code", code);
  }
  address.searchParams.set("state", state);
  return address.href;
}

/** A browser holds the form's redirect to `form-action`, too, so that the app's own origin has to stand there. */
function policyFor({ redirectUri }: AuthorizationRequest): string {
  return `${OWN_ONLY} ${new URL(redirectUri).origin}`;
}

function consentPage(request: AuthorizationRequest): string {
  const body = html`
    <header>
      <h1>Let this app use your Supabase account?</h1>
      <p class="quiet">This is the sandbox's Supabase. Nothing leaves this machine.</p>
    </header>
    <main>
      <dl>
        <dt>App</dt><dd>${request.clientId}</dd>
        <dt>Goes on at</dt><dd>${request.redirectUri}</dd>
        <dt>May</dt><dd>see your organizations; create, read and delete projects and their keys</dd>
      </dl>
      <form method="post" action="${AUTHORIZE}?${writeAuthorizationRequest(request)}">
        <fieldset>
          <legend>You are</legend>
          ${PERSONAS.map(personaChoice)}
        </fieldset>
        <p class="answers">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </p>
      </form>
    </main>`;
  return pageOf("Let this app use your account?", body);
}

function personaChoice({ id, name, note }: (typeof PERSONAS)[number], index: number): Html {
  return html`<label><input type="radio" name="persona" value="${id}" required${
    index === 0 ? html` checked` : []
  }> ${name} <span class="quiet">${note}</span></label>`;
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
