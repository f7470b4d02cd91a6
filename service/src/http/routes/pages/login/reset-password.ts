import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { listKeysOfEmailedToken, resetPassword } from "../../../../modules/developers/index.ts";
import { clearSessionCookies } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { passwordProblem } from "../../developers/fields.ts";
import { newCsrfToken, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { STALE_FORM } from "./login-forms.ts";
import { expiredResetUrlPage, passwordSetPage, resetPasswordPage } from "./password-pages.ts";
import { tokenIn } from "./token-in.ts";

const FORM = "reset-password";
const PATH = "/login/reset";

const ResetFields = Type.Object(
  {
    keep_keys: Type.Optional(Type.Literal("yes")),
    revoke_keys: Type.Optional(Type.Literal("yes")),
    once: Type.String({ maxLength: 200 }),
    token: Type.String({ maxLength: 512 }),
    password: Type.String({ maxLength: 512, ...STORABLE_TEXT }),
  },
  { additionalProperties: false },
);

/**
 * Serves the page of a password reset URL. Opening the page does not use the token, because email scanners open URLs
 * too.
 */
export function resetPasswordPageRoutes(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: PATH,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => sendForm(app, { request, reply }, { token: tokenIn(request.query) }),
  });
  server.route({
    method: "POST",
    url: PATH,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: ResetFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, token, password, keep_keys, revoke_keys } = request.body;
      const isFresh = await useCsrfToken(app, request, { form: FORM, value: once });
      const alert = isFresh ? weaknessOf(password) : STALE_FORM;
      if (alert !== undefined) {
        return sendForm(app, { request, reply: reply.code(422) }, { token, alert });
      }
      return setPassword(
        app,
        { request, reply },
        { token, password, keepKeys: keep_keys === "yes", revokeKeys: revoke_keys === "yes" },
      );
    },
  });
}

interface Context {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function setPassword(
  app: App,
  { request, reply }: Context,
  command: Omit<Parameters<typeof resetPassword>[1], "client">,
): Promise<FastifyReply> {
  reply.headers(PAGE_HEADERS);
  try {
    await resetPassword(app, { ...command, client: clientInfoOf(request) });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== "invalid_token") throw thrown;
    return reply.code(thrown.status).send(expiredResetUrlPage);
  }
  clearSessionCookies(reply, app.settings);
  return reply.send(passwordSetPage);
}

function weaknessOf(password: string): string | undefined {
  const problem = passwordProblem(password);
  return problem && `The password ${problem.detail}.`;
}

async function sendForm(
  app: App,
  { request, reply }: Context,
  fields: { readonly token: string; readonly alert?: string },
): Promise<FastifyReply> {
  const once = newCsrfToken(app, request, reply, FORM);
  const account = await listKeysOfEmailedToken(app, {
    token: fields.token,
    purpose: "reset_password",
  });
  return reply.headers(FORM_PAGE_HEADERS).send(resetPasswordPage({ ...fields, once, account }));
}
