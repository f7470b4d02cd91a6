import { ApiPromise, type ApiResponse } from "./api-promise.ts";
import { type Access, credentialFor } from "./credentials.ts";
import { APIConnectionError, APIError, APITimeoutError, AuthenticationError, type Problem } from "./errors.ts";
import { refuseUnknownNames } from "./known-names.ts";
import { redactHeaders } from "./log.ts";
import { RequestSigner } from "./request-signer.ts";
import { retryAfterSeconds, retryDelayMs } from "./retry.ts";
import { ServerClock } from "./server-clock.ts";
import type { Bearer, KeyPair, Mode, Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

/** How often a call is signed again at once after `signature_replayed`. Later ones are retries like any other. */
const REPLAYS_MAX = 10;
const PATH_PREFIX = "/api/v1/svc";
/** For example `Node.js/24`. Node 20 has no `navigator`. */
const RUNTIME = globalThis.navigator?.userAgent ?? `Node.js/${globalThis.process?.versions.node}`;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call {
  readonly method: Method;
  /** With or without the prefix `/api/v1/svc`. IDs in the path are already encoded. */
  readonly path: string;
  readonly access: Access;
  readonly query?: Query | undefined;
  /** Sent as JSON. If undefined, the request has no body. */
  readonly body?: object | undefined;
  /** Default: `application/json`. */
  readonly accept?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface RequestOptions {
  /** A UUID that is sent with every attempt of a POST or PATCH. Default: a new UUID for each call. */
  readonly idempotencyKey?: string | undefined;
  /** Default: the client's agent. */
  readonly agentId?: string | undefined;
  /** Timeout of one attempt in milliseconds, in addition to `wait_seconds`. Default: the client's setting. */
  readonly timeoutMs?: number | undefined;
  /** The number of retries after the first attempt. Default: the client's setting. */
  readonly maxRetries?: number | undefined;
  /** Aborts the call, including its retries and delays. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Additional headers. The SDK's own headers take precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const OPTION_NAMES = Object.keys({
  idempotencyKey: true,
  agentId: true,
  timeoutMs: true,
  maxRetries: true,
  signal: true,
  headers: true,
} satisfies Record<keyof RequestOptions, true>);

/** Headers by their names in lowercase. */
type SentHeaders = Readonly<Record<string, string | undefined>>;

/** The parts of a call that are the same for all attempts. */
interface PreparedCall {
  readonly method: Method;
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: SentHeaders;
  readonly credential: KeyPair | Bearer | undefined;
  readonly idempotencyKey: string | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads the body of a successful response. */
type ReadBody<Data> = (response: Response) => Promise<Data>;

type HttpResult<Data> =
  | { readonly response: Response; readonly data: Data }
  | { readonly response: Response; readonly errorBody: Uint8Array };

/** State that a client shares with the clients that `withAgent` returns. */
interface SharedState {
  readonly clock: ServerClock;
  readonly signer: RequestSigner;
}

/**
 * Signs, sends and retries calls, and throws typed errors. Credentials are in private fields, so that they do not
 * appear when a client is printed.
 */
export class Transport {
  readonly #settings: Settings;
  readonly #shared: SharedState;

  constructor(settings: Settings, shared: SharedState = createSharedState(settings)) {
    this.#settings = settings;
    this.#shared = shared;
  }

  get mode(): Mode | undefined {
    return this.#settings.keyPair?.mode ?? this.#settings.bearer?.mode;
  }

  /** The API key with which the server signs env bundles. Undefined for a client without a key pair. */
  get apiKey(): string | undefined {
    return this.#settings.keyPair?.apiKey;
  }

  nowMs(): number {
    return this.#settings.clock.now().getTime();
  }

  /** Rejects with the signal's reason if the signal is aborted. */
  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#settings.sleep(ms, signal);
    } finally {
      signal?.throwIfAborted();
    }
  }

  /** Returns the delay before the next attempt, or undefined if another one would fail too. */
  retryDelayMs(failure: unknown, retries: number): number | undefined {
    return retryDelayMs(failure, retries, this.#settings.random.fraction());
  }

  forAgent(agentId: string): Transport {
    return new Transport({ ...this.#settings, agentId }, this.#shared);
  }

  /** Makes a call whose response is JSON or empty. The response is not validated against `Data`. */
  request<Data>(call: Call, options: RequestOptions = {}): ApiPromise<Data> {
    return new ApiPromise(this.#sendWithRetries<Data>(call, options, readJson));
  }

  /**
   * Makes a call whose response is bytes.
   *
   * @throws APIError for an error response, APIConnectionError if no response arrives, PurserError if the client has no
   * credentials for the call.
   */
  send(call: Call, options: RequestOptions = {}): Promise<ApiResponse<Uint8Array>> {
    return this.#sendWithRetries(call, options, readBytes);
  }

  /**
   * Makes a call whose response is streamed. `timeoutMs` covers only the time until the response headers arrive. The
   * reader of the stream must handle later failures.
   *
   * @throws the errors of `send`
   */
  stream(call: Call, options: RequestOptions = {}): Promise<ApiResponse<ReadableStream<Uint8Array> | null>> {
    return this.#sendWithRetries(call, options, async ({ body }) => body);
  }

  async #sendWithRetries<Data>(call: Call, options: RequestOptions, read: ReadBody<Data>): Promise<ApiResponse<Data>> {
    const prepared = this.#prepare(call, options);
    let clockCorrected = false;
    let replays = 0;
    let retries = 0;
    for (;;) {
      const { offsetMs } = this.#shared.clock;
      try {
        return await this.#attempt(prepared, read, replays > 0);
      } catch (failure) {
        // Another client of this key has sent an identical request for the same second.
        if (isReplayedSignature(failure, replays)) {
          replays += 1;
          continue;
        }
        if (!clockCorrected && this.#correctClockAfter(failure, prepared, offsetMs)) {
          clockCorrected = true;
          continue;
        }
        await this.#waitToRetry(failure, retries, prepared);
        retries += 1;
      }
    }
  }

  #prepare(call: Call, options: RequestOptions): PreparedCall {
    refuseUnknownNames(options, OPTION_NAMES, "option");
    const { origin, agentId, timeoutMs, maxRetries, random } = this.#settings;
    const credential = credentialFor(call.access, this.#settings);
    const hasKey = call.method === "POST" || call.method === "PATCH";
    const idempotencyKey = hasKey ? (options.idempotencyKey ?? random.uuid()) : undefined;
    const body = new TextEncoder().encode(call.body && JSON.stringify(call.body));
    const headers = {
      ...Object.fromEntries(new Headers(options.headers)),
      accept: call.accept ?? "application/json",
      "content-type": call.body && "application/json",
      "idempotency-key": idempotencyKey,
      "if-none-match": call.ifNoneMatch,
      "user-agent": `purser-typescript/${VERSION} ${RUNTIME}`,
      "x-agent-id": call.access === "public" ? undefined : (options.agentId ?? agentId),
    };
    return {
      method: call.method,
      url: buildUrl(origin, call),
      body,
      headers,
      credential,
      idempotencyKey,
      timeoutMs: (options.timeoutMs ?? timeoutMs) + waitMsOf(call),
      maxRetries: options.maxRetries ?? maxRetries,
      signal: options.signal,
    };
  }

  async #attempt<Data>(prepared: PreparedCall, read: ReadBody<Data>, wasReplayed: boolean): Promise<ApiResponse<Data>> {
    const spread = wasReplayed ? this.#settings.random.fraction() : 0;
    const headers = await this.#headersWithCredential(prepared, spread);
    const { method, url, idempotencyKey } = prepared;
    const { log } = this.#settings;
    log.debug(`${method} ${url.pathname}`, () => ({ headers: redactHeaders(headers) }));

    const result = await this.#fetch(prepared, headers, read);

    const { status, headers: responseHeaders } = result.response;
    const requestId = responseHeaders.get("x-request-id") ?? undefined;
    log.info(`${method} ${url.pathname} returned ${status}`, { requestId });
    if ("errorBody" in result) {
      const problem = parseProblem(responseHeaders, result.errorBody);
      const signature = headers.get("x-request-signature");
      if (problem.code === "signature_replayed" && signature !== null) {
        this.#shared.signer.discard(signature);
      }
      const retryAfter = retryAfterSeconds(responseHeaders, this.#shared.clock.now());
      throw APIError.from({ status, headers: responseHeaders, problem, retryAfterSeconds: retryAfter });
    }
    const isReplay = responseHeaders.get("idempotent-replayed") === "true";
    const { data } = result;
    return { data, status, headers: responseHeaders, requestId, idempotencyKey, isReplay };
  }

  /** Sends one request. Does not follow redirects, because the signature is valid only for this URL. */
  async #fetch<Data>(
    { method, url, body, timeoutMs, signal }: PreparedCall,
    headers: Headers,
    read: ReadBody<Data>,
  ): Promise<HttpResult<Data>> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const { fetch } = this.#settings;
    try {
      signal?.throwIfAborted();
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(body.length > 0 && { body }),
      });
      const isNotModified = response.status === 304 && headers.has("if-none-match");
      return response.ok || isNotModified
        ? { response, data: await read(response) }
        : { response, errorBody: await readBytes(response) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionErrorOf(cause, url.origin, timeout.signal.aborted ? timeoutMs : undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  async #headersWithCredential(prepared: PreparedCall, spread: number): Promise<Headers> {
    const { method, url, headers, body, idempotencyKey, credential, signal } = prepared;
    if (credential?.kind === "bearer") {
      const { accessToken, mode } = credential;
      return definedHeaders({ ...headers, authorization: `Bearer ${accessToken}`, "x-svc-mode": mode });
    }
    if (credential?.kind !== "key-pair") return definedHeaders(headers);
    const nonce = this.#settings.random.uuid();
    const path = url.pathname + url.search;
    const agentId = headers["x-agent-id"];
    const request = { method, path, body, idempotencyKey, agentId, nonce, signal, spread };
    const { timestamp, signature } = await this.#shared.signer.sign(request, credential.key);
    return definedHeaders({
      ...headers,
      authorization: credential.apiKey,
      "x-timestamp": timestamp,
      "x-nonce": nonce,
      "x-request-signature": signature,
    });
  }

  /**
   * Corrects the clock after a 401, if the response's `Date` header shows that the clock is wrong. `offsetMs` is the
   * clock's offset at the start of this attempt. Returns true if the offset has changed since then. A concurrent call
   * may have changed it.
   */
  #correctClockAfter(failure: unknown, { credential }: PreparedCall, offsetMs: number): boolean {
    if (!(failure instanceof AuthenticationError) || credential?.kind !== "key-pair") return false;
    const { clock } = this.#shared;
    if (clock.correctFrom(failure.headers.get("date"))) {
      this.#settings.log.warn("The local clock is wrong. Using the server's time.", {
        behindSeconds: Math.round(clock.offsetMs / 1000),
      });
    }
    return clock.offsetMs !== offsetMs;
  }

  /** Waits before a retry, or throws the failure if the call must not be retried. */
  async #waitToRetry(failure: unknown, retries: number, prepared: PreparedCall): Promise<void> {
    const { log } = this.#settings;
    if (retries >= prepared.maxRetries) throw failure;
    // A 401 has no reason. The nonce may be the only thing that was wrong, for example if a network has sent the request
    // twice. The next attempt has another one.
    const isRejected = failure instanceof AuthenticationError && prepared.credential?.kind === "key-pair";
    const delayMs = isRejected ? 0 : this.retryDelayMs(failure, retries);
    if (delayMs === undefined) throw failure;
    const reason = failure instanceof Error ? failure.message : "";
    log.info(`${prepared.method} ${prepared.url.pathname} will be retried`, { delayMs, reason });
    await this.sleep(delayMs, prepared.signal);
  }
}

/** Returns true if the call can be signed for another second at once. */
function isReplayedSignature(failure: unknown, replays: number): boolean {
  return failure instanceof APIError && failure.code === "signature_replayed" && replays < REPLAYS_MAX;
}

function createSharedState(settings: Settings): SharedState {
  const clock = new ServerClock(settings.clock);
  return { clock, signer: new RequestSigner(clock, settings.sleep) };
}

/** Returns how long the server waits before it responds, because the call asks for it. */
function waitMsOf({ query }: Call): number {
  return Number(query?.["wait_seconds"] ?? 0) * 1_000;
}

function connectionErrorOf(cause: unknown, origin: string, timeoutMs: number | undefined): APIConnectionError {
  if (cause instanceof APIConnectionError) return cause;
  if (timeoutMs !== undefined)
    return new APITimeoutError(`No response from ${origin} within ${timeoutMs} ms.`, { cause });
  return new APIConnectionError(`The connection to ${origin} failed${codeOf(cause)}.`, { cause });
}

/** Returns the code of the system, such as `ECONNREFUSED`. Node.js nests it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" ? ` (${error.code})` : codeOf(error.cause);
}

async function readBytes(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function buildUrl(origin: string, { path, query = {} }: Call): URL {
  const url = new URL(path.startsWith(`${PATH_PREFIX}/`) ? path : PATH_PREFIX + path, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function definedHeaders(headers: SentHeaders): Headers {
  return new Headers(Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined));
}

/**
 * Returns the problem in an error response, or an empty object if the body is not JSON, for example if a proxy sent it.
 */
function parseProblem(headers: Headers, bytes: Uint8Array): Problem {
  if (!headers.get("content-type")?.includes("json")) return {};
  try {
    const problem = JSON.parse(new TextDecoder().decode(bytes));
    return typeof problem === "object" && problem !== null ? problem : {};
  } catch {
    return {};
  }
}

/** Reads JSON. A body that is cut off or damaged fails as a broken connection does, so the call is repeated. */
async function readJson<Data>(response: Response): Promise<Data> {
  if (response.status === 204) return undefined as Data;
  const bytes = await readBytes(response);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The original error would contain a part of the body, which can have secrets.
    const requestId = response.headers.get("x-request-id") ?? "unknown";
    throw new APIConnectionError(`The response is not JSON (request ${requestId}).`);
  }
}
