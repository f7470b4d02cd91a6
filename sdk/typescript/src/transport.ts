import { version as nodeVersion } from "node:process";
import { type ApiAnswer, ApiPromise } from "./api-promise.ts";
import { type Access, credentialFor } from "./credentials.ts";
import {
  APIConnectionError,
  APITimeoutError,
  AuthenticationError,
  errorOf,
  type Problem,
  PurserError,
} from "./errors.ts";
import { loggable } from "./log.ts";
import { RequestSigner, type Signed } from "./request-signer.ts";
import { retryAfterSeconds, retryDelayMs } from "./retry.ts";
import { ServiceClock } from "./service-clock.ts";
import type { Bearer, KeyPair, Mode, Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

const PREFIX = "/api/v1/svc";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call {
  readonly method: Method;
  /** Below `/api/v1/svc`, or with it (as `poll_url` comes). Its ids are already encoded. */
  readonly path: string;
  readonly access: Access;
  readonly query?: Query | undefined;
  /** Sent as JSON; absent, nothing is sent. */
  readonly body?: object | undefined;
  /** Default `application/json`. */
  readonly accept?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface RequestOptions {
  /** A UUID. By default each POST and PATCH gets one of its own, kept over all of its attempts. */
  readonly idempotencyKey?: string | undefined;
  readonly agentId?: string | undefined;
  /** For each attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Ends the call, its attempts and its waits; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sent beside our own, which win. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call with everything that stays the same over its attempts. */
interface Prepared {
  readonly method: Method;
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  readonly credential: KeyPair | Bearer | undefined;
  readonly idempotencyKey: string | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

/** Takes what is wanted of an answer that is a success. */
type Read<Data> = (response: Response) => Promise<Data>;

type Exchanged<Data> =
  | { readonly response: Response; readonly data: Data }
  | { readonly response: Response; readonly refusal: Uint8Array };

/** What the clients of one key share: how wrong the local clock is, and which signatures are out. */
interface Shared {
  readonly clock: ServiceClock;
  readonly signer: RequestSigner;
}

/** Sends calls: signs, retries and tells failures apart. Nothing of it shows when a client is printed. */
export class Transport {
  readonly #settings: Settings;
  readonly #shared: Shared;

  constructor(settings: Settings, shared: Shared = sharedOf(settings)) {
    this.#settings = settings;
    this.#shared = shared;
  }

  get mode(): Mode | undefined {
    return this.#settings.keyPair?.mode ?? this.#settings.bearer?.mode;
  }

  /** The key that answers are signed under; undefined for a client without a key pair. */
  get apiKey(): string | undefined {
    return this.#settings.keyPair?.apiKey;
  }

  nowMs(): number {
    return this.#settings.clock.now().getTime();
  }

  /** Rejects with the signal's reason when that ends the wait. */
  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#settings.sleep(ms, signal);
    } finally {
      signal?.throwIfAborted();
    }
  }

  forAgent(agentId: string): Transport {
    return new Transport({ ...this.#settings, agentId }, this.#shared);
  }

  /** A call whose answer is JSON, or nothing. The shape of `Data` is the service's word; it is not checked. */
  request<Data>(call: Call, options: RequestOptions = {}): ApiPromise<Data> {
    return new ApiPromise(
      this.send(call, options).then((answer) => ({ ...answer, data: parseJson(answer) })),
    );
  }

  /**
   * A call whose answer is bytes.
   *
   * @throws APIError for an answer that is no success, APIConnectionError where none came, PurserError
   * for a call that cannot be made with this client's credentials.
   */
  send(call: Call, options: RequestOptions = {}): Promise<ApiAnswer<Uint8Array>> {
    return this.#deliver(call, options, readBytes);
  }

  /**
   * A call whose answer is read as it comes: `timeoutMs` is then for its beginning. What breaks off later is the reader's to
   * notice.
   *
   * @throws as `send`
   */
  stream(
    call: Call,
    options: RequestOptions = {},
  ): Promise<ApiAnswer<ReadableStream<Uint8Array> | null>> {
    return this.#deliver(call, options, async ({ body }) => body);
  }

  async #deliver<Data>(
    call: Call,
    options: RequestOptions,
    read: Read<Data>,
  ): Promise<ApiAnswer<Data>> {
    const prepared = this.#prepare(call, options);
    let clockCorrected = false;
    let retries = 0;
    for (;;) {
      const { offsetMs } = this.#shared.clock;
      try {
        return await this.#attempt(prepared, read);
      } catch (failure) {
        if (!clockCorrected && this.#clockWasWrong(failure, prepared, offsetMs)) {
          clockCorrected = true;
          continue;
        }
        await this.#waitToRetry(failure, retries, prepared);
        retries += 1;
      }
    }
  }

  #prepare(call: Call, options: RequestOptions): Prepared {
    const { origin, agentId, timeoutMs, maxRetries, random } = this.#settings;
    const credential = credentialFor(call.access, this.#settings);
    const hasKey = call.method === "POST" || call.method === "PATCH";
    const idempotencyKey = hasKey ? (options.idempotencyKey ?? random.uuid()) : undefined;
    const body = new TextEncoder().encode(call.body && JSON.stringify(call.body));
    const headers = new Headers(options.headers);
    setAll(headers, {
      accept: call.accept ?? "application/json",
      "content-type": call.body && "application/json",
      "idempotency-key": idempotencyKey,
      "if-none-match": call.ifNoneMatch,
      "user-agent": `purser-typescript/${VERSION} node/${nodeVersion.slice(1)}`,
      "x-agent-id": call.access === "public" ? undefined : (options.agentId ?? agentId),
    });
    return {
      method: call.method,
      url: urlOf(origin, call),
      body,
      headers,
      credential,
      idempotencyKey,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      maxRetries: options.maxRetries ?? maxRetries,
      signal: options.signal,
    };
  }

  async #attempt<Data>(prepared: Prepared, read: Read<Data>): Promise<ApiAnswer<Data>> {
    const headers = await this.#authorized(prepared);
    const { method, url, idempotencyKey } = prepared;
    const { log } = this.#settings;
    log.debug(`${method} ${url.pathname}`, { headers: loggable(headers) });

    const answer = await this.#exchange(prepared, headers, read);

    const { status, headers: answered } = answer.response;
    const requestId = answered.get("x-request-id") ?? undefined;
    log.info(`${method} ${url.pathname} answered ${status}`, { requestId });
    if ("refusal" in answer) {
      const refusal = { status, headers: answered, problem: problemOf(answered, answer.refusal) };
      throw errorOf(refusal, retryAfterSeconds(answered, this.#shared.clock.now()));
    }
    const isReplay = answered.get("idempotent-replayed") === "true";
    return { data: answer.data, status, headers: answered, requestId, idempotencyKey, isReplay };
  }

  /**
   * One request and its answer, as far as `read` waits for it. A redirect is an answer like any other: following it would
   * unsign it.
   */
  async #exchange<Data>(
    { method, url, body, timeoutMs, signal }: Prepared,
    headers: Headers,
    read: Read<Data>,
  ): Promise<Exchanged<Data>> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const { fetch } = this.#settings;
    try {
      signal?.throwIfAborted();
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        ...(body.length > 0 && { body }),
      });
      const isUnchanged = response.status === 304 && headers.has("if-none-match");
      return response.ok || isUnchanged
        ? { response, data: await read(response) }
        : { response, refusal: await readBytes(response) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw late.signal.aborted
        ? new APITimeoutError(`No answer within ${timeoutMs} ms.`, { cause })
        : new APIConnectionError("The service could not be reached, or broke off.", { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  async #authorized(prepared: Prepared): Promise<Headers> {
    const headers = new Headers(prepared.headers);
    const { credential } = prepared;
    if (credential?.kind === "bearer") {
      setAll(headers, {
        authorization: `Bearer ${credential.accessToken}`,
        "x-svc-mode": credential.mode,
      });
    }
    if (credential?.kind === "key-pair") {
      const { timestamp, signature } = await this.#sign(prepared, credential.signingKey);
      setAll(headers, {
        authorization: credential.apiKey,
        "x-timestamp": timestamp,
        "x-nonce": this.#settings.random.uuid(),
        "x-request-signature": signature,
      });
    }
    return headers;
  }

  #sign({ url, ...request }: Prepared, signingKey: string): Promise<Signed> {
    return this.#shared.signer.sign({ ...request, path: url.pathname + url.search }, signingKey);
  }

  /**
   * A 401 does not say why. Where our clock was far from the service's, that is why, and we follow the
   * service's from now on. A call that was under way at the same time may have put the clock right already.
   */
  #clockWasWrong(failure: unknown, { credential }: Prepared, offsetMs: number): boolean {
    if (!(failure instanceof AuthenticationError) || credential?.kind !== "key-pair") return false;
    const { clock } = this.#shared;
    if (clock.correct(failure.headers.get("date"))) {
      this.#settings.log.warn("The local clock is wrong; following the service's.", {
        behindSeconds: Math.round(clock.offsetMs / 1000),
      });
    }
    return clock.offsetMs !== offsetMs;
  }

  /** Waits as long as the failure asks for, or throws it where another attempt is of no use. */
  async #waitToRetry(failure: unknown, retries: number, prepared: Prepared): Promise<void> {
    const { random, log } = this.#settings;
    if (retries >= prepared.maxRetries) throw failure;
    const delayMs = retryDelayMs(failure, retries, random.fraction(), this.#shared.clock.now());
    if (delayMs === undefined) throw failure;
    const reason = failure instanceof Error ? failure.message : "";
    log.info(`${prepared.method} ${prepared.url.pathname} is tried again`, { delayMs, reason });
    await this.sleep(delayMs, prepared.signal);
  }
}

function sharedOf(settings: Settings): Shared {
  const clock = new ServiceClock(settings.clock);
  return { clock, signer: new RequestSigner(clock, settings.sleep) };
}

async function readBytes(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function urlOf(origin: string, { path, query = {} }: Call): URL {
  const url = new URL(path.startsWith(`${PREFIX}/`) ? path : PREFIX + path, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function setAll(headers: Headers, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) headers.set(name, value);
  }
}

/** The problem of a refusal; empty where something else than the service wrote it. */
function problemOf(headers: Headers, bytes: Uint8Array): Problem {
  if (!headers.get("content-type")?.includes("json")) return {};
  try {
    const problem = JSON.parse(new TextDecoder().decode(bytes));
    return typeof problem === "object" && problem !== null ? problem : {};
  } catch {
    return {};
  }
}

function parseJson<Data>({ data, status, requestId }: ApiAnswer<Uint8Array>): Data {
  if (status === 204) return undefined as Data;
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch (cause) {
    throw new PurserError(`The answer is not JSON (request ${requestId ?? "unknown"}).`, { cause });
  }
}
