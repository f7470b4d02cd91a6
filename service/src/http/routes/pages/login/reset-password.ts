import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { listKeysOfEmailedToken } from "../../../../modules/developers/keys/emailed-keys.ts";
import { resetPassword } from "../../../../modules/developers/password-reset/password-reset.ts";
import { clearSessionCookies } from "../../../auth/cookies.ts";
import type { Route } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { passwordProblem } from "../../developers/fields.ts";
import { newCsrfToken, STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { expectError, form, page, textInQuery, type Visit } from "../page.ts";
import { expiredResetUrlPage, passwordSetPage, resetPasswordPage } from "./password-pages.ts";

const FORM = "reset-password";
const PATH = "/login/reset";

/**
 * Serves the page of a password reset URL. Opening the page does not use the token, because email scanners open URLs
 * too.
 */
export const resetPasswordPageRoutes: readonly Route[] = [
  page(PATH, (visit) => sendForm(visit, textInQuery(visit.request, "token"))),
  form({
    url: PATH,
    fields: {
      keep_keys: Type.Optional(Type.Literal("yes")),
      revoke_keys: Type.Optional(Type.Literal("yes")),
      token: Type.String({ maxLength: 512 }),
      password: Type.String({ maxLength: 512, ...STORABLE_TEXT }),
    },
    submit: async (visit, { once, token, password, keep_keys, revoke_keys }) => {
      const isFresh = await useCsrfToken(visit, FORM, once);
      const alert = isFresh ? weaknessOf(password) : STALE_FORM;
      if (alert !== undefined) {
        visit.reply.code(422);
        return sendForm(visit, token, alert);
      }
      return setPassword(visit, {
        token,
        password,
        keepKeys: keep_keys === "yes",
        revokeKeys: revoke_keys === "yes",
      });
    },
  }),
];

async function setPassword(
  { app, request, reply }: Visit,
  command: Omit<Parameters<typeof resetPassword>[1], "client">,
): Promise<FastifyReply> {
  reply.headers(PAGE_HEADERS);
  try {
    await resetPassword(app, { ...command, client: clientInfoOf(request) });
  } catch (thrown) {
    return reply.code(expectError(thrown, "invalid_token").status).send(expiredResetUrlPage);
  }
  clearSessionCookies(reply, app.settings);
  return reply.send(passwordSetPage);
}

function weaknessOf(password: string): string | undefined {
  const problem = passwordProblem(password);
  return problem && `The password ${problem.detail}.`;
}

async function sendForm(visit: Visit, token: string, alert?: string): Promise<FastifyReply> {
  const once = newCsrfToken(visit, FORM);
  const account = await listKeysOfEmailedToken(visit.app, { token, purpose: "reset_password" });
  return visit.reply.headers(FORM_PAGE_HEADERS).send(resetPasswordPage({ token, alert, once, account }));
}
