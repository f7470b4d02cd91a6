import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { normalizeCredential } from "../../../foundation/text/pasted-text.ts";
import type { LinkError } from "../../../foundation/vocabulary.ts";
import { getDeveloper } from "../../../modules/developers/queries.ts";
import { presentFinishedLink } from "../../../modules/links/link-resource.ts";
import {
  getPasteForm,
  type PasteForm,
  type PasteResult,
  submitPastedToken,
} from "../../../modules/links/paste-form.ts";
import { acceptsMediaType } from "../../accepted-types.ts";
import type { Route } from "../../route.ts";
import { linkClientOf } from "../projects/links/finished-link.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "./html-page.ts";
import {
  expiredLinkPage,
  FAILURE_REASONS,
  finishedLinkPage,
  pasteFormPage,
  providerUnavailablePage,
} from "./link-pages.ts";
import { form, page, textInQuery, type Visit } from "./page.ts";

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
