import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface StubRequest {
  readonly method: string;
  /** Without `/api/v1/svc`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

export interface StubAnswer {
  readonly status?: number;
  readonly body: object;
}

/** Starts a server that answers as the API would, for answers that a real server gives only after minutes or never. */
export async function startStubApi(answer: (request: StubRequest) => StubAnswer) {
  const requests: StubRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const { method = "", url = "", headers } = incoming;
    const path = url.replace("/api/v1/svc", "");
    const request = { method, path, headers, body: text === "" ? {} : JSON.parse(text) };
    requests.push(request);
    const { status = 200, body } = answer(request);
    const type = status < 400 ? "application/json" : "application/problem+json";
    response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export function problem(status: number, code: string, more: object = {}): StubAnswer {
  const text = { type: `/errors/${code}`, title: code, detail: `About ${code}.` };
  return { status, body: { ...text, status, code, request_id: "req_1", retryable: false, errors: [], ...more } };
}
