import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { normalizeEmail } from "../../../../foundation/text/email-address.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { requestPasswordReset } from "../../../../modules/developers/index.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { STALE_FORM } from "./login-forms.ts";
import { emailSentPage, forgotPasswordPage } from "./password-pages.ts";

const FORM = "forgot-password";
const PATH = "/login/forgot";

const ForgotFields = Type.Object(
  {
    once: Type.String({ maxLength: 200 }),
    email: Type.String({ maxLength: 254, ...STORABLE_TEXT }),
  },
  { additionalProperties: false },
);

/** Serves the form for requesting a password reset email (see `POST /developers/password/forgot`). */
export function forgotPasswordPageRoutes(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: PATH,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => sendForm(app, { request, reply }),
  });
  server.route({
    method: "POST",
    url: PATH,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: ForgotFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, email } = request.body;
      if (!(await useCsrfToken(app, request, { form: FORM, value: once }))) {
        const context = { request, reply: reply.code(422) };
        return sendForm(app, context, { email, alert: STALE_FORM });
      }
      try {
        const client = clientInfoOf(request);
        await requestPasswordReset(app, { email: normalizeEmail(email), client });
        return reply.headers(PAGE_HEADERS).send(emailSentPage);
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "rate_limited") throw thrown;
        reply.code(thrown.status).header("retry-after", String(thrown.retryAfterSeconds));
        return sendForm(app, { request, reply }, { email, alert: TOO_OFTEN });
      }
    },
  });
}

const TOO_OFTEN = "Too many emails in one minute. Wait a minute, then send the form again.";

function sendForm(
  app: App,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  fields: { readonly email?: string; readonly alert?: string } = {},
): FastifyReply {
  const once = newCsrfToken(app, request, reply, FORM);
  return reply.headers(FORM_PAGE_HEADERS).send(forgotPasswordPage({ ...fields, once }));
}
