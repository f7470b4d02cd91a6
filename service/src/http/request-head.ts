import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../foundation/errors.ts";
import { countHeader } from "./auth/request-headers.ts";

/** RFC 9110, section 7.2: a host with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** Refuses what Node's HTTP parser lets through although RFC 9110 and 9112 forbid it. */
export function checkRequestHead(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers } = request;
  const { expect, host, "transfer-encoding": transferEncoding } = headers;
  const isHostMissing = host === undefined && raw.httpVersion !== "1.0";
  if (isHostMissing || countHeader(request, "host") > 1 || !HOST.test(host ?? "")) {
    throw new AppError("bad_request", { detail: "The request needs one valid Host header." });
  }
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== "chunked") {
    throw new AppError("bad_request", { detail: "The only transfer coding here is chunked." });
  }
  if (expect === undefined) return;
  // A refusal ends the connection: whether the body comes after it is up to the client.
  reply.header("connection", "close");
  if (expect.toLowerCase() !== "100-continue") throw new AppError("expectation_failed");
}

/** Asks for the body that a client has announced with `Expect`. One that is too long is refused instead. */
export function askForBody({ headers, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  if (headers.expect === undefined) return;
  if (Number(headers["content-length"] ?? 0) > routeOptions.bodyLimit) {
    throw new AppError("payload_too_large");
  }
  reply.removeHeader("connection");
  reply.raw.writeContinue();
}
