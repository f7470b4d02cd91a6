import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Html, html } from "../kit/html.ts";
import { addStylesheet } from "../kit/page-assets.ts";
import { formOf, sendPage } from "../kit/pages.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { type AuthorizationRequest, type Query, readAuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./codes.ts";
import type { OAuthApp } from "./oauth-app.ts";

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
    return "problem" in request ? sendProblem(reply, request.problem) : sendConsent(reply, page, request, url);
  });

  server.post<ConsentRequest>(page.path, async (submitted, reply) => {
    const request = read(submitted.query);
    if ("problem" in request) return sendProblem(reply, request.problem);
    const decision = readDecision(page, submitted);
    if (decision === undefined) return sendProblem(reply, "The form is invalid. Press Allow or Deny.");
    return reply.redirect(await redirectUrl(decision, { page, request, context }), 303);
  });

  addStylesheet(server);
}

type Decision<Grant> = { readonly grant: Grant } | "denied";

/** Returns the user's decision, or undefined if the form is invalid or was sent from another site. */
function readDecision<Grant>(
  page: ConsentPage<Grant>,
  { headers, body, query }: FastifyRequest<ConsentRequest>,
): Decision<Grant> | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return undefined;
  const form: Query = formOf({ headers, body });
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

function sendConsent(
  reply: FastifyReply,
  { displayName, permissions, fields }: ConsentPage<unknown>,
  { clientId, redirectUri }: AuthorizationRequest,
  /** The page's path and query string. The form is submitted to the same URL. */
  url: string,
): FastifyReply {
  const rest = html`
    <p class="quiet">This page belongs to the sandbox, which simulates ${displayName} on this machine.</p>
    <dl>
      <dt>App</dt><dd>${clientId}</dd>
      <dt>Redirects to</dt><dd>${redirectUri}</dd>
      <dt>Permissions</dt><dd>${permissions}</dd>
    </dl>
    <form method="post" action="${url}">
      ${fields}
      <button name="decision" value="allow">Allow</button>
      <button name="decision" value="deny">Deny</button>
    </form>`;
  return sendPage(reply, `Allow this app to use your ${displayName} account?`, rest, { redirectUrl: redirectUri });
}

function sendProblem(reply: FastifyReply, problem: string): FastifyReply {
  const rest = html`<p>${problem}</p><p class="quiet">You were not redirected, and the app has no access.</p>`;
  return sendPage(reply.code(400), "Invalid authorization request", rest);
}
