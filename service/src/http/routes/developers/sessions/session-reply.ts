import type { FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { App } from "../../../../app.ts";
import { DASHBOARD_TOKENS } from "../../../../crypto/access-tokens.ts";
import {
  type IdentityLoginResultResource,
  presentIdentityLogin,
} from "../../../../modules/developers/identities/identity-resources.ts";
import type { IdentityLogin } from "../../../../modules/developers/identities/log-in-as-identity.ts";
import {
  type LoginResultResource,
  presentMfaRequired,
  presentSession,
  type SessionResource,
} from "../../../../modules/developers/sessions/session-resource.ts";
import type { MfaPending, SessionGrant } from "../../../../modules/developers/sessions/start-session.ts";
import { ACCESS_COOKIE, REFRESH_COOKIE, setCookie } from "../../../auth/cookies.ts";

/** Sets the session cookies and returns the tokens with their lifetimes. */
export function setSessionTokens(
  { clock, settings }: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { accessToken, refreshToken, expiresAt }: SessionGrant,
) {
  const accessSeconds = DASHBOARD_TOKENS.lifetimeSeconds;
  const refreshSeconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  setCookie(reply, settings, ACCESS_COOKIE, { value: accessToken, seconds: accessSeconds });
  setCookie(reply, settings, REFRESH_COOKIE, { value: refreshToken, seconds: refreshSeconds });
  return { accessToken, accessSeconds, refreshToken, refreshSeconds };
}

/** Sets the session cookies and returns the response body. Both contain the session's tokens. */
export function replyWithSession(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  grant: SessionGrant,
): Static<typeof SessionResource> {
  return presentSession(app, grant, setSessionTokens(app, reply, grant));
}

/** Returns the response body of a login. Sets the session cookies unless the login still needs its second factor. */
export function replyWithLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  result: SessionGrant | MfaPending,
): Static<typeof LoginResultResource> {
  return "mfaToken" in result ? presentMfaRequired(result) : replyWithSession(app, reply, result);
}

/** Returns the response body of a login with an identity provider, and sets cookies as `replyWithLogin` does. */
export function replyWithIdentityLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { begun: result, ...outcome }: IdentityLogin,
): Static<typeof IdentityLoginResultResource> {
  return presentIdentityLogin(replyWithLogin(app, reply, result), outcome);
}
