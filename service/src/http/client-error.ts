import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError, type ErrorCode, problemBody } from "../foundation/errors.ts";
import { newId } from "../foundation/ids.ts";

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** How long a client can take to read the response and close the connection. */
const LINGER_MS = 1_000;

/**
 * Handles `CONNECT` requests and requests with an `Expect` header. By default Node responds to them without a body or
 * closes the connection.
 */
export function handleSpecialRequests(server: Server): void {
  for (const event of ["checkContinue", "checkExpectation"]) {
    server.on(event, (request, response) => server.emit("request", request, response));
  }
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    // Node has removed its own error listener. Without one, a connection reset would crash the process.
    socket.on("error", () => socket.destroy());
    sendProblem(socket, new AppError("method_not_allowed"), "allow: \r\n");
  });
}

/** Sends a problem response for bytes that Node's HTTP parser rejects. Fastify never receives such a request. */
export function handleClientError(thrown: Error & { code?: string }, socket: Duplex): void {
  // If a response has started, a second one must not be sent. `_httpMessage` is private, but Node's default handler
  // reads it too.
  const inFlight: ServerResponse | undefined = Reflect.get(socket, "_httpMessage") ?? undefined;
  if (thrown.code === "ECONNRESET" || !socket.writable || inFlight?.headersSent) {
    socket.destroy();
    return;
  }
  sendProblem(socket, new AppError(CODES[thrown.code ?? ""] ?? "bad_request"));
}

function sendProblem(socket: Duplex, error: AppError, headers = ""): void {
  const requestId = newId("req");
  const body = JSON.stringify(problemBody(error, requestId));
  socket.end(
    `HTTP/1.1 ${error.status} ${REASONS[error.status] ?? "Bad Request"}\r\n` +
      `content-type: application/problem+json; charset=utf-8\r\n${headers}` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  // Without this timer, a client that continues sending would keep its half of the connection open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}
