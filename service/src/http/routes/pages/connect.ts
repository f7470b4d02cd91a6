import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { Settings } from "../../../foundation/settings.ts";
import { escapeHtml, isolate, normalizeCredential } from "../../../foundation/text.ts";
import type { LinkError } from "../../../foundation/vocabulary.ts";
import { findCatalogProvider } from "../../../modules/catalog/catalog.ts";
import { getDeveloper } from "../../../modules/developers/queries.ts";
import { presentFinishedLink } from "../../../modules/links/link-resource.ts";
import {
  getPasteForm,
  type PasteForm,
  type PasteResult,
  submitPastedToken,
} from "../../../modules/links/paste-form.ts";
import { getCompletedLink } from "../../../modules/links/read-links.ts";
import type { FinishedLink } from "../../../modules/links/receive-oauth-callback.ts";
import { acceptsMediaType } from "../../accepted-types.ts";
import { clearSentCookie, pageCookie, readCookie, setCookie } from "../../auth/cookies.ts";
import type { Route } from "../../route.ts";
import { linkClientOf, returnAddressOf } from "../projects/links/links.ts";
import { alertHtml, FORM_PAGE_HEADERS, htmlPage, PAGE_HEADERS } from "./html-page.ts";
import { form, page, textInQuery, type Visit } from "./page.ts";

export const COMPLETED_LINK_PATH = "/connect/done";

/**
 * The cookie that passes `state` from the OAuth callback to the completed-link page. Only the browser that opened the
 * callback URL has this cookie.
 */
const COOKIE = pageCookie("svc_link", /^[\w-]{43}$/);

export function setCompletedState(reply: FastifyReply, settings: Settings, state: string): void {
  if (COOKIE.pattern.test(state)) setCookie(reply, settings, COOKIE, { value: state });
  else clearSentCookie(reply, settings, COOKIE);
}

/**
 * Serves the page that shows whether a provider was linked. Only the browser that opened the OAuth callback URL can see
 * the result.
 */
export const completedLinkRoute = page(COMPLETED_LINK_PATH, async ({ app, request, reply }) => {
  reply.headers(PAGE_HEADERS);
  const state = readCookie(request, app.settings, COOKIE);
  const completed = state === undefined ? undefined : await getCompletedLink(app, state);
  if (completed === undefined) {
    return reply.code(new AppError("invalid_state").status).send(expiredLinkPage);
  }
  const { email } = await getDeveloper(app.db, completed.link.tenantId);
  return reply.send(finishedLinkPage(completed, email));
});

/** The text that pages show for each reason why a link failed. */
const FAILURE_REASONS: Readonly<Record<LinkError, string>> = {
  access_denied: "Access was denied on the provider's page.",
  exchange_failed: "The provider rejected its own authorization code.",
  token_refused: "The provider rejected every token that was pasted.",
  provider_refused: "The provider returned an error.",
  provider_unavailable: "The provider could not be reached.",
  other_account:
    "This project has services in a different account at this provider. Link that account, or remove these services first.",
  project_not_active: "The project is deleted or not active.",
};

/** Shown for every invalid link URL, regardless of the reason. */
const expiredLinkPage = htmlPage(
  "This link does not work",
  `<p>It was used before, is older than ten minutes, was replaced by a newer one, or is incomplete.</p>
<p>Start the link again in the program that sent you here. Programs get a new link from <code>POST /projects/{project_id}/link</code>, which the <a href="/docs/reference">API reference</a> describes.</p>`,
);

const providerUnavailablePage = htmlPage(
  "The provider cannot be reached",
  "<p>Nothing was linked or stored. Try again in a minute.</p>",
);

/**
 * Shows whether a provider was linked. If so, the page names the project and its owner, because another person may have
 * sent the URL to the visitor.
 *
 * @param developerEmail the verified address of the project's owner
 */
function finishedLinkPage(settled: FinishedLink, developerEmail: string): string {
  const { provider, status, accountLabel, error } = settled.link;
  const entry = findCatalogProvider(provider);
  const name = escapeHtml(entry?.display_name ?? provider);
  const address = returnAddressOf(settled);
  const next =
    address === null ? "<p>You can close this page.</p>" : `<p><a href="${escapeHtml(address)}">Continue</a></p>`;
  if (status === "linked") {
    const account = isolate(accountLabel ?? "");
    return htmlPage(
      `${name} is linked`,
      `<p>${projectAndOwner(settled, developerEmail)} can now create services in the ${name} account <strong>${account}</strong>. If this is not your project, revoke its access at ${name}.</p>\n${next}`,
    );
  }
  const reason = error === null ? "" : escapeHtml(FAILURE_REASONS[error]);
  return htmlPage(`${name} was not linked`, `<p>${reason}</p>\n<p>Start the link again.</p>\n${next}`);
}

/**
 * Returns the form for a provider's API token. The browser posts it to the page's own URL.
 *
 * @param developerEmail the verified address of the project's owner
 */
export function pasteFormPage(form: PasteForm, developerEmail: string, alert?: string): string {
  const { providerName, once } = form;
  const name = escapeHtml(providerName);
  return htmlPage(
    `Link ${name}`,
    `${alertHtml(alert)}<p>${projectAndOwner(form, developerEmail)} requests permission to create services in your ${name} account. ${tokenInstructions(form)} Purser checks the token with ${name}, stores it encrypted, and never shows it.</p>
<form method="post" autocomplete="off">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" required maxlength="4096" autocomplete="off" spellcheck="false" autofocus>
<button type="submit" class="primary">Link ${name}</button>
</form>
<p class="quiet">Continue only if you or a person you trust has just started this.</p>`,
  );
}

function tokenInstructions({ tokenPageUrl, sandboxToken }: PasteForm): string {
  if (sandboxToken !== undefined) {
    return `<strong>This is the sandbox:</strong> paste a token such as <code>${escapeHtml(sandboxToken)}</code>.`;
  }
  const tokenPage = escapeHtml(tokenPageUrl);
  return `Create a token at <a href="${tokenPage}" rel="noreferrer">${tokenPage}</a> and paste it here.`;
}

function projectAndOwner({ projectName }: Pick<PasteForm, "projectName">, developerEmail: string): string {
  return `The project <strong>${isolate(projectName)}</strong> of <strong>${escapeHtml(developerEmail)}</strong>`;
}

const PATH = "/connect/:link_id";

/** Serves the form for a provider's API token. Responds with HTML, or with JSON if the client requests it. */
export const connectPageRoutes: readonly Route[] = [
  page(PATH, async (visit, { link_id }) => {
    try {
      return await sendForm(visit, await getPasteForm(visit.app, addressOf(visit.request, link_id)));
    } catch (thrown) {
      return sendError(visit, thrown);
    }
  }),
  form({
    url: PATH,
    fields: { token: Type.String({ minLength: 1, maxLength: 4096 }), once: Type.String({ maxLength: 100 }) },
    submit: async (visit, { token, once }, { link_id }) => {
      try {
        const result = await submitPastedToken(visit.app, {
          address: addressOf(visit.request, link_id),
          once,
          // A token copied from a terminal can have quotes around it and line breaks in it.
          token: normalizeCredential(token).replaceAll(/\s/g, ""),
          client: linkClientOf(visit.request),
        });
        return await sendResult(visit, result);
      } catch (thrown) {
        return sendError(visit, thrown);
      }
    },
  }),
];

function addressOf(request: FastifyRequest, linkId: string) {
  return { linkId, key: textInQuery(request, "key") };
}

async function sendResult(visit: Visit, result: PasteResult): Promise<FastifyReply> {
  const { app, request, reply } = visit;
  const failure = errorOf(result);
  const acceptsJson = acceptsMediaType(request, "application/json");
  if (failure !== undefined && acceptsJson) throw failure;
  reply.code(failure?.status ?? 200);
  if (result.outcome !== "settled") return sendForm(visit, result.form, RETRY_ALERTS[result.outcome]);
  if (acceptsJson) return reply.send(presentFinishedLink(result));
  const { email } = await getDeveloper(app.db, result.link.tenantId);
  return reply.headers(PAGE_HEADERS).send(finishedLinkPage(result, email));
}

/** The alerts above a form that is shown again. They never contain the pasted token. */
const RETRY_ALERTS = {
  refused:
    "The provider rejected the token. The token may be incomplete, revoked, valid for several organizations, or without the required permissions. Paste another token.",
  unavailable: "The provider cannot be reached. Nothing was saved. Try again in a minute.",
  stale: "This form has already been sent. Paste the token again.",
} as const satisfies Record<Exclude<PasteResult["outcome"], "settled">, string>;

/** Returns the error for a failed submission, or undefined if the link succeeded. */
function errorOf(result: PasteResult): AppError | undefined {
  if (result.outcome === "stale") return new AppError("invalid_state");
  const error = result.outcome === "settled" ? result.link.error : ERRORS[result.outcome];
  return error === null ? undefined : errorForLink(error);
}

const ERRORS = { refused: "token_refused", unavailable: "provider_unavailable" } as const;

function errorForLink(error: LinkError): AppError {
  if (error === "provider_unavailable") return new AppError("provider_unavailable");
  if (error === "token_refused") {
    return invalidField("/body/token", "refused", "was rejected by the provider");
  }
  return new AppError("conflict", { detail: FAILURE_REASONS[error] });
}

async function sendForm({ app, reply }: Visit, pasteForm: PasteForm, alert?: string): Promise<FastifyReply> {
  const { email } = await getDeveloper(app.db, pasteForm.tenantId);
  return reply.headers(FORM_PAGE_HEADERS).send(pasteFormPage(pasteForm, email, alert));
}

/**
 * Sends an error page. If the client requests JSON or the error has no page, throws the error. The error handler then
 * responds with JSON.
 */
function sendError({ request, reply }: Visit, thrown: unknown): FastifyReply {
  const errorPage =
    thrown instanceof AppError && !acceptsMediaType(request, "application/json")
      ? ERROR_PAGES.get(thrown.code)
      : undefined;
  if (errorPage === undefined || !(thrown instanceof AppError)) throw thrown;
  return reply.code(thrown.status).headers(PAGE_HEADERS).send(errorPage);
}

const ERROR_PAGES: ReadonlyMap<string, string> = new Map([
  ["invalid_state", expiredLinkPage],
  ["provider_unavailable", providerUnavailablePage],
]);
