import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { endSession, readProfile } from "../../../../modules/developers/index.ts";
import { clearSessionCookies } from "../../../auth/cookies.ts";
import { actorOf, type SessionPrincipal } from "../../../auth/principal.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { useCsrfToken } from "../csrf-token.ts";
import { LOGOUT_FORM, STALE_FORM, sendSignedIn } from "./login-forms.ts";
import { signedInSession } from "./signed-in-session.ts";

/**
 * Ends the session that the access cookie belongs to. The refresh cookie cannot be used, because browsers do not send
 * it to this path.
 */
export function logOutPageRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/login/out",
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: {
      hide: true,
      body: Type.Object({ once: Type.String({ maxLength: 200 }) }, { additionalProperties: false }),
    },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const session = await signedInSession(app, request);
      if (session !== undefined) {
        const value = request.body.once;
        if (!(await useCsrfToken(app, request, { form: LOGOUT_FORM, value }))) {
          const developer = await readProfile(app.db, session.tenantId);
          const context = { request, reply: reply.code(422) };
          return sendSignedIn(app, context, { developer, notice: STALE_FORM });
        }
        await endIfLive(app, request, session);
      }
      clearSessionCookies(reply, app.settings);
      return reply.redirect("/login", 303);
    },
  });
}

async function endIfLive(app: App, request: FastifyRequest, session: SessionPrincipal): Promise<void> {
  try {
    await endSession(app, { actor: actorOf(request, session), sessionId: session.sessionId });
  } catch (thrown) {
    // Another request has already ended the session.
    if (!(thrown instanceof AppError) || thrown.code !== "session_not_found") throw thrown;
  }
}
