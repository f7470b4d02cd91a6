import type { Socket } from "node:net";
import { AppError, type ErrorCode, problemBody } from "../foundation/errors.ts";
import { newRequestId } from "../foundation/ids.ts";

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** Answers bytes that the HTTP parser refused, which never become a request, in the shape of every other error. */
export function refuseUnreadable(thrown: Error & { code?: string }, socket: Socket): void {
  if (thrown.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = new AppError(CODES[thrown.code ?? ""] ?? "bad_request");
  const requestId = newRequestId();
  const body = JSON.stringify(problemBody(error, requestId));
  socket.end(
    `HTTP/1.1 ${error.status} ${REASONS[error.status] ?? "Bad Request"}\r\n` +
      "content-type: application/problem+json; charset=utf-8\r\n" +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
