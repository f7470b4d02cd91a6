import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "vitest";
import { Purser, type PurserOptions } from "../src/index.ts";

export const API_KEY = `svc_sk_test_${"k".repeat(43)}`;
export const API_SECRET = `svc_ss_test_${"s".repeat(64)}`;

/** A received request. `isSigned` states whether its key, time, nonce and signature are valid. */
export interface ReceivedRequest {
  readonly method: string;
  /** The raw path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly isSigned: boolean;
}

export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Raw bytes to send instead of `body`. */
  readonly bytes?: Uint8Array;
}

/** `drop` closes the connection without a response. `stall` never responds. */
export type ScriptedResponse = TestResponse | "drop" | "stall" | ((received: ReceivedRequest) => TestResponse);

/**
 * An HTTP server for tests. It verifies signatures and nonces with its own implementation and responds 401 if they are
 * invalid. Otherwise it returns the scripted responses in order, then `{}`.
 */
export class TestServer {
  readonly received: ReceivedRequest[] = [];
  readonly #script: ScriptedResponse[] = [];
  readonly #nonces = new Set<string>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** The server's clock, which tests can set to differ from the client's. */
  nowMs = Date.UTC(2026, 10, 21, 12);

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  script(...responses: readonly ScriptedResponse[]): void {
    this.#script.push(...responses);
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await this.#receive(request);
    this.received.push(received);
    const isUnauthorized = "x-request-signature" in received.headers && !received.isSigned;
    const next = isUnauthorized ? UNAUTHORIZED : (this.#script.shift() ?? {});
    if (next === "stall") return;
    if (next === "drop") {
      request.socket.destroy();
      return;
    }
    const scripted = typeof next === "function" ? next(received) : next;
    const { status = 200, headers, body = {}, bytes } = scripted;
    response.writeHead(status, {
      date: new Date(this.nowMs).toUTCString(),
      "content-type": status < 400 ? "application/json" : "application/problem+json",
      "x-request-id": `req_${this.received.length}`,
      ...headers,
    });
    response.end(status === 204 || status === 304 ? undefined : (bytes ?? JSON.stringify(body)));
  }

  async #receive(request: IncomingMessage): Promise<ReceivedRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { method = "", url = "" } = request;
    const headers = request.headers as Record<string, string | undefined>;
    return {
      method,
      path: url,
      headers,
      body: bytes.toString(),
      isSigned: this.#isSigned(method, url, headers, bytes),
    };
  }

  #isSigned(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | undefined>>,
    body: Buffer,
  ): boolean {
    const timestamp = headers["x-timestamp"] ?? "";
    const nonce = headers["x-nonce"] ?? "";
    const isFresh = Math.abs(Number(timestamp) - Math.floor(this.nowMs / 1000)) <= 30;
    const isNew = nonce.length >= 16 && nonce.length <= 128 && !this.#nonces.has(nonce);
    this.#nonces.add(nonce);
    const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
    const expected = createHmac("sha256", sha256(API_SECRET))
      .update(`${timestamp}.${method}.${path}.${sha256(body)}`)
      .digest("hex");
    return headers["authorization"] === API_KEY && isFresh && isNew && headers["x-request-signature"] === expected;
  }
}

export const UNAUTHORIZED: TestResponse = {
  status: 401,
  body: {
    code: "authentication_failed",
    status: 401,
    detail: "Authentication failed.",
    retryable: false,
  },
};

/** Signs a body as the server signs env bundles. */
export function envSignature(bytes: Uint8Array, apiKey = API_KEY): string {
  return createHmac("sha256", apiKey).update(bytes).digest("hex");
}

/**
 * Starts a server for each test and creates clients for it. Time is simulated: calls to a client's `sleep` advance the
 * clocks without waiting. `slept` records the delays.
 */
export function useTestServer() {
  let server = new TestServer();
  const slept: number[] = [];
  const clock = { nowMs: 0, now: () => new Date(clock.nowMs) };

  beforeEach(async () => {
    server = new TestServer();
    slept.length = 0;
    clock.nowMs = server.nowMs;
    await server.start();
  });
  afterEach(() => server.stop());

  /** Creates a client with the simulated clock and no credentials. */
  const client = (options: PurserOptions = {}) =>
    new Purser({
      baseUrl: server.baseUrl,
      logLevel: "off",
      clock,
      sleep: async (ms) => {
        slept.push(ms);
        clock.nowMs += ms;
        server.nowMs += ms;
      },
      random: { uuid: () => globalThis.crypto.randomUUID(), fraction: () => 0 },
      ...options,
    });

  return {
    get server() {
      return server;
    },
    slept,
    clock,
    client,
    /** Creates a client with the key pair that the server accepts. */
    signedClient: (options: PurserOptions = {}) => client({ apiKey: API_KEY, apiSecret: API_SECRET, ...options }),
  };
}
