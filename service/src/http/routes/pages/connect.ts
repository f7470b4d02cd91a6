import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { normalizeCredential } from "../../../foundation/text/pasted-text.ts";
import type { LinkError } from "../../../foundation/vocabulary.ts";
import { getDeveloper } from "../../../modules/developers/index.ts";
import {
  getPasteForm,
  type PasteForm,
  type PasteResult,
  presentFinishedLink,
  submitPastedToken,
} from "../../../modules/projects/index.ts";
import { acceptsMediaType } from "../../accepted-types.ts";
import { isSameOrigin } from "../../auth/same-origin.ts";
import type { Server } from "../../route.ts";
import { linkClientOf } from "../projects/links/finished-link.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "./html-page.ts";
import {
  expiredLinkPage,
  FAILURE_REASONS,
  finishedLinkPage,
  pasteFormPage,
  providerUnavailablePage,
} from "./link-pages.ts";

const params = Type.Object({ link_id: Type.String() });

/** Serves the form for a provider's API token. Responds with HTML, or with JSON if the client requests it. */
export function connectPageRoutes(server: Server, app: App): void {
  const url = "/connect/:link_id";
  server.route({
    method: ["GET", "HEAD"],
    url,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true, params },
    handler: async (request, reply) => {
      try {
        const form = await getPasteForm(app, addressOf(request, request.params.link_id));
        return await sendForm(app, reply, 200, form);
      } catch (thrown) {
        return sendError(request, reply, thrown);
      }
    },
  });
  server.route({
    method: "POST",
    url,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: {
      hide: true,
      params,
      body: Type.Object(
        {
          token: Type.String({ minLength: 1, maxLength: 4096 }),
          once: Type.String({ maxLength: 100 }),
        },
        { additionalProperties: false },
      ),
    },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { token, once } = request.body;
      try {
        const result = await submitPastedToken(app, {
          address: addressOf(request, request.params.link_id),
          once,
          // A token copied from a terminal can have quotes around it and line breaks in it.
          token: normalizeCredential(token).replaceAll(/\s/g, ""),
          client: linkClientOf(request),
        });
        return await sendResult(app, request, reply, result);
      } catch (thrown) {
        return sendError(request, reply, thrown);
      }
    },
  });
}

function addressOf({ query }: FastifyRequest, linkId: string) {
  const key: unknown = typeof query === "object" && query !== null && Reflect.get(query, "key");
  return { linkId, key: typeof key === "string" ? key : "" };
}

async function sendResult(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  result: PasteResult,
): Promise<FastifyReply> {
  const failure = errorOf(result);
  const acceptsJson = acceptsMediaType(request, "application/json");
  if (failure !== undefined && acceptsJson) throw failure;
  const status = failure?.status ?? 200;
  if (result.outcome !== "settled") {
    return sendForm(app, reply, status, result.form, RETRY_ALERTS[result.outcome]);
  }
  if (acceptsJson) return reply.send(presentFinishedLink(result));
  const { email } = await getDeveloper(app.db, result.link.tenantId);
  return reply.code(status).headers(PAGE_HEADERS).send(finishedLinkPage(result, email));
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

async function sendForm(
  app: App,
  reply: FastifyReply,
  status: number,
  form: PasteForm,
  alert?: string,
): Promise<FastifyReply> {
  const { email } = await getDeveloper(app.db, form.tenantId);
  return reply
    .code(status)
    .headers(FORM_PAGE_HEADERS)
    .send(pasteFormPage(form, email, alert));
}

/**
 * Sends an error page. If the client requests JSON or the error has no page, throws the error. The error handler then
 * responds with JSON.
 */
function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const page =
    thrown instanceof AppError && !acceptsMediaType(request, "application/json")
      ? ERROR_PAGES.get(thrown.code)
      : undefined;
  if (page === undefined || !(thrown instanceof AppError)) throw thrown;
  return reply.code(thrown.status).headers(PAGE_HEADERS).send(page);
}

const ERROR_PAGES: ReadonlyMap<string, string> = new Map([
  ["invalid_state", expiredLinkPage],
  ["provider_unavailable", providerUnavailablePage],
]);
