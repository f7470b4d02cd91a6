import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { signingKey } from "@purser/sdk";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
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
import { type Stores, serviceEnvironment } from "../src/service-environment.ts";
import {
  type Environment,
  type LaunchedService,
  launchService,
  type ServiceProcess,
  untilServing,
} from "../src/service-process.ts";
import { type Answer, createSignedClient, type RetryOptions } from "../src/signed-client.ts";
import { until } from "../src/until.ts";

/** When a test fails, the last processes that were started show the end of their logs. */
const PROCESSES_SHOWN = 2;
const LOG_LINES_SHOWN = 40;

/** The machine has other tests to run: its stores may be slow without being out of order. */
const LONG_TIMEOUTS = {
  PURSER_STORE_TIMEOUT_MS: "5000",
  PURSER_REDIS_TIMEOUT_MS: "3000",
};

/** The service's own, where what is tested is how soon it notices that a store is out of order. */
export const DEFAULT_TIMEOUTS = {
  PURSER_STORE_TIMEOUT_MS: "",
  PURSER_REDIS_TIMEOUT_MS: "",
};

export type Tenant = SeededKey & { readonly tenantId: TenantId };

/** A Redis of the test file's own. `missing` is for `describe.skipIf`. */
export async function useRedis(): Promise<TestRedis & { readonly missing: boolean }> {
  const redis = await startRedis();
  if ("skipped" in redis) {
    const refuse = () => Promise.reject(new Error(redis.skipped));
    return { missing: true, url: "", port: 0, kill: refuse, restart: refuse, stop: refuse };
  }
  afterAll(() => redis.stop());
  return { ...redis, missing: false };
}

/** A database of the test file's own. */
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
  /** In place of `serve.ts`. */
  readonly file?: string;
};

/**
 * Processes of one deployment. Those that a test leaves running are killed when the file ends, and then the log of each is
 * searched for every secret that it was given or shown.
 */
export function useDeployment(stores: () => Stores) {
  const secrets = newSecrets();
  const launched: LaunchedService[] = [];
  const pairs: SeededKey[] = [];
  let folder: string;
  let seeds: SeedApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-e2e-"));
    const { databaseUrl } = stores();
    seeds = openSeedApp({ databaseUrl, keyEncryptionKey: secrets.PURSER_KEY_ENCRYPTION_KEY });
  });
  afterAll(async () => {
    for (const service of launched) service.signal("SIGKILL");
    await Promise.all(launched.map(({ ended }) => ended));
    await seeds.db.destroy();
    await rm(folder, { recursive: true, force: true });
    for (const service of launched) expect(secretsShownBy(service)).toEqual([]);
  });

  afterEach(({ task }) => {
    if (task.result?.state !== "fail") return;
    for (const { pid, log } of launched.slice(-PROCESSES_SHOWN)) {
      const lines = log().trimEnd().split("\n");
      console.info(`The log of process ${pid} ends:\n${lines.slice(-LOG_LINES_SHOWN).join("\n")}`);
    }
  });

  function secretsShownBy({ log, output }: LaunchedService): string[] {
    return findSecrets(log() + output(), {
      ...secrets,
      "the database's password": new URL(stores().databaseUrl).password,
      ...Object.fromEntries(
        pairs.flatMap(({ keyId, apiKey, apiSecret }) => [
          [`API key of ${keyId}`, apiKey],
          [`API secret of ${keyId}`, apiSecret],
          [`signing key of ${keyId}`, signingKey(apiSecret)],
        ]),
      ),
    });
  }

  const environment = (changes: Environment = {}): Environment => ({
    ...serviceEnvironment(secrets, stores(), folder),
    ...LONG_TIMEOUTS,
    ...changes,
  });

  async function seedKey(tenantId: TenantId, seed?: KeySeed): Promise<SeededKey> {
    const pair = await seedKeyPair(seeds, tenantId, seed);
    pairs.push(pair);
    return pair;
  }

  async function serve(
    given: Environment,
    { file, ...options }: ServeOptions = {},
  ): Promise<ServiceProcess> {
    const service = launchService(given, file);
    launched.push(service);
    return untilServing(service, options);
  }

  return {
    environment,
    secretsShownBy,
    seedKey,
    get folder() {
      return folder;
    },
    /** The database, for what no call begins. */
    get seeds() {
      return seeds;
    },

    /** A verified developer with a live key pair. */
    async seedTenant(seed?: KeySeed): Promise<Tenant> {
      const tenantId = await seedDeveloper(seeds);
      return { tenantId, ...(await seedKey(tenantId, seed)) };
    },

    /** Starts a process in the deployment's environment and waits until it can serve. */
    start: (changes?: Environment, options?: ServeOptions) => serve(environment(changes), options),
    serve,
  };
}

export interface Load {
  /** Those that have come so far, in the order of their coming. Requests that got no answer are not among them. */
  readonly answers: readonly Answer[];
  /** How many requests got no answer. */
  readonly unanswered: () => number;
  /** Waits until that many more requests have ended, answered or not. */
  more(count: number): Promise<void>;
  /** Lets those under way end, and begins no other. */
  stop(): Promise<void>;
}

/** How long a caller that finds nobody waits before it tries again: without it an outage would be all that it does. */
const PAUSE_MS = 20;

/** Asks again and again, some at a time, until it is stopped. */
export function load(request: () => Promise<Answer>, atOnce: number): Load {
  const answers: Answer[] = [];
  let ended = 0;
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      const answer = await request().catch(() => undefined);
      if (answer !== undefined) answers.push(answer);
      ended += 1;
      if (answer === undefined || answer.status === 503) await wait(PAUSE_MS);
    }
  };
  const callers = Promise.all(Array.from({ length: atOnce }, caller));
  return {
    answers,
    unanswered: () => ended - answers.length,
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

/** Runs one statement and gives its rows. */
export async function query<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export function clientOf(service: ServiceProcess, pair: SeededKey, retry?: RetryOptions) {
  return createSignedClient(service.url, pair, retry);
}

/** The longest of them, in whole milliseconds. */
export function slowestMs(answers: readonly Answer[]): number {
  return Math.round(Math.max(0, ...answers.map(({ elapsedMs }) => elapsedMs)));
}

/** What half of them took at most, in whole milliseconds. */
export function medianMs(answers: readonly Answer[]): number {
  const sorted = answers.map(({ elapsedMs }) => elapsedMs).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

export function statusesOf(answers: readonly Answer[]): number[] {
  return [...new Set(answers.map(({ status }) => status))].sort();
}
