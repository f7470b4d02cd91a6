import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../foundation/errors.ts";
import { clientAddressOf } from "../foundation/networks.ts";
import type { Settings } from "../foundation/settings.ts";
import { countHeader } from "./auth/request-headers.ts";

/** RFC 9110, section 7.2: a host with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** Rejects headers that Node's HTTP parser accepts although RFC 9110 and RFC 9112 forbid them. */
export function checkRequestHead(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers } = request;
  const { expect, host, "transfer-encoding": transferEncoding } = headers;
  const isHostMissing = host === undefined && raw.httpVersion !== "1.0";
  if (isHostMissing || countHeader(request, "host") > 1 || !HOST.test(host ?? "")) {
    throw new AppError("bad_request", {
      detail: "The request must have exactly one valid Host header.",
    });
  }
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== "chunked") {
    throw new AppError("bad_request", { detail: "The only supported transfer coding is chunked." });
  }
  if (expect === undefined) return;
  // A client that expects 100 Continue may send the body even after an error, so the connection cannot be reused.
  reply.header("connection", "close");
  if (expect.toLowerCase() !== "100-continue") throw new AppError("expectation_failed");
}

/**
 * Sends `100 Continue` if the client expects it. Throws `payload_too_large` if the Content-Length is above the route's
 * limit.
 */
export function sendContinue({ headers, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  if (headers.expect === undefined) return;
  if (Number(headers["content-length"] ?? 0) > routeOptions.bodyLimit) {
    throw new AppError("payload_too_large");
  }
  reply.removeHeader("connection");
  reply.raw.writeContinue();
}

/**
 * Rewrites `X-Forwarded-For` so that each entry is an address without port, brackets or zone. `request.ip`, which reads
 * the header from the right, is then always an address: an entry that is not an address, and everything to its left, is
 * dropped, so that the request counts as one of the proxy that added it.
 */
export function normalizeForwardedFor({ headers }: FastifyRequest): void {
  const header = headers["x-forwarded-for"];
  if (header === undefined) return;
  const entries = [header]
    .flat()
    .join(",")
    .split(",")
    .map((entry) => entry.trim());
  const addresses = entries.filter((entry) => entry !== "").map(clientAddressOf);
  headers["x-forwarded-for"] = addresses.slice(addresses.lastIndexOf(undefined) + 1).join(", ");
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Prevents DNS rebinding on a loopback server: another site could point its own domain at 127.0.0.1 and read responses.
 * Throws `misdirected_request` if the Host is neither a loopback name nor the server's public hostname.
 */
export function checkHostName({ hostname }: FastifyRequest, settings: Settings): void {
  if (!settings.loopbackHostsOnly || LOOPBACK_NAMES.has(hostname)) return;
  if (hostname !== new URL(settings.publicUrl).hostname) throw new AppError("misdirected_request");
}
