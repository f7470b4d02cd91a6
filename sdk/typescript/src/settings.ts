import { ed25519RequestKey } from "./ed25519.ts";
import { PurserError } from "./errors.ts";
import { consoleLogger, type FilteredLogger, filterByLevel, isLogLevel, type Logger, type LogLevel } from "./log.ts";
import { hmacRequestKey, type RequestKey } from "./signing.ts";
import { sleep as sleepForMs } from "./sleep.ts";

export type Mode = "live" | "test";

export interface PurserOptions {
  /** `svc_sk_live_…` or `svc_sk_test_…`. Default: `PURSER_API_KEY`, unless a session is given. */
  readonly apiKey?: string | undefined;
  /** `svc_ss_live_…` or `svc_ss_test_…`. Default: `PURSER_API_SECRET`, unless a session is given. */
  readonly apiSecret?: string | undefined;
  /** The private key of an Ed25519 key pair in PEM (PKCS #8), instead of `apiSecret`. */
  readonly privateKey?: string | undefined;
  /** The `access_token` of a dashboard session, as returned by `developers.logIn()`. */
  readonly session?: string | undefined;
  /** The mode of calls with a session. Ignored for a key pair, whose prefix states the mode. */
  readonly mode?: Mode | undefined;
  /** The UUID of the agent for which the client makes calls. Sent as `X-Agent-ID`. Default: `PURSER_AGENT_ID`. */
  readonly agentId?: string | undefined;
  /** The origin of the server, for example `https://purser.example.com`. Default: `PURSER_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The number of retries after the first attempt. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Default: `PURSER_LOG`, or `warn` if it is not set. */
  readonly logLevel?: LogLevel | undefined;
  /** Receives the client's log messages. Default: standard error, one line per message. */
  readonly logger?: Logger | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly sleep?: Sleep | undefined;
  readonly random?: Random | undefined;
}

export interface Clock {
  now(): Date;
}

/** Resolves after `ms` milliseconds. Rejects if `signal` is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface Random {
  /** A version 4 UUID from a cryptographic random source. */
  uuid(): string;
  /** A number in [0, 1). */
  fraction(): number;
}

export interface KeyPair {
  readonly kind: "key-pair";
  readonly apiKey: string;
  readonly key: RequestKey;
  readonly mode: Mode;
}

export interface Bearer {
  readonly kind: "bearer";
  readonly accessToken: string;
  readonly mode: Mode | undefined;
}

/** A client's settings, read from its options and from environment variables. */
export interface Settings {
  readonly origin: string;
  readonly keyPair: KeyPair | undefined;
  readonly bearer: Bearer | undefined;
  readonly agentId: string | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly log: FilteredLogger;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
}

/** The environment variables that a client reads, for example `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options. Missing options are read from the environment.
 *
 * @throws PurserError if a setting is missing or malformed. The message contains the names of the option and the
 * variable, but not the value.
 */
export function settingsFrom(options: PurserOptions, environment: Environment): Settings {
  const { agentId = environment["PURSER_AGENT_ID"], timeoutMs = 30_000, maxRetries = 2, session, mode } = options;
  const { logger = consoleLogger, fetch = globalThis.fetch, sleep = sleepForMs } = options;
  const { clock = { now: () => new Date() } } = options;
  const { random = { uuid: () => crypto.randomUUID(), fraction: Math.random } } = options;
  const log = filterByLevel(logLevelOf(options, environment), logger);
  const keyPair = keyPairOf(options, environment);
  const bearer = session ? ({ kind: "bearer", accessToken: session, mode } as const) : undefined;
  if (keyPair?.mode === "live" && environment["NODE_ENV"] === "test") {
    log.warn("A live API key is used while NODE_ENV is test.");
  }
  const origin = originOf(options.baseUrl ?? environment["PURSER_BASE_URL"], log);
  return { origin, keyPair, bearer, agentId, timeoutMs, maxRetries, log, fetch, clock, sleep, random };
}

function logLevelOf(options: PurserOptions, environment: Environment): LogLevel {
  const level = options.logLevel ?? environment["PURSER_LOG"] ?? "warn";
  if (isLogLevel(level)) return level;
  throw new PurserError("The log level (`logLevel` or PURSER_LOG) must be debug, info, warn or off.");
}

function originOf(baseUrl: string | undefined, log: FilteredLogger): string {
  if (!baseUrl) {
    throw new PurserError("The base URL is missing. Pass `baseUrl` or set PURSER_BASE_URL.");
  }
  // `URL.parse` does not exist in Node 20.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || `${url.origin}/` !== url.href || !/^https?:$/.test(url.protocol)) {
    throw new PurserError("`baseUrl` (or PURSER_BASE_URL) must be an origin, for example https://purser.example.com.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    log.warn("The base URL is http: requests and responses are not encrypted.", { origin: url.origin });
  }
  return url.origin;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function keyPairOf(options: PurserOptions, environment: Environment): KeyPair | undefined {
  const fallback = options.session === undefined ? environment : {};
  const { privateKey } = options;
  const apiKey = options.apiKey ?? fallback["PURSER_API_KEY"] ?? "";
  const apiSecret = options.apiSecret ?? fallback["PURSER_API_SECRET"] ?? "";
  if (apiKey === "" && apiSecret === "" && privateKey === undefined) return undefined;
  const mode = modeOf(apiKey, "svc_sk_", "an API key", "`apiKey` or set PURSER_API_KEY");
  if (privateKey !== undefined) return { kind: "key-pair", apiKey, key: ed25519RequestKey(privateKey), mode };
  const secretMode = modeOf(apiSecret, "svc_ss_", "an API secret", "`apiSecret` or set PURSER_API_SECRET");
  if (mode !== secretMode) {
    throw new PurserError(`The API key is for ${mode} mode, but the API secret is for ${secretMode} mode.`);
  }
  return { kind: "key-pair", apiKey, key: hmacRequestKey(apiSecret), mode };
}

function modeOf(text: string, prefix: string, noun: string, ways: string): Mode {
  if (text.startsWith(`${prefix}live_`)) return "live";
  if (text.startsWith(`${prefix}test_`)) return "test";
  throw new PurserError(
    `${text ? "The value is not" : "Missing"} ${noun} (${prefix}live_… or ${prefix}test_…): pass ${ways}.`,
  );
}
