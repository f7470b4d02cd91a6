import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { requestPasswordReset } from "../../../../modules/developers/password-reset/password-reset.ts";
import type { Route } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { expectError, form, page, type Visit } from "../page.ts";
import { emailSentPage, forgotPasswordPage } from "./password-pages.ts";

const FORM = "forgot-password";
const PATH = "/login/forgot";

/** Serves the form for requesting a password reset email (see `POST /developers/password/forgot`). */
export const forgotPasswordPageRoutes: readonly Route[] = [
  page(PATH, (visit) => sendForm(visit)),
  form({
    url: PATH,
    fields: { email: Type.String({ maxLength: 254, ...STORABLE_TEXT }) },
    submit: async (visit, { once, email }) => {
      const { app, request, reply } = visit;
      if (!(await useCsrfToken(visit, FORM, once))) {
        reply.code(422);
        return sendForm(visit, { email, alert: STALE_FORM });
      }
      try {
        const client = clientInfoOf(request);
        await requestPasswordReset(app, { email: normalizeEmail(email), client });
        return reply.headers(PAGE_HEADERS).send(emailSentPage);
      } catch (thrown) {
        const { status, retryAfterSeconds } = expectError(thrown, "rate_limited");
        reply.code(status).header("retry-after", String(retryAfterSeconds));
        return sendForm(visit, { email, alert: TOO_OFTEN });
      }
    },
  }),
];

const TOO_OFTEN = "Too many emails in one minute. Wait a minute, then send the form again.";

function sendForm(visit: Visit, fields: { readonly email?: string; readonly alert?: string } = {}): FastifyReply {
  const once = newCsrfToken(visit, FORM);
  return visit.reply.headers(FORM_PAGE_HEADERS).send(forgotPasswordPage({ ...fields, once }));
}
