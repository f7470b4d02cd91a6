import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts an HTTP server that responds by calling `answer`. It stops when the test ends. Returns its URL. */
export function startMisbehavingVendor(answer: (response: ServerResponse, request: string) => void): Promise<string> {
  return startServer((request, response) => {
    request.resume().on("end", () => {
      answer(response, `${request.method} ${request.url?.split("?")[0]}`);
    });
  });
}

/** Starts an HTTP server that stops when the test ends. Returns its URL. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/**
 * Starts a proxy to a vendor that changes the texts of responses, and their status. `tamper` also receives the request's method
 * and URL.
 */
export function startTamperingProxy(
  vendorUrl: string,
  tamper: (text: string, at: string) => string,
  status?: number,
): Promise<string> {
  return startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const original = await fetch(vendorUrl + request.url, {
      method: request.method ?? "GET",
      headers: {
        authorization: request.headers.authorization ?? "",
        "content-type": request.headers["content-type"] ?? "text/plain",
      },
      ...(body.length > 0 ? { body } : {}),
    });
    response.writeHead(status ?? original.status, { "content-type": "application/json" });
    response.end(tamper(await original.text(), `${request.method} ${request.url}`));
  });
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
