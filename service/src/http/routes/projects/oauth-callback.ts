import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { getDeveloper } from "../../../modules/developers/index.ts";
import { receiveOAuthCallback, type SettledLink } from "../../../modules/projects/index.ts";
import { acceptsByName } from "../../accepted-types.ts";
import type { Server } from "../../route.ts";
import { Problem, publicErrors } from "../../schemas/errors.ts";
import { PAGE_HEADERS } from "../pages/html-page.ts";
import { deadLinkPage, settledLinkPage } from "../pages/link-pages.ts";
import { linkVisitorOf, presentSettled, returnAddressOf, SettledLinkOut } from "./link-out.ts";

const CallbackQuery = Type.Object({
  state: Type.String({
    maxLength: 16_384,
    description: "As the link's consent page was given it.",
  }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
});

const Page = Type.Unsafe<string>({ type: "string", description: "For browsers." });

const schema = {
  tags: ["Projects"],
  summary: "Where a provider sends people back to, with a code or an error",
  description:
    "A state is good once, for ten minutes. Parameters that are not known are ignored. Browsers are shown a page, or sent on with 303 to the link's `redirect_uri`.",
  querystring: CallbackQuery,
  response: {
    200: {
      description: "What the link has become.",
      content: { "application/json": { schema: SettledLinkOut }, "text/html": { schema: Page } },
    },
    303: Type.Null({ description: "To the link's `redirect_uri`. Browsers only." }),
    ...publicErrors,
    422: {
      description: "The state is not good, or the call is not valid.",
      content: { "application/json": { schema: Problem }, "text/html": { schema: Page } },
    },
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
  const isBrowser = acceptsByName(request, "text/html");
  // The code and the state stand in the address, which a browser would name to the next page.
  reply.header("referrer-policy", "no-referrer").header("vary", "accept");
  const command = {
    state: query.state,
    answer: answerOf(query),
    visitor: linkVisitorOf(request),
  };
  try {
    const settled = await receiveOAuthCallback(app, command);
    return isBrowser ? await sendOn(app, reply, settled) : reply.send(presentSettled(settled));
  } catch (thrown) {
    const isRefusal = thrown instanceof AppError && thrown.code === "invalid_state";
    if (!isBrowser || !isRefusal) throw thrown;
    return reply.code(thrown.status).headers(PAGE_HEADERS).send(deadLinkPage);
  }
}

/** An error says more than a code beside it. */
function answerOf({ code, error }: Static<typeof CallbackQuery>) {
  if (error !== undefined) return { error };
  if (code !== undefined) return { code };
  throw invalidField("/query/code", "required", "is missing, and so is an error");
}

async function sendOn(app: App, reply: FastifyReply, settled: SettledLink): Promise<FastifyReply> {
  const target = returnAddressOf(settled);
  if (target !== null) return reply.redirect(target, 303);
  const { email } = await getDeveloper(app.db, settled.link.tenantId);
  return reply.headers(PAGE_HEADERS).send(settledLinkPage(settled, email));
}
