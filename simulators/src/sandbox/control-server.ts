import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import { requireLoopbackHost } from "../kit/require-loopback-host.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import { UnknownNameError } from "./commands.ts";
import { addControlApi } from "./control-api.ts";
import { addControlPage } from "./control-page.ts";
import { sendProblem } from "./problem.ts";
import { requireSameOrigin } from "./require-same-origin.ts";

const RESPONSE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // With `no-referrer`, browsers would send `Origin: null` when the page's own forms are submitted, and the origin
  // check would reject these requests.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
} as const;

/** Builds the sandbox's control server: `/api` for scripts, `/` for users. Errors are problem details (RFC 9457). */
export function buildControlServer(vendors: readonly RunningVendor[]): FastifyInstance {
  const server = fastify({
    logger: false,
    // By default, Fastify removes unknown fields and converts "3" to a number. With these settings, it rejects requests
    // with unknown fields or wrong types.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply, error.statusCode ?? 400, error.message);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.addHook("onRequest", async (_request, reply) => void reply.headers(RESPONSE_HEADERS));
  requireLoopbackHost(server, (reply) =>
    sendProblem(reply, 421, "The sandbox only accepts the host names 127.0.0.1 and localhost."),
  );
  requireSameOrigin(server);
  server.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, "Unknown path."));
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    // In a GET request, the unknown name is in the path, so the resource is missing. In other requests, the name is in
    // the body, where it is an invalid value.
    if (error instanceof UnknownNameError)
      return sendProblem(reply, request.method === "GET" ? 404 : 422, error.message);
    if (error.validation) return sendProblem(reply, 422, validationDetail(error));
    const status = error.statusCode ?? 500;
    return status < 500
      ? sendProblem(reply, status, error.message)
      : sendProblem(reply, 500, "Internal error. The simulators' database may be down.");
  });

  addControlApi(server, vendors);
  addControlPage(server, vendors);
  return server;
}

function validationDetail({ message, validation }: FastifyError): string {
  const allowed = validation?.[0]?.params["allowedValues"];
  const allowedText = Array.isArray(allowed) ? ` Allowed values: ${allowed.join(", ")}.` : "";
  return `Invalid: ${message}.${allowedText}`;
}
