import { readProfile } from "../../../../modules/developers/queries.ts";
import { endSession } from "../../../../modules/developers/sessions/end-session.ts";
import { clearSessionCookies } from "../../../auth/cookies.ts";
import { actorOf, type SessionPrincipal } from "../../../auth/principal.ts";
import { STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { expectError, form, type Visit } from "../page.ts";
import { LOGOUT_FORM, sendSignedIn } from "./login-forms.ts";
import { signedInSession } from "./signed-in-session.ts";

/**
 * Ends the session that the access cookie belongs to. The refresh cookie cannot be used, because browsers do not send
 * it to this path.
 */
export const logOutPageRoute = form({
  url: "/login/out",
  fields: {},
  submit: async (visit, { once }) => {
    const { app, request, reply } = visit;
    const session = await signedInSession(app, request);
    if (session !== undefined) {
      if (!(await useCsrfToken(visit, LOGOUT_FORM, once))) {
        reply.code(422);
        return sendSignedIn(visit, await readProfile(app.db, session.tenantId), STALE_FORM);
      }
      await endIfLive(visit, session);
    }
    clearSessionCookies(reply, app.settings);
    return reply.redirect("/login", 303);
  },
});

async function endIfLive({ app, request }: Visit, session: SessionPrincipal): Promise<void> {
  try {
    await endSession(app, { actor: actorOf(request, session), sessionId: session.sessionId });
  } catch (thrown) {
    // Another request has already ended the session.
    expectError(thrown, "session_not_found");
  }
}
