import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../app.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import type { DeveloperProfile, MfaPending } from "../../../../modules/developers/index.ts";
import { newCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, SCRIPTED_FORM_PAGE_HEADERS } from "../html-page.ts";
import { type LoginForm, loginPage, secondFactorPage, signedInPage } from "./login-pages.ts";
import { loginPathFor, pendingUserCode } from "./pending-user-code.ts";

/** The cookie that passes the `mfa_token` of a login with an identity provider to the form for the second factor. */
export const SECOND_FACTOR_COOKIE = { name: "svc_second_factor", pattern: /^[\w-]{43}$/ };

/** The names of the forms. A CSRF token is valid only for the form whose name it was created with. */
export const LOGIN_FORM = "log-in";
export const LOGOUT_FORM = "log-out";
export const SECOND_FACTOR_FORM = "second-factor";

/** The alert for an invalid CSRF token. */
export const STALE_FORM = "This form was sent before, or is older than ten minutes. Send it again.";

interface Context {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export function sendLoginForm(
  app: App,
  { request, reply }: Context,
  fields: Omit<LoginForm, "publicUrl" | "once" | "providers"> = {},
): FastifyReply {
  const page = loginPage({
    ...fields,
    publicUrl: app.settings.publicUrl,
    once: newCsrfToken(app, request, reply, LOGIN_FORM),
    providers: IDENTITY_PROVIDERS.filter((provider) => app.identityProviders[provider] !== null),
  });
  const hasScript = fields.challenge !== undefined;
  return reply.headers(hasScript ? SCRIPTED_FORM_PAGE_HEADERS : FORM_PAGE_HEADERS).send(page);
}

export function sendSignedIn(
  app: App,
  { request, reply }: Context,
  { developer, notice }: { readonly developer: DeveloperProfile; readonly notice?: string },
): FastifyReply {
  const once = newCsrfToken(app, request, reply, LOGOUT_FORM);
  const page = signedInPage({ developer, once, ...(notice === undefined ? {} : { notice }) });
  return reply.headers(FORM_PAGE_HEADERS).send(page);
}

export function sendSecondFactorForm(
  app: App,
  { request, reply }: Context,
  { mfaToken, alert }: Pick<MfaPending, "mfaToken"> & { readonly alert?: string },
): FastifyReply {
  const once = newCsrfToken(app, request, reply, SECOND_FACTOR_FORM);
  const loginPath = loginPathFor(pendingUserCode(request, app.settings));
  const optionalAlert = alert === undefined ? {} : { alert };
  const page = secondFactorPage({ mfaToken, once, loginPath, ...optionalAlert });
  return reply.headers(FORM_PAGE_HEADERS).send(page);
}
