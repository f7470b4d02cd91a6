import type { App } from "../../../../app.ts";
import { readProfile } from "../../../../modules/developers/index.ts";
import type { Server } from "../../../route.ts";
import { sendLoginForm, sendSignedIn } from "./login-forms.ts";
import type { Verdict } from "./login-pages.ts";
import { signedInSession } from "./signed-in-session.ts";

/** The login page: a form, or who is logged in. */
export function showLoginRoute(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: "/login",
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const session = await signedInSession(app, request);
      if (session === undefined) {
        return sendLoginForm(app, { request, reply }, { verdict: verdictOf(request.query) });
      }
      const developer = await readProfile(app, session.tenantId);
      return sendSignedIn(app, { request, reply }, { developer });
    },
  });
}

function verdictOf(query: unknown): Verdict {
  const named = typeof query === "object" && query !== null ? Reflect.get(query, "verified") : "";
  if (named === "1") return "verified";
  return named === "0" ? "refused" : "none";
}
