import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../service/test/database.ts";
import { startRedis, type TestRedis } from "../../service/test/fast-state/redis.ts";
import {
  type KeySeed,
  openSeedApp,
  type SeedApp,
  type SeededKey,
  seedDeveloper,
  seedKeyPair,
} from "../../service/test/seeds.ts";
import { findSecrets } from "../src/find-secrets.ts";
import { type Stores, serverEnvironment } from "../src/server-environment.ts";
import {
  type Environment,
  type LaunchedServer,
  launchServer,
  type ServerProcess,
  untilServing,
} from "../src/server-process.ts";
import { type ApiResponse, createSignedClient, type RetryOptions } from "../src/signed-client.ts";
import { until } from "../src/until.ts";

/** If a test fails, the last log lines of the most recently started processes are printed. */
const PROCESSES_SHOWN = 2;
const LOG_LINES_SHOWN = 40;

/** These timeouts are longer than the defaults, because stores are slow while other tests run. */
const LONG_TIMEOUTS = {
  PURSER_STORE_TIMEOUT_MS: "5000",
  PURSER_REDIS_TIMEOUT_MS: "3000",
};

/** Timeouts for outage tests. An empty value means the server's default timeout. */
export const DEFAULT_TIMEOUTS = {
  PURSER_STORE_TIMEOUT_MS: "",
  PURSER_REDIS_TIMEOUT_MS: "",
};

export type Tenant = SeededKey & { readonly tenantId: TenantId };

/** Starts a Redis server for the test file. `missing` is true if Redis is not installed. */
export async function useRedis(): Promise<TestRedis & { readonly missing: boolean }> {
  const redis = await startRedis();
  if ("skipped" in redis) {
    const refuse = () => Promise.reject(new Error(redis.skipped));
    return { missing: true, url: "", port: 0, kill: refuse, restart: refuse, stop: refuse };
  }
  afterAll(() => redis.stop());
  return { ...redis, missing: false };
}

/** Creates a database for the test file. */
export function useDatabase() {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createServiceDatabase();
  });
  return {
    get serviceUrl() {
      return database.serviceUrl;
    },
    get superuserUrl() {
      return database.superuserUrl;
    },
  };
}

type ServeOptions = Parameters<typeof untilServing>[1] & {
  /** The program to run, by default `serve.ts`. */
  readonly file?: string;
};

/**
 * Starts the processes of one deployment. After the file's tests, kills them and searches their logs for the
 * deployment's secrets.
 */
export function useDeployment(stores: () => Stores) {
  const secrets = newSecrets();
  const launched: LaunchedServer[] = [];
  const pairs: SeededKey[] = [];
  let folder: string;
  let seeds: SeedApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-e2e-"));
    const { databaseUrl } = stores();
    seeds = openSeedApp({ databaseUrl, keyEncryptionKey: secrets.PURSER_KEY_ENCRYPTION_KEY });
  });
  afterAll(async () => {
    for (const server of launched) server.signal("SIGKILL");
    await Promise.all(launched.map(({ ended }) => ended));
    await seeds.db.destroy();
    await rm(folder, { recursive: true, force: true });
    for (const server of launched) expect(secretsShownBy(server)).toEqual([]);
  });

  afterEach(({ task }) => {
    if (task.result?.state !== "fail") return;
    for (const { pid, log } of launched.slice(-PROCESSES_SHOWN)) {
      const lines = log().trimEnd().split("\n");
      console.info(`The end of the log of process ${pid}:\n${lines.slice(-LOG_LINES_SHOWN).join("\n")}`);
    }
  });

  function secretsShownBy({ log, output }: LaunchedServer): string[] {
    return findSecrets(log() + output(), {
      ...secrets,
      "the database's password": new URL(stores().databaseUrl).password,
      ...Object.fromEntries(
        pairs.flatMap(({ keyId, apiKey, apiSecret }) => [
          [`API key of ${keyId}`, apiKey],
          [`API secret of ${keyId}`, apiSecret],
          [`signing key of ${keyId}`, sha256Hex(apiSecret)],
        ]),
      ),
    });
  }

  const environment = (changes: Environment = {}): Environment => ({
    ...serverEnvironment(secrets, stores(), folder),
    ...LONG_TIMEOUTS,
    ...changes,
  });

  async function seedKey(tenantId: TenantId, seed?: KeySeed): Promise<SeededKey> {
    const pair = await seedKeyPair(seeds, tenantId, seed);
    pairs.push(pair);
    return pair;
  }

  async function serve(environment: Environment, { file, ...options }: ServeOptions = {}): Promise<ServerProcess> {
    const server = launchServer(environment, file);
    launched.push(server);
    return untilServing(server, options);
  }

  return {
    environment,
    secretsShownBy,
    seedKey,
    get folder() {
      return folder;
    },
    /** Functions that write test data directly to the database. */
    get seeds() {
      return seeds;
    },

    /** Creates a verified developer with a live key pair. */
    async seedTenant(seed?: KeySeed): Promise<Tenant> {
      const tenantId = await seedDeveloper(seeds);
      return { tenantId, ...(await seedKey(tenantId, seed)) };
    },

    /** Starts a process with the deployment's environment and waits until it is ready. */
    start: (changes?: Environment, options?: ServeOptions) => serve(environment(changes), options),
    serve,
  };
}

export interface Load {
  /** The responses so far, in order of arrival. */
  readonly responses: readonly ApiResponse[];
  /** Returns the number of requests that ended without a response. */
  readonly withoutResponse: () => number;
  /** Waits until `count` more requests have ended, with or without a response. */
  more(count: number): Promise<void>;
  /** Starts no new requests and waits for the running ones. */
  stop(): Promise<void>;
}

/** Pause after a failed request, to limit the number of requests during an outage. */
const PAUSE_MS = 20;

/** Sends requests continuously with `concurrency` callers, until `stop` is called. */
export function load(request: () => Promise<ApiResponse>, concurrency: number): Load {
  const responses: ApiResponse[] = [];
  let ended = 0;
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      const response = await request().catch(() => undefined);
      if (response !== undefined) responses.push(response);
      ended += 1;
      if (response === undefined || response.status === 503) await wait(PAUSE_MS);
    }
  };
  const callers = Promise.all(Array.from({ length: concurrency }, caller));
  return {
    responses,
    withoutResponse: () => ended - responses.length,
    more: async (count) => {
      const goal = ended + count;
      await until(`${count} more requests have ended`, async () => ended >= goal || undefined);
    },
    stop: async () => {
      stopped = true;
      await callers;
    },
  };
}

/** Runs one statement and returns its rows. */
export async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export function createClient(server: ServerProcess, pair: SeededKey, retry?: RetryOptions) {
  return createSignedClient(server.url, pair, retry);
}

/** Returns the longest response time in whole milliseconds. */
export function slowestMs(responses: readonly ApiResponse[]): number {
  return Math.round(Math.max(0, ...responses.map(({ elapsedMs }) => elapsedMs)));
}

/** Returns the median response time in whole milliseconds. */
export function medianMs(responses: readonly ApiResponse[]): number {
  const sorted = responses.map(({ elapsedMs }) => elapsedMs).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

export function statusesOf(responses: readonly ApiResponse[]): number[] {
  return [...new Set(responses.map(({ status }) => status))].sort();
}
