import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "vitest";
import { Purser, type PurserOptions } from "../src/index.ts";

export const API_KEY = `svc_sk_test_${"k".repeat(43)}`;
export const API_SECRET = `svc_ss_test_${"s".repeat(64)}`;

/** One request as it arrived, and whether its signature is right by the service's rules. */
export interface Received {
  readonly method: string;
  /** With the query, as received. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly isSigned: boolean;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as they are, in place of `body`. */
  readonly bytes?: Uint8Array;
}

/** `drop` breaks the connection off before an answer, `stall` never answers. */
export type Scripted = Answer | "drop" | "stall" | ((received: Received) => Answer);

/**
 * A service in this process, behind real HTTP. It checks signatures with a few lines of its own, keeps
 * nonces, and answers 401 to what does not hold; else what the test scripted, one after another, and `{}`
 * after that.
 */
export class TestService {
  readonly received: Received[] = [];
  readonly #script: Scripted[] = [];
  readonly #nonces = new Set<string>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** The service's own clock, which need not agree with the client's. */
  nowMs = Date.UTC(2026, 10, 21, 12);

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  script(...answers: readonly Scripted[]): void {
    this.#script.push(...answers);
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
    const isRefused = "x-request-signature" in received.headers && !received.isSigned;
    const next = isRefused ? REFUSED : (this.#script.shift() ?? {});
    if (next === "stall") return;
    if (next === "drop") {
      request.socket.destroy();
      return;
    }
    const answer = typeof next === "function" ? next(received) : next;
    const { status = 200, headers, body = {}, bytes } = answer;
    response.writeHead(status, {
      date: new Date(this.nowMs).toUTCString(),
      "content-type": status < 400 ? "application/json" : "application/problem+json",
      "x-request-id": `req_${this.received.length}`,
      ...headers,
    });
    response.end(status === 204 || status === 304 ? undefined : (bytes ?? JSON.stringify(body)));
  }

  async #receive(request: IncomingMessage): Promise<Received> {
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
    return (
      headers["authorization"] === API_KEY &&
      isFresh &&
      isNew &&
      headers["x-request-signature"] === expected
    );
  }
}

export const REFUSED: Answer = {
  status: 401,
  body: {
    code: "authentication_failed",
    status: 401,
    detail: "Authentication failed.",
    retryable: false,
  },
};

/** Signs a body as the service signs an env bundle. */
export function envSignature(bytes: Uint8Array, apiKey = API_KEY): string {
  return createHmac("sha256", apiKey).update(bytes).digest("hex");
}

/**
 * A service for each test, and clients of it whose time is the test's: the clock stands still but for their
 * sleeps, which take no time and are written down.
 */
export function useService() {
  let service = new TestService();
  const slept: number[] = [];
  const clock = { nowMs: 0, now: () => new Date(clock.nowMs) };

  beforeEach(async () => {
    service = new TestService();
    slept.length = 0;
    clock.nowMs = service.nowMs;
    await service.start();
  });
  afterEach(() => service.stop());

  /** A client with the test's clock and without credentials, but for what `options` add. */
  const client = (options: PurserOptions = {}) =>
    new Purser({
      baseUrl: service.baseUrl,
      logLevel: "off",
      clock,
      sleep: async (ms) => {
        slept.push(ms);
        clock.nowMs += ms;
        service.nowMs += ms;
      },
      random: { uuid: () => globalThis.crypto.randomUUID(), fraction: () => 0 },
      ...options,
    });

  return {
    get service() {
      return service;
    },
    slept,
    clock,
    client,
    /** A client with the key pair that the service knows. */
    signedClient: (options: PurserOptions = {}) =>
      client({ apiKey: API_KEY, apiSecret: API_SECRET, ...options }),
  };
}
