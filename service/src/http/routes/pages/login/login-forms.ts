import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../app.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import type { DeveloperProfile, MfaPending } from "../../../../modules/developers/index.ts";
import { FORM_PAGE_HEADERS, SCRIPTED_FORM_PAGE_HEADERS } from "../html-page.ts";
import { newOneTimeField } from "../one-time-field.ts";
import { type LoginForm, loginPage, secondFactorPage, signedInPage } from "./login-pages.ts";
import { loginPathFor, pendingUserCode } from "./pending-user-code.ts";

/** Carries the token of a login that waits for its second factor from a provider's redirect to the form for the code. */
export const SECOND_FACTOR_COOKIE = { name: "svc_second_factor", pattern: /^[\w-]{43}$/ };

/** The names that one-time fields of these pages are made and used under. */
export const LOGIN_FORM = "log-in";
export const LOGOUT_FORM = "log-out";
export const SECOND_FACTOR_FORM = "second-factor";

/** Why people see a form again that was sent before, is old, or was not shown to their browser. */
export const STALE_FORM = "This form was sent before, or is older than ten minutes. Send it again.";

/** A page with a form, whose one-time field is made for this browser. */
interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export function sendLoginForm(
  app: App,
  { request, reply }: Asked,
  fields: Omit<LoginForm, "publicUrl" | "once" | "providers"> = {},
): FastifyReply {
  const page = loginPage({
    ...fields,
    publicUrl: app.settings.publicUrl,
    once: newOneTimeField(app, request, reply, LOGIN_FORM),
    providers: IDENTITY_PROVIDERS.filter((provider) => app.identityProviders[provider] !== null),
  });
  const hasScript = fields.challenge !== undefined;
  return reply.headers(hasScript ? SCRIPTED_FORM_PAGE_HEADERS : FORM_PAGE_HEADERS).send(page);
}

export function sendSignedIn(
  app: App,
  { request, reply }: Asked,
  { developer, news }: { readonly developer: DeveloperProfile; readonly news?: string },
): FastifyReply {
  const once = newOneTimeField(app, request, reply, LOGOUT_FORM);
  const page = signedInPage({ developer, once, ...(news === undefined ? {} : { news }) });
  return reply.headers(FORM_PAGE_HEADERS).send(page);
}

export function sendSecondFactorForm(
  app: App,
  { request, reply }: Asked,
  { mfaToken, alert }: Pick<MfaPending, "mfaToken"> & { readonly alert?: string },
): FastifyReply {
  const once = newOneTimeField(app, request, reply, SECOND_FACTOR_FORM);
  const loginPath = loginPathFor(pendingUserCode(request, app.settings));
  const said = alert === undefined ? {} : { alert };
  const page = secondFactorPage({ mfaToken, once, loginPath, ...said });
  return reply.headers(FORM_PAGE_HEADERS).send(page);
}
