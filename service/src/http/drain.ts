import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "./route.ts";

const LOOK_AGAIN_MS = 50;
/** How long a request may take to arrive whole once the server closes. */
const ARRIVAL_MAX_MS = 5_000;

/**
 * Lets `server.close()` end as soon as the requests under way are answered. Left to itself it would wait for each client
 * to go, and those that have sent nothing yet, or keep their connection after an answer, may not.
 */
export function closeWhenAnswered(server: Server): void {
  const underWay = new Map<ServerResponse, IncomingMessage>();
  server.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    underWay.set(response, request);
    response.once("close", () => underWay.delete(response));
  });

  server.addHook("preClose", async () => {
    for (const response of underWay.keys()) {
      if (!response.headersSent) response.setHeader("connection", "close");
    }
    const arrivalEndsMs = performance.now() + ARRIVAL_MAX_MS;
    const isAwaited = (request: IncomingMessage) =>
      request.complete || performance.now() < arrivalEndsMs;
    // A connection may be accepted until the very end, so one look would not be enough.
    const timer = setInterval(() => {
      if (![...underWay.values()].some(isAwaited)) server.server.closeAllConnections();
    }, LOOK_AGAIN_MS);
    server.server.once("close", () => clearInterval(timer));
  });
}
