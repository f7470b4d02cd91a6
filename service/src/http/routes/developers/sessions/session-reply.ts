import type { FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { App } from "../../../../app.ts";
import { DASHBOARD_TOKENS } from "../../../../crypto/access-tokens.ts";
import {
  type IdentityLogin,
  type IdentityLoginResultResource,
  type LoginResultResource,
  type MfaPending,
  presentIdentityLogin,
  presentMfaRequired,
  presentSession,
  type SessionGrant,
  type SessionResource,
} from "../../../../modules/developers/index.ts";
import { type SessionTokens, setSessionCookies } from "../../../auth/cookies.ts";

/** Sets the session's cookies. Returns the tokens, with their lifetimes. */
export function setSessionTokens(
  { clock, settings }: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { accessToken, refreshToken, expiresAt }: SessionGrant,
): SessionTokens {
  const tokens = {
    accessToken,
    accessSeconds: DASHBOARD_TOKENS.lifetimeSeconds,
    refreshToken,
    refreshSeconds: Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000),
  };
  setSessionCookies(reply, settings, tokens);
  return tokens;
}

/** Sets the session's cookies for browsers. Returns the body for programs. */
export function answerSession(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  grant: SessionGrant,
): Static<typeof SessionResource> {
  return presentSession(app, grant, setSessionTokens(app, reply, grant));
}

/** As `answerSession`. A login that needs its second factor sets no cookies. */
export function answerLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  begun: SessionGrant | MfaPending,
): Static<typeof LoginResultResource> {
  return "mfaToken" in begun ? presentMfaRequired(begun) : answerSession(app, reply, begun);
}

/** As `answerLogin`, for a login by an identity provider. */
export function answerIdentityLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { begun, ...outcome }: IdentityLogin,
): Static<typeof IdentityLoginResultResource> {
  return presentIdentityLogin(answerLogin(app, reply, begun), outcome);
}
