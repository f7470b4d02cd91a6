import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { AppError } from "../../foundation/errors.ts";
import type {
  Admission,
  AdmissionRequest,
  BucketState,
  FastState,
  SignatureGuardRequest,
  TokenBucket,
  WindowRequest,
} from "../../ports/fast-state.ts";
import {
  type BucketLevel,
  bucketMicros,
  bucketState,
  CLAIM_MARGIN_MS,
  EPOCH_TTL_MS,
  limitedState,
  refill,
  signatureGuardResult,
} from "./fast-state-rules.ts";

const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_DELAY_MAX_MS = 500;
/** A caller's clock can be ahead of this machine's by so much. Its requests count as signed later than they were. */
const CLOCK_MARGIN_MS = 2_000;

const admitScript = loadScript(
  "admit.lua",
  Type.Tuple([
    Type.Enum(["admitted", "replayed", "refused", "limited"]),
    Type.Union([Type.String(), Type.Null()]),
    Type.Integer({ minimum: 0 }),
  ]),
);
const claimScript = loadScript("claim.lua", Type.Union([Type.String(), Type.Null()]));
const readCachedScript = loadScript("read-cached.lua", Type.Union([Type.String(), Type.Null()]));
const fillCachedScript = loadScript("fill-cached.lua", Type.Integer());
const countInWindowScript = loadScript("count-in-window.lua", Type.Integer({ minimum: 0 }));
const findServerScript = loadScript("find-server.lua", Type.String({ pattern: "^[0-9a-f]+ \\d+$" }));

/** A run of a Redis server. Its claims are complete only for requests that were signed after it came into use. */
interface RedisServer {
  /** Changes with each start of the server. */
  readonly runId: string;
  readonly inUseSinceMs: number;
}

/**
 * The fast state shared by several replicas, in one Redis server (version 7 or later), or in the one that is the master
 * according to Sentinel. Connects immediately and reconnects automatically. While disconnected, calls
 * reject immediately. A `rediss:` URL uses TLS.
 *
 * Redis confirms an entry before its replicas and its disk have it. After a change of the master or a restart, requests that
 * were signed before are therefore rejected, and epochs and cached values are forgotten.
 *
 * Redis must run with `maxmemory-policy noeviction`: an evicted nonce could be used again.
 */
export function createRedisFastState(
  options: RedisClientOptions & {
    readonly keyPrefix: string;
    /** Returns the time of `app.clock` in milliseconds. */
    readonly now: () => number;
  },
): FastState {
  return new RedisFastState(connect(options), options);
}

export interface RedisAddress {
  readonly url: string;
  /** The Sentinels and options of the connection, as in ioredis. Used in place of `url`. */
  readonly sentinel?: { readonly sentinels: { host: string; port: number }[]; readonly name: string } | undefined;
}

interface RedisClientOptions extends RedisAddress {
  /** Timeout for Redis replies. */
  readonly commandTimeoutMs: number;
}

/** With these options, calls fail fast instead of waiting for a reconnect, and a failed command is never resent. */
function connect({ url, sentinel, commandTimeoutMs }: RedisClientOptions): Redis {
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableAutoPipelining: false,
    commandTimeout: commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Closes a connection to an unreachable server earlier than TCP would.
    socketTimeout: 4 * commandTimeoutMs,
    retryStrategy: (attempt: number) => Math.min(attempt * 50, RECONNECT_DELAY_MAX_MS),
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    // A former master has become a replica.
    reconnectOnError: ({ message }: Error) => message.includes("READONLY"),
  };
  // `failoverDetector` leaves a former master at once, even if it still responds.
  return sentinel === undefined
    ? new Redis(url, options)
    : new Redis({ ...options, ...sentinel, failoverDetector: true });
}

class RedisFastState implements FastState {
  readonly #redis: Redis;
  readonly #keyPrefix: string;
  readonly #now: () => number;
  #connectionError: Error | undefined;
  #isClosed = false;
  /** The server of the current connection. Replaced when a connection opens, before other commands are sent on it. */
  #server: Promise<RedisServer>;

  constructor(redis: Redis, { keyPrefix, now }: { readonly keyPrefix: string; readonly now: () => number }) {
    this.#redis = redis;
    this.#keyPrefix = keyPrefix;
    this.#now = now;
    const server = Promise.withResolvers<RedisServer>();
    this.#server = server.promise;
    server.promise.catch(() => {});
    server.reject(new Error("There is no connection yet."));
    redis.on("ready", () => {
      this.#server = this.#findServer();
      // Otherwise calls would fail for as long as the connection lasts.
      this.#server.catch(() => redis.status === "ready" && redis.disconnect(true));
    });
    // ioredis gives up if it learns about a new master while it asks for the master.
    redis.on("end", () => this.#isClosed || redis.connect().catch(() => {}));
    // Without a listener, ioredis prints errors to the console. The stored error is added to the errors of failed
    // calls.
    redis.on("error", (error) => {
      this.#connectionError = error;
    });
  }

  async admit(request: AdmissionRequest): Promise<Admission> {
    const { keyHash, bucket, nowMs, nonceTtlMs } = request;
    const { capacity, perMs } = bucketMicros(bucket);
    const args = [
      nowMs,
      nowMs + nonceTtlMs,
      nonceTtlMs + CLAIM_MARGIN_MS,
      request.signatureValid ? "1" : "0",
      capacity,
      perMs,
      CLAIM_MARGIN_MS,
      request.candidateEpoch,
      EPOCH_TTL_MS,
    ];
    const [outcome, epoch, levelMicros] = await this.#onServer((server) => {
      requireSignedSince(server, request.signedAtMs);
      const nonceKey = this.#keyOf(keyHash, `nonce:${request.nonce}`);
      const keys = [nonceKey, this.#keyOf(keyHash, "bucket"), this.#epochKeyOf(server, keyHash)];
      return this.#run(admitScript, keys, args);
    });
    const state = outcome === "limited" ? limitedState : bucketState;
    return { outcome, epoch, bucket: state(levelMicros, bucket) };
  }

  async guardSignature(request: SignatureGuardRequest) {
    const { keyHash, signature, idempotencyKey, expiresAtMs, nowMs } = request;
    const key = this.#keyOf(keyHash, `signature:${signature}`);
    const note = await this.#onServer((server) => {
      requireSignedSince(server, request.signedAtMs);
      return this.#claim(key, { nowMs, expiresAtMs, note: idempotencyKey ?? "" });
    });
    return signatureGuardResult(note === "" ? null : note, request);
  }

  async readBucket(request: { keyHash: string; bucket: TokenBucket; nowMs: number }): Promise<BucketState> {
    const { keyHash, bucket, nowMs } = request;
    const stored = await this.#send(this.#redis.get(this.#keyOf(keyHash, "bucket")));
    return bucketState(refill(parseLevel(stored), bucket, nowMs).micros, bucket);
  }

  async suspendEpoch({ keyHash, ttlMs, nowMs }: { keyHash: string; ttlMs: number; nowMs: number }) {
    await this.#setEpochKey(keyHash, `!${nowMs + ttlMs}`, ttlMs + CLAIM_MARGIN_MS);
  }

  async setEpoch({ keyHash, epoch }: { keyHash: string; epoch: string }) {
    await this.#setEpochKey(keyHash, `=${epoch}`, EPOCH_TTL_MS);
  }

  async countInWindow({ key, limit, windowMs, nowMs }: WindowRequest) {
    const retryAfterMs = await this.#run(
      countInWindowScript,
      [`${this.#keyPrefix}window:${key}`],
      [nowMs, windowMs, limit, windowMs + CLAIM_MARGIN_MS],
    );
    return { allowed: retryAfterMs === 0, retryAfterMs };
  }

  async resetWindow({ key }: { key: string }) {
    await this.#send(this.#redis.del(`${this.#keyPrefix}window:${key}`));
  }

  async claimOnce({ key, ttlMs, nowMs }: { key: string; ttlMs: number; nowMs: number }) {
    const claim = { nowMs, expiresAtMs: nowMs + ttlMs, note: "" };
    return (await this.#claim(`${this.#keyPrefix}once:${key}`, claim)) === undefined;
  }

  async readCached({ key, leaseId, leaseMs, nowMs }: Parameters<FastState["readCached"]>[0]) {
    const args = [nowMs, leaseId, leaseMs];
    const value = await this.#onServer((server) => this.#run(readCachedScript, [this.#cacheKeyOf(server, key)], args));
    return value ?? undefined;
  }

  async fillCached({ key, leaseId, value, ttlMs, nowMs }: Parameters<FastState["fillCached"]>[0]) {
    const args = [leaseId, nowMs + ttlMs, ttlMs, value];
    await this.#onServer((server) => this.#run(fillCachedScript, [this.#cacheKeyOf(server, key)], args));
  }

  async clearCached({ keys }: { keys: readonly string[] }) {
    // In Redis Cluster, the keys of one command must be in one slot.
    const clear = (server: RedisServer) => (key: string) => this.#send(this.#redis.del(this.#cacheKeyOf(server, key)));
    await this.#onServer((server) => Promise.all(keys.map(clear(server))));
  }

  async ping() {
    await this.#onServer(async (server) => {
      await this.#send(this.#redis.ping());
      requireSignedSince(server, Math.floor(this.#now() / 1_000) * 1_000);
    });
  }

  async close() {
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  /** All Redis keys for one API key share a hash tag, so that Redis Cluster stores them in one slot. */
  #keyOf(keyHash: string, rest: string): string {
    return `${this.#keyPrefix}{${keyHash}}:${rest}`;
  }

  /** A name for each server, because an epoch that is missing does no harm, but an older one does. */
  #epochKeyOf({ runId }: RedisServer, keyHash: string): string {
    return this.#keyOf(keyHash, `epoch:${runId}`);
  }

  #cacheKeyOf({ runId }: RedisServer, key: string): string {
    return `${this.#keyPrefix}cache:${runId}:${key}`;
  }

  async #findServer(): Promise<RedisServer> {
    const found = await this.#run(findServerScript, [`${this.#keyPrefix}server`], [this.#now()]);
    const [runId = "", inUseSinceMs] = found.split(" ");
    return { runId, inUseSinceMs: Number(inUseSinceMs) };
  }

  /** Runs commands on one connection. Rejects if another one replaces it meanwhile. */
  async #onServer<Result>(work: (server: RedisServer) => Promise<Result>): Promise<Result> {
    const found = this.#server;
    const result = await work(await this.#send(found));
    if (found === this.#server) return result;
    throw new AppError("service_unavailable", { internal: "redis: the connection was replaced" });
  }

  /** Returns the note of an earlier claim, or undefined if this call made the claim. */
  async #claim(
    key: string,
    { nowMs, expiresAtMs, note }: { nowMs: number; expiresAtMs: number; note: string },
  ): Promise<string | undefined> {
    const keepMs = Math.max(1, expiresAtMs - nowMs + CLAIM_MARGIN_MS);
    return (await this.#run(claimScript, [key], [nowMs, expiresAtMs, keepMs, note])) ?? undefined;
  }

  async #setEpochKey(keyHash: string, value: string, keepMs: number): Promise<void> {
    await this.#onServer((server) =>
      this.#send(this.#redis.set(this.#epochKeyOf(server, keyHash), value, "PX", keepMs)),
    );
  }

  async #run<Reply extends TSchema>(
    script: Script<Reply>,
    keys: string[],
    args: (string | number)[],
  ): Promise<Static<Reply>> {
    const reply = await this.#send(evaluate(this.#redis, script, keys, args));
    if (script.isReply(reply)) return reply;
    throw new AppError("service_unavailable", {
      internal: `redis: unexpected reply from ${script.name}`,
    });
  }

  async #send<Reply>(command: Promise<Reply>): Promise<Reply> {
    try {
      return await command;
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const connection = this.#redis.status === "ready" ? "" : ` (${this.#connectionError?.message})`;
      throw new AppError("service_unavailable", {
        internal: `redis: ${cause}${connection}`,
        cause,
      });
    }
  }
}

/** Rejects a request whose nonce and signature an earlier server may have had. It can be sent again, newly signed. */
function requireSignedSince({ inUseSinceMs }: RedisServer, signedAtMs: number): void {
  if (signedAtMs > inUseSinceMs + CLOCK_MARGIN_MS) return;
  const internal = `redis: the server is in use since ${inUseSinceMs}, the request was signed at ${signedAtMs}`;
  throw new AppError("service_unavailable", { internal });
}

interface Script<Reply extends TSchema> {
  readonly name: string;
  readonly lua: string;
  readonly sha: string;
  isReply(reply: unknown): reply is Static<Reply>;
}

function loadScript<Reply extends TSchema>(name: string, reply: Reply): Script<Reply> {
  const lua = readFileSync(new URL(`./redis-fast-state/${name}`, import.meta.url), "utf8");
  const validator = Compile(reply);
  return {
    name,
    lua,
    sha: hash("sha1", lua),
    isReply: (value): value is Static<Reply> => validator.Check(value),
  };
}

async function evaluate(
  redis: Redis,
  { lua, sha }: Script<TSchema>,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return await redis.eval(lua, keys.length, ...keys, ...args);
  }
}

/** Parses the bucket level that `admit.lua` writes: `<millionths of a token> <time in ms>`. */
function parseLevel(stored: string | null): BucketLevel | undefined {
  const [micros, atMs] = (stored ?? "").split(" ");
  if (micros === undefined || atMs === undefined) return undefined;
  return { micros: Number(micros), atMs: Number(atMs) };
}
