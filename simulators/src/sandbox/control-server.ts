import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import { answerLoopbackOnly } from "../kit/loopback-only.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import { addControlApi } from "./control-api.ts";
import { addControlPage } from "./control-page.ts";
import { UnknownNameError } from "./known-names.ts";
import { problem } from "./problem.ts";
import { refuseForeignPages } from "./refuse-foreign-pages.ts";

const EVERY_ANSWER = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Not `no-referrer`: with it a browser names no origin for a form either, and ours could not be told from others'.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
} as const;

/** The sandbox's own interface: `/api` for scripts, `/` for people. Errors are problems (RFC 9457). */
export function buildControlServer(vendors: readonly RunningVendor[]): FastifyInstance {
  const server = fastify({
    logger: false,
    // Fastify's own defaults drop what a schema does not name, and take "3" for a number; here both are refused.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    frameworkErrors: (error, _request, reply) => {
      problem(reply, error.statusCode ?? 400, error.message);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.addHook("onRequest", async (_request, reply) => void reply.headers(EVERY_ANSWER));
  answerLoopbackOnly(server, (reply) =>
    problem(reply, 421, "The sandbox answers to 127.0.0.1 and localhost only."),
  );
  refuseForeignPages(server);
  server.setNotFoundHandler((_request, reply) =>
    problem(reply, 404, "There is nothing at this path."),
  );
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    // In the path a name that means nothing is a place that is not there; in a body it is a mistake in it.
    if (error instanceof UnknownNameError)
      return problem(reply, request.method === "GET" ? 404 : 422, error.message);
    if (error.validation) return problem(reply, 422, sentenceOf(error));
    const status = error.statusCode ?? 500;
    return status < 500
      ? problem(reply, status, error.message)
      : problem(reply, 500, "Something went wrong here: is the simulators' database running?");
  });

  addControlApi(server, vendors);
  addControlPage(server, vendors);
  return server;
}

function sentenceOf({ message, validation }: FastifyError): string {
  const allowed = validation?.[0]?.params["allowedValues"];
  const known = Array.isArray(allowed) ? ` Known: ${allowed.join(", ")}.` : "";
  return `Invalid: ${message}.${known}`;
}
