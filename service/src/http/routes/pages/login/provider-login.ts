import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { IDENTITY_PROVIDERS, type IdentityProviderName } from "../../../../foundation/vocabulary.ts";
import type { IdentityLogin } from "../../../../modules/developers/identities/log-in-as-identity.ts";
import { logInByRedirect, startProviderLogin } from "../../../../modules/developers/identities/redirect-login.ts";
import { browserSecretOf, ensureBrowserSecret } from "../../../auth/browser-secret.ts";
import { clientNetworkOf } from "../../../auth/client-network.ts";
import { SECOND_FACTOR_COOKIE, setCookie } from "../../../auth/cookies.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { setSessionTokens } from "../../developers/sessions/sessions.ts";
import { expectError } from "../page.ts";
import { isLoginFailure, type LoginFailure, loginOutcomePath } from "./login-outcome.ts";

/** Redirects the browser to an identity provider's login page. */
export const startProviderLoginRoutes: readonly Route[] = IDENTITY_PROVIDERS.map((provider) =>
  endpoint(`GET /login/${provider}`, {
    auth: "public",
    ignoresUnknownQuery: true,
    run: async (app, request, reply) => {
      const browserSecret = ensureBrowserSecret(request, reply, app.settings);
      const network = clientNetworkOf(request.ip);
      try {
        const started = await startProviderLogin(app, { provider, browserSecret, network });
        return await reply.header("referrer-policy", "no-referrer").redirect(started.authorizationUrl, 302);
      } catch (thrown) {
        expectError(thrown, "rate_limited");
        return reply.redirect(loginOutcomePath(provider, "rate_limited"), 303);
      }
    },
  }),
);

/** Allows unknown parameters, because providers add their own (RFC 6749, section 4.1.2). */
const ReturnQuery = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 512 })),
  code: Type.Optional(Type.String({ maxLength: 4_096 })),
  error: Type.Optional(Type.String({ maxLength: 4_096 })),
});

/** Handles the redirect from an identity provider back to Purser. */
export const finishProviderLoginRoutes: readonly Route[] = IDENTITY_PROVIDERS.map((provider) =>
  endpoint(`GET /login/${provider}/return`, {
    auth: "public",
    ignoresUnknownQuery: true,
    query: ReturnQuery,
    run: async (app, request, reply) => {
      try {
        const login = await logInByRedirect(app, {
          provider,
          ...authorizationOf(request.query),
          browserSecret: browserSecretOf(request, app.settings),
          client: clientInfoOf(request),
        });
        return finish(app, reply, { provider, login });
      } catch (thrown) {
        return reply.redirect(loginOutcomePath(provider, failureOf(request, thrown)), 303);
      }
    },
  }),
);

/**
 * Returns the code of an error that the login page can show. Throws all other errors. Counts a 401 against the rate
 * limit of the client's network.
 */
function failureOf(request: FastifyRequest, thrown: unknown): LoginFailure {
  if (!(thrown instanceof AppError) || !isLoginFailure(thrown.code)) throw thrown;
  if (thrown.status === 401) request.server.countFailure(request.ip);
  return thrown.code;
}

/**
 * Returns the `code` and `state` of the provider's redirect. Throws `authentication_failed` if either is missing or the
 * provider sent an error, for example because the user denied access.
 */
function authorizationOf({ state, code, error }: Static<typeof ReturnQuery>) {
  if (error !== undefined || state === undefined || code === undefined) {
    throw new AppError("authentication_failed", { internal: "the provider did not send a code" });
  }
  return { state, code };
}

/**
 * Sets cookies for the session or the second factor. Redirects to a URL without `code` and `state`, so that the page
 * can be reloaded and shared.
 */
function finish(
  app: App,
  reply: FastifyReply,
  {
    provider,
    login: { begun, created, linked },
  }: { readonly provider: IdentityProviderName; readonly login: IdentityLogin },
): FastifyReply {
  if ("mfaToken" in begun) {
    setCookie(reply, app.settings, SECOND_FACTOR_COOKIE, { value: begun.mfaToken });
    return reply.redirect("/login/code", 303);
  }
  setSessionTokens(app, reply, begun);
  const outcome = linked ? "linked" : "logged_in";
  return reply.redirect(loginOutcomePath(provider, created ? "created" : outcome), 303);
}
