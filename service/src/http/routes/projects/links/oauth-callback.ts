import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError, invalidField } from "../../../../foundation/errors.ts";
import { Text } from "../../../../foundation/wire/fields.ts";
import { FinishedLinkResource, presentFinishedLink } from "../../../../modules/links/link-resource.ts";
import { receiveOAuthCallback } from "../../../../modules/links/receive-oauth-callback.ts";
import { acceptsMediaType } from "../../../accepted-types.ts";
import { endpoint, type Route } from "../../../route.ts";
import { COMPLETED_LINK_PATH, setCompletedState } from "../../pages/connect.ts";
import { linkClientOf, returnAddressOf } from "./links.ts";

const CallbackQuery = Type.Object({
  state: Text("The OAuth `state` value that identifies the link. Valid once, for ten minutes.", { maxLength: 16_384 }),
  code: Type.Optional(
    Text("The authorization code. Required unless `error` is sent, and ignored if `error` is sent.", {
      minLength: 1,
      maxLength: 4096,
    }),
  ),
  error: Type.Optional(
    Text("The provider's error code (RFC 6749, section 4.1.2.1). If it is sent, the link fails.", {
      minLength: 1,
      maxLength: 4096,
    }),
  ),
});

const CALLS = [
  { method: "POST", operationId: "receiveOAuthCallback", sdk: "projects.links.completeCallback" },
  { method: "GET", operationId: "receiveOAuthRedirect", sdk: "projects.links.completeRedirect" },
] as const;

export const oauthCallbackRoutes: readonly Route[] = CALLS.map(({ method, operationId, sdk }) =>
  endpoint(`${method} /api/v1/svc/projects/webhooks/oauth-callback`, {
    operationId,
    sdk,
    summary: "Receive an OAuth callback",
    description:
      "The URL to which providers redirect the user's browser (the OAuth redirect URI). Completes the provider link that the `state` belongs to, or sets its status to `failed`. Unknown parameters are ignored. Browsers (`Accept: text/html`) are redirected with 303 to the provider link's `redirect_uri`, or to a page that shows the outcome. Other clients receive 200, or `invalid_state` if the state is unknown, used or expired.",
    auth: "public",
    ignoresUnknownQuery: true,
    responseHeaders: ["Content-Security-Policy", "Referrer-Policy", "Vary"],
    query: CallbackQuery,
    answers: {
      200: FinishedLinkResource,
      303: Type.Null({
        description: "Browsers are redirected to the link's `redirect_uri`, or to a page that shows the outcome.",
      }),
    },
    errors: ["invalid_state"],
    run: async (app, request, reply) => receive(app, request, reply, request.query),
  }),
);

async function receive(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  query: Static<typeof CallbackQuery>,
): Promise<FastifyReply> {
  // The URL contains `code` and `state`. `no-referrer` prevents browsers from sending the URL as `Referer`.
  reply.header("referrer-policy", "no-referrer").header("vary", "accept");
  const command = {
    state: query.state,
    answer: answerOf(query),
    client: linkClientOf(request),
  };
  if (!acceptsMediaType(request, "text/html")) {
    return reply.send(presentFinishedLink(await receiveOAuthCallback(app, command)));
  }
  const returnTo = await finishForBrowser(app, command);
  if (returnTo !== null) return reply.redirect(returnTo, 303);
  setCompletedState(reply, app.settings, query.state);
  return reply.redirect(COMPLETED_LINK_PATH, 303);
}

/**
 * Returns the link's redirect URL with the outcome. Returns null if the link has no redirect URL, or if `state` is
 * invalid. The browser then gets the completed-link page.
 */
async function finishForBrowser(app: App, command: Parameters<typeof receiveOAuthCallback>[1]): Promise<string | null> {
  try {
    return returnAddressOf(await receiveOAuthCallback(app, command));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "invalid_state") return null;
    throw thrown;
  }
}

/** If the provider sends an error and a code, the error takes precedence. */
function answerOf({ code, error }: Static<typeof CallbackQuery>) {
  if (error !== undefined) return { error };
  if (code !== undefined) return { code };
  throw invalidField("/query/code", "required", "is required if there is no error parameter");
}
