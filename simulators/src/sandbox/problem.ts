import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";

/** Sends an error as problem details (RFC 9457). */
export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply
    .code(status)
    .type("application/problem+json")
    .send({
      type: "about:blank",
      title: STATUS_CODES[status] ?? "Request rejected",
      status,
      detail,
    });
}
