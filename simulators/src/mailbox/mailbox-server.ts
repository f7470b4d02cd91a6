import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { addStylesheet, REFRESH_SCRIPT } from "../kit/page-assets.ts";
import { presentMessage } from "./mailbox-message.ts";
import type { MessageStore } from "./message-store.ts";
import { listPage, messagePage, missingMessagePage } from "./pages.ts";

const PAGE_MAX = 100;
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

const address = { type: "string", maxLength: 254 } as const;
const noQuery = { type: "object", properties: {}, additionalProperties: false } as const;
const listQuery = {
  type: "object",
  properties: {
    to: { ...address, minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: PAGE_MAX, default: PAGE_MAX },
  },
  additionalProperties: false,
} as const;
// Unlike in the API, `to` may be empty, because the filter form sends an empty string to show all addresses.
const listPageQuery = {
  type: "object",
  properties: { to: { ...address, default: "" } },
  additionalProperties: false,
} as const;

/**
 * Builds the mailbox's HTTP server: `/api/messages` for scripts, `/` for users. Errors are problem details (RFC 9457).
 */
export function buildMailboxServer(store: MessageStore): FastifyInstance {
  const server = fastify({
    logger: false,
    // By default, Fastify removes unknown fields. This setting rejects them.
    ajv: { customOptions: { removeAdditional: false } },
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply);
    },
  });
  server.setErrorHandler(sendError);
  server.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, "Unknown path."));
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(RESPONSE_HEADERS);
    // Prevents DNS rebinding: a web page on another domain must not be able to read the stored email.
    if (LOOPBACK_NAMES.has(request.hostname)) return;
    await sendProblem(reply, 421, "The mailbox only accepts the host names 127.0.0.1 and localhost.");
  });

  addApi(server, store);
  addPages(server, store);
  return server;
}

const RESPONSE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

function addApi(server: FastifyInstance, store: MessageStore): void {
  server.get<{ Querystring: { to?: string; limit: number } }>(
    "/api/messages",
    { schema: { querystring: listQuery } },
    async ({ query }) => ({ data: (await store.list(query)).map(presentMessage) }),
  );

  server.get<{ Params: { id: string } }>(
    "/api/messages/:id",
    { schema: { querystring: noQuery } },
    async ({ params }, reply) => {
      const message = await store.find(params.id);
      return message ? presentMessage(message) : sendProblem(reply, 404, "The message does not exist.");
    },
  );

  server.delete("/api/messages", { schema: { querystring: noQuery } }, async (_request, reply) => {
    await store.deleteAll();
    return reply.code(204).send();
  });
}

function addPages(server: FastifyInstance, store: MessageStore): void {
  server.get<{ Querystring: { to: string } }>(
    "/",
    { schema: { querystring: listPageQuery } },
    async ({ query: { to } }, reply) => {
      const messages = await store.list({ ...(to !== "" && { to }), limit: PAGE_MAX });
      return sendPage(reply, listPage(messages, to));
    },
  );

  server.get<{ Params: { id: string } }>(
    "/messages/:id",
    { schema: { querystring: noQuery } },
    async ({ params }, reply) => {
      const message = await store.find(params.id);
      return message ? sendPage(reply, messagePage(message)) : sendPage(reply.code(404), missingMessagePage());
    },
  );

  addStylesheet(server);
  server.get("/refresh.js", (_request, reply) => reply.type("text/javascript").send(REFRESH_SCRIPT));
}

function sendPage(reply: FastifyReply, page: { readonly markup: string; readonly policy: string }) {
  return reply.type("text/html; charset=utf-8").header("content-security-policy", page.policy).send(page.markup);
}

function sendError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof Error)) return sendProblem(reply, 500, "Internal error.");
  if ("validation" in error && error.validation) return sendProblem(reply, 422, `Invalid: ${error.message}.`);
  const status = "statusCode" in error ? Number(error.statusCode) : 500;
  return status < 500
    ? sendProblem(reply, status, error.message)
    : sendProblem(reply, 500, "Internal error. The mailbox's database may be down.");
}

const TITLES: Readonly<Record<number, string>> = {
  404: "Not found",
  421: "Misdirected request",
  422: "Invalid request",
  500: "Internal error",
};

function sendProblem(reply: FastifyReply, status: number, detail: string) {
  return reply
    .code(status)
    .headers(RESPONSE_HEADERS)
    .type("application/problem+json")
    .send({ type: "about:blank", title: TITLES[status] ?? "Request rejected", status, detail });
}
