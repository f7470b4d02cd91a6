import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the proxy does to a request, and how often: its share of all requests. */
const DISTURBANCES = [
  { name: "nonce rejected", share: 0.05 },
  { name: "answer dropped", share: 0.02 },
  { name: "broken JSON", share: 0.01 },
  { name: "429", share: 0.005 },
  { name: "503", share: 0.005 },
] as const;

export type Disturbance = (typeof DISTURBANCES)[number]["name"];

/** Connections that are idle for longer are closed, often just when a client sends its next request. */
const IDLE_MAX_MS = 5;
const RETRY_AFTER_SECONDS = 1;

export interface HostileProxy {
  readonly url: string;
  /** How often each disturbance has happened. */
  readonly counts: Readonly<Record<Disturbance, number>>;
  close(): void;
}

/**
 * Starts a proxy that forwards requests to the server, and disturbs some of them: it answers 401 as if the nonce had been
 * used, 429 or 503 without forwarding, and drops or cuts answers of requests that the server has carried out. It closes idle
 * connections at once.
 *
 * @param serverUrl returns the server's URL, which is known later and stays the same when the server is started again
 */
export async function startHostileProxy(serverUrl: () => string): Promise<HostileProxy> {
  const counts = Object.fromEntries(DISTURBANCES.map(({ name }) => [name, 0])) as Record<Disturbance, number>;
  const proxy = createServer({ keepAliveTimeout: IDLE_MAX_MS }, (incoming, outgoing) => {
    const disturbance = pickDisturbance();
    if (disturbance !== undefined) counts[disturbance] += 1;
    if (disturbance === "nonce rejected") return refuse(outgoing, 401, "authentication_failed");
    if (disturbance === "429") return refuse(outgoing, 429, "rate_limited");
    if (disturbance === "503") return refuse(outgoing, 503, "service_unavailable");
    forward(serverUrl(), { incoming, outgoing }, disturbance);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, counts, close };
}

function pickDisturbance(): Disturbance | undefined {
  let chance = Math.random();
  return DISTURBANCES.find(({ share }) => {
    chance -= share;
    return chance < 0;
  })?.name;
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  const problem = { type: `/errors/${code}`, title: code, status, detail: code, code, retryable: status !== 401 };
  outgoing.statusCode = status;
  outgoing.setHeader("content-type", "application/problem+json");
  if (status !== 401) outgoing.setHeader("retry-after", RETRY_AFTER_SECONDS);
  outgoing.end(JSON.stringify({ ...problem, request_id: "req_0", errors: [] }));
}

function forward(
  serverUrl: string,
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  disturbance: Disturbance | undefined,
): void {
  const { method, headers, url } = incoming;
  const drop = () => outgoing.socket?.destroy();
  const sent = request(new URL(url ?? "/", serverUrl), { method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("error", drop);
    answer.on("end", () => {
      if (disturbance === "answer dropped") {
        drop();
        return;
      }
      const body = Buffer.concat(chunks);
      const { "content-length": _, "transfer-encoding": __, connection: ___, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      outgoing.end(disturbance === "broken JSON" ? body.subarray(0, body.length / 2) : body);
    });
  });
  sent.on("error", drop);
  incoming.on("error", () => sent.destroy());
  incoming.pipe(sent);
}
