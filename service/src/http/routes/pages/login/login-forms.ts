import type { FastifyReply } from "fastify";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import type { DeveloperProfile } from "../../../../modules/developers/queries.ts";
import type { MfaPending } from "../../../../modules/developers/sessions/start-session.ts";
import { newCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, SCRIPTED_FORM_PAGE_HEADERS } from "../html-page.ts";
import type { Visit } from "../page.ts";
import { type LoginForm, loginPage, secondFactorPage, signedInPage } from "./login-pages.ts";
import { loginPathFor, pendingUserCode } from "./pending-user-code.ts";

/** The names of the forms. A CSRF token is valid only for the form whose name it was created with. */
export const LOGIN_FORM = "log-in";
export const LOGOUT_FORM = "log-out";
export const SECOND_FACTOR_FORM = "second-factor";

export function sendLoginForm(
  visit: Visit,
  fields: Omit<LoginForm, "publicUrl" | "once" | "providers"> = {},
): FastifyReply {
  const { settings, identityProviders } = visit.app;
  const page = loginPage({
    ...fields,
    publicUrl: settings.publicUrl,
    once: newCsrfToken(visit, LOGIN_FORM),
    providers: IDENTITY_PROVIDERS.filter((provider) => identityProviders[provider] !== null),
  });
  const hasScript = fields.challenge !== undefined;
  return visit.reply.headers(hasScript ? SCRIPTED_FORM_PAGE_HEADERS : FORM_PAGE_HEADERS).send(page);
}

export function sendSignedIn(visit: Visit, developer: DeveloperProfile, notice: string): FastifyReply {
  const page = signedInPage({ developer, once: newCsrfToken(visit, LOGOUT_FORM), notice });
  return visit.reply.headers(FORM_PAGE_HEADERS).send(page);
}

export function sendSecondFactorForm(
  visit: Visit,
  { mfaToken }: Pick<MfaPending, "mfaToken">,
  alert?: string,
): FastifyReply {
  const once = newCsrfToken(visit, SECOND_FACTOR_FORM);
  const loginPath = loginPathFor(pendingUserCode(visit));
  const page = secondFactorPage({ mfaToken, once, loginPath, alert });
  return visit.reply.headers(FORM_PAGE_HEADERS).send(page);
}
