import { Type } from "typebox";
import { AppError } from "../../../../foundation/errors.ts";
import { refreshSession } from "../../../../modules/developers/sessions/refresh-session.ts";
import { SessionResource } from "../../../../modules/developers/sessions/session-resource.ts";
import { REFRESH_COOKIE, readCookie } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { replyWithSession } from "./session-reply.ts";

export const RefreshTokenIn = Type.String({
  minLength: 1,
  maxLength: 512,
  description: "The refresh token. Default: the token in the cookie.",
});

export const refreshSessionRoute = endpoint("POST /api/v1/svc/developers/token/refresh", {
  operationId: "refreshSession",
  sdk: "developers.refresh",
  summary: "Refresh a session",
  description:
    "Returns a new access token and a new refresh token. Each refresh token can be used once. If the same token is used again within 20 seconds and the new tokens were not used, the call returns other new tokens and revokes the first ones; otherwise it fails. A use more than 20 seconds after the first also ends the session. Fails with `authentication_failed` for any invalid token, and with `cross_origin` if another site sent the cookie.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: Type.Object(
    { refresh_token: Type.Optional(RefreshTokenIn) },
    { $id: "RefreshSessionRequest", additionalProperties: false },
  ),
  answers: { 200: SessionResource },
  errors: ["authentication_failed", "cross_origin"],
  run: async (app, request, reply) => {
    const fromBody = request.body.refresh_token;
    const refreshToken = fromBody ?? readCookie(request, app.settings, REFRESH_COOKIE);
    if (refreshToken === undefined) {
      throw new AppError("authentication_failed", { internal: "missing refresh token" });
    }
    if (fromBody === undefined && !isSameOrigin(request, app.settings)) {
      throw new AppError("cross_origin");
    }
    const grant = await refreshSession(app, { refreshToken, client: clientInfoOf(request) });
    return replyWithSession(app, reply, grant);
  },
});
