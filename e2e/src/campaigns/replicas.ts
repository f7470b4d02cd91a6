import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { createAccessTokens, DASHBOARD_TOKENS } from "@purser/service/crypto/access-tokens.ts";
import { startRedis } from "../../../service/test/fast-state/redis.ts";
import { openSeedApp, type SeedApp } from "../../../service/test/seeds.ts";
import { startOwnPostgres } from "../own-postgres.ts";
import { type Stores, serverEnvironment } from "../server-environment.ts";
import { type Environment, type LaunchedServer, launchServer, untilServing } from "../server-process.ts";

/** Two server processes of one deployment, and functions that write test data to their stores. */
export interface Replicas {
  readonly urls: readonly [string, string];
  readonly seeds: SeedApp & Pick<App, "accessTokens">;
  stop(): Promise<void>;
}

export async function startReplicas(stores: Stores, changes: Environment = {}): Promise<Replicas> {
  const secrets = newSecrets();
  const folder = await mkdtemp(join(tmpdir(), "purser-replicas-"));
  const environment = { ...serverEnvironment(secrets, stores, folder), ...changes };
  const launched: readonly LaunchedServer[] = [0, 1].map(() => launchServer(environment));
  const seeds = openSeedApp({
    databaseUrl: stores.databaseUrl,
    keyEncryptionKey: secrets.PURSER_KEY_ENCRYPTION_KEY,
  });
  const stop = async () => {
    for (const { signal } of launched) signal("SIGTERM");
    await Promise.all(launched.map(({ ended }) => ended));
    await seeds.db.destroy();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [first = "", second = ""] = await Promise.all(
      launched.map(async (server) => (await untilServing(server)).url),
    );
    const accessTokens = createAccessTokens(secrets.PURSER_ACCESS_TOKEN_KEY, DASHBOARD_TOKENS);
    return { urls: [first, second], seeds: { ...seeds, accessTokens }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs `work` with two server processes that have their own PostgreSQL and Redis. */
export async function withOwnReplicas<Result>(
  work: (replicas: Replicas) => Promise<Result>,
  changes: Environment = {},
): Promise<Result> {
  const redis = await startRedis();
  if ("skipped" in redis) throw new Error(redis.skipped);
  const postgres = await startOwnPostgres();
  try {
    const stores = { databaseUrl: postgres.serviceUrl, redisUrl: redis.url };
    const replicas = await startReplicas(stores, changes);
    try {
      return await work(replicas);
    } finally {
      await replicas.stop();
    }
  } finally {
    await Promise.all([postgres.remove(), redis.stop()]);
  }
}
