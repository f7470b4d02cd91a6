import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { DASHBOARD_TOKENS } from "../../../../crypto/access-tokens.ts";
import type { MfaPending, SessionGrant } from "../../../../modules/developers/index.ts";
import { type SessionTokens, setSessionCookies } from "../../../auth/cookies.ts";
import { DeveloperOut, presentDeveloper } from "../presenter.ts";

export const SessionOut = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String({ description: "Good once: each refresh answers with the next." }),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer(),
    refresh_expires_in: Type.Integer(),
    developer: DeveloperOut,
  },
  { $id: "Session" },
);

export const MfaRequired = Type.Object(
  {
    mfa_required: Type.Literal(true),
    mfa_token: Type.String({
      description: "For POST /developers/login/totp: five minutes, five attempts.",
    }),
    methods: Type.Array(Type.Enum(["totp", "recovery_code"])),
  },
  { $id: "MfaRequired" },
);

export const LoginOut = Type.Union([SessionOut, MfaRequired]);

/** Answers a login whose first factor was right: with a session, or with what the second factor is to be sent with. */
export function answerLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  begun: SessionGrant | MfaPending,
) {
  if (!("mfaToken" in begun)) return answerSession(app, reply, begun);
  const { mfaToken, methods } = begun;
  return { mfa_required: true as const, mfa_token: mfaToken, methods: [...methods] };
}

/** Gives the browser a session's tokens in cookies. */
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

/** Answers with a session's tokens, in the body for programs and in cookies for browsers. */
export function answerSession(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  grant: SessionGrant,
) {
  const tokens = setSessionTokens(app, reply, grant);
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: "Bearer" as const,
    expires_in: tokens.accessSeconds,
    refresh_expires_in: tokens.refreshSeconds,
    developer: presentDeveloper(app, grant.developer),
  };
}
