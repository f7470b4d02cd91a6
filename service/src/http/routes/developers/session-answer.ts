import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { DASHBOARD_TOKENS } from "../../../crypto/access-tokens.ts";
import type { SessionGrant } from "../../../modules/developers/index.ts";
import { setSessionCookies } from "../../auth/cookies.ts";
import { DeveloperOut, presentDeveloper } from "./presenter.ts";

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

/** Answers with a session's tokens, in the body for programs and in cookies for browsers. */
export function answerSession(
  { clock, settings }: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { developer, accessToken, refreshToken, expiresAt }: SessionGrant,
) {
  const refreshSeconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  setSessionCookies(reply, settings, {
    accessToken,
    accessSeconds: DASHBOARD_TOKENS.lifetimeSeconds,
    refreshToken,
    refreshSeconds,
  });
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: "Bearer" as const,
    expires_in: DASHBOARD_TOKENS.lifetimeSeconds,
    refresh_expires_in: refreshSeconds,
    developer: presentDeveloper(developer),
  };
}
