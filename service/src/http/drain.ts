import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "./route.ts";

const POLL_INTERVAL_MS = 50;
/** How long an incomplete request can take to arrive after shutdown starts. */
const ARRIVAL_MAX_MS = 5_000;

/**
 * Makes `server.close()` finish as soon as all requests in flight have a response. By default it also waits for idle
 * keep-alive connections and for connections that have not sent a request.
 */
export function drainOnClose(server: Server): void {
  const inFlight = new Map<ServerResponse, IncomingMessage>();
  server.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    inFlight.set(response, request);
    response.once("close", () => inFlight.delete(response));
  });

  server.addHook("preClose", async () => {
    for (const response of inFlight.keys()) {
      if (!response.headersSent) response.setHeader("connection", "close");
    }
    const arrivalEndsMs = performance.now() + ARRIVAL_MAX_MS;
    const isAwaited = (request: IncomingMessage) => request.complete || performance.now() < arrivalEndsMs;
    // Checks repeatedly, because new connections can arrive until the server is closed.
    const timer = setInterval(() => {
      if (![...inFlight.values()].some(isAwaited)) server.server.closeAllConnections();
    }, POLL_INTERVAL_MS);
    server.server.once("close", () => clearInterval(timer));
  });
}
