import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError, invalidField } from "../../../../foundation/errors.ts";
import { publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  presentSettledLink,
  receiveOAuthCallback,
  SettledLinkResource,
} from "../../../../modules/projects/index.ts";
import { acceptsByName } from "../../../accepted-types.ts";
import type { Server } from "../../../route.ts";
import { COMPLETED_LINK_PATH, setCompletedState } from "../../pages/completed-link.ts";
import { linkClientOf, returnAddressOf } from "./settled-link.ts";

const CallbackQuery = Type.Object({
  state: Type.String({
    maxLength: 16_384,
    description: "As the link's consent page was given it.",
  }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
});

const schema = {
  tags: ["Projects"],
  summary: "Where a provider sends people back to, with a code or an error",
  description:
    "A state is good once, for ten minutes. Parameters that are not known are ignored. Browsers are redirected with 303 to the link's `redirect_uri`, or to a page that shows the outcome.",
  querystring: CallbackQuery,
  response: {
    200: SettledLinkResource,
    303: Type.Null({ description: "To the link's `redirect_uri`, or to a page. Browsers only." }),
    ...publicErrors,
  },
} as const;

export function oauthCallbackRoutes(server: Server, app: App): void {
  const url = "/api/v1/svc/projects/webhooks/oauth-callback";
  const config = {
    auth: "public",
    ignoresUnknownQuery: true,
    responseHeaders: ["Content-Security-Policy", "Referrer-Policy", "Vary"],
  } as const;
  server.route({
    method: "POST",
    url,
    config,
    schema: { ...schema, operationId: "receiveOAuthCallback" },
    handler: async (request, reply) => answer(app, request, reply, request.query),
  });
  server.route({
    method: "GET",
    url,
    config,
    schema: { ...schema, operationId: "receiveOAuthRedirect" },
    handler: async (request, reply) => answer(app, request, reply, request.query),
  });
}

async function answer(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  query: Static<typeof CallbackQuery>,
): Promise<FastifyReply> {
  // The code and the state stand in the address, which a browser would name to the next page.
  reply.header("referrer-policy", "no-referrer").header("vary", "accept");
  const command = {
    state: query.state,
    answer: answerOf(query),
    client: linkClientOf(request),
  };
  if (!acceptsByName(request, "text/html")) {
    return reply.send(presentSettledLink(await receiveOAuthCallback(app, command)));
  }
  const returnTo = await settleForBrowser(app, command);
  if (returnTo !== null) return reply.redirect(returnTo, 303);
  setCompletedState(request, reply, app.settings, query.state);
  return reply.redirect(COMPLETED_LINK_PATH, 303);
}

/** Where the developer wants the browser to go. Null: nowhere, or the state is not valid, which our page says. */
async function settleForBrowser(
  app: App,
  command: Parameters<typeof receiveOAuthCallback>[1],
): Promise<string | null> {
  try {
    return returnAddressOf(await receiveOAuthCallback(app, command));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "invalid_state") return null;
    throw thrown;
  }
}

/** An error says more than a code beside it. */
function answerOf({ code, error }: Static<typeof CallbackQuery>) {
  if (error !== undefined) return { error };
  if (code !== undefined) return { code };
  throw invalidField("/query/code", "required", "is missing, and so is an error");
}
