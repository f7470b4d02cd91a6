import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts an HTTP server that responds by calling `answer`. It stops when the test ends. Returns its URL. */
export async function startMisbehavingVendor(
  answer: (response: ServerResponse, request: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      answer(response, `${request.method} ${request.url?.split("?")[0]}`);
    });
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** Returns a URL on which no server listens. */
export async function unreachableUrl(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * Returns a handler that responds with JSON. `answers` maps requests, for example `GET /user`, to response bodies. The
 * handler responds to all other requests with 404.
 */
export function answering(
  answers: Readonly<Record<string, unknown>>,
): (response: ServerResponse, request: string) => void {
  return (response, request) => {
    response.writeHead(request in answers ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[request] ?? {}));
  };
}
