import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withAdminClient } from "@purser/embedded-postgres";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { freePort } from "../../../../service/test/fast-state/redis.ts";
import { type RedisGroup, startRedisGroup } from "../../../../service/test/fast-state/redis-group.ts";
import { openSeedApp, type SeedApp } from "../../../../service/test/seeds.ts";
import { createDatabase, startOwnPostgres } from "../../own-postgres.ts";
import { serverEnvironment } from "../../server-environment.ts";
import { type Environment, launchServer, type ServerProcess, untilServing } from "../../server-process.ts";
import { until } from "../../until.ts";
import { startVendors, type Vendors } from "../saga-kill/vendors.ts";
import { startProxy } from "./haproxy.ts";
import { type Cluster, startCluster } from "./patroni.ts";
import { stopProgram } from "./programs.ts";

const STARTED_WITHIN_MS = 300_000;
/** Each program that is started has a listener which ends it with this process. */
const LISTENERS_MAX = 50;
/** A master without replicas accepts nothing after two seconds, so one that is cut off does not go on alone. */
const REDIS_SETTINGS = { "min-replicas-to-write": "1", "min-replicas-max-lag": "2" };
const SETTINGS = {
  ...{ REPLAY_GUARD: "strict", PURSER_LOG_LEVEL: "error" },
  ...{ DATABASE_CONNECTIONS_MAX: "10", PURSER_WORKFLOW_CONNECTIONS_MAX: "5" },
};

/** A server process of one role, which can be killed and started again. */
export interface RoleProcess {
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Returns the log of all its runs. */
  log(): string;
}

export interface Deployment {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly redis: RedisGroup;
  /** Two processes of each role. */
  readonly processes: Readonly<Record<"api" | "worker", readonly RoleProcess[]>>;
  readonly vendors: Vendors;
  readonly seeds: SeedApp;
  /** The URL of HAProxy, for callers. */
  readonly url: string;
  readonly superuserUrl: string;
}

/** Runs `work` with Purser's processes, and with its stores on several servers each. The vendors' PostgreSQL is another one. */
export async function withDeployment<Result>(work: (deployment: Deployment) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "purser-failover-"));
  // PostgreSQL does not run as root, and its user must be able to enter the folder.
  await chmod(folder, 0o755);
  process.setMaxListeners(LISTENERS_MAX);
  await using ends = new AsyncDisposableStack();
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  const vendorPostgres = ends.adopt(await startOwnPostgres(), (postgres) => postgres.remove());
  const vendors = ends.adopt(await startVendors(vendorPostgres), (started) => started.close());
  vendors.calm();
  const redisOptions = { servers: 3, sentinels: 3, settings: REDIS_SETTINGS };
  const redis = ends.adopt(await startRedisGroup(redisOptions), (started) => started.stop());
  const password = randomBytes(16).toString("hex");
  const cluster = ends.adopt(await startCluster(folder, password), (started) => started.stop());
  await cluster.untilHealthy();
  const ports = { postgres: await freePort(), api: await freePort() };
  const apiPorts = [await freePort(), await freePort()];
  ends.adopt(await startProxy(folder, { nodes: cluster.nodes, apiPorts, ports }), stopProgram);

  const superuserUrl = (database: string) => `postgres://postgres:${password}@127.0.0.1:${ports.postgres}/${database}`;
  await untilOnlyPrimary({ url: superuserUrl }, cluster);
  const { urlFor } = await createDatabase({ url: superuserUrl }, ports.postgres);
  const secrets = newSecrets();
  const stores = { databaseUrl: urlFor("service"), redisUrl: redis.url };
  const environment = { ...serverEnvironment(secrets, stores, folder), ...vendors.environment, ...SETTINGS };
  const seeds = openSeedApp({ ...stores, keyEncryptionKey: secrets.PURSER_KEY_ENCRYPTION_KEY });
  ends.defer(() => seeds.db.destroy());
  const processes = {
    api: apiPorts.map((port) => createProcess({ ...environment, PURSER_ROLES: "api", PURSER_PORT: String(port) })),
    worker: apiPorts.map(() => createProcess({ ...environment, PURSER_ROLES: "worker" })),
  };
  for (const started of Object.values(processes).flat()) {
    ends.defer(() => started.kill());
    await started.start();
  }
  const url = `http://127.0.0.1:${ports.api}`;
  return await work({ folder, cluster, redis, processes, vendors, seeds, url, superuserUrl: superuserUrl("purser") });
}

/** Until it knows which server is the primary, HAProxy takes all of them in turn. */
async function untilOnlyPrimary(server: { url(database: string): string }, { nodes }: Cluster): Promise<void> {
  await until("HAProxy leads to the primary", async () => {
    const isReplica = () =>
      withAdminClient(server, "postgres", (client) => client.query("select pg_is_in_recovery() as is"));
    const found = await Promise.all(nodes.map(isReplica));
    return found.every(({ rows }) => rows[0].is === false) || undefined;
  });
}

function createProcess(environment: Environment): RoleProcess {
  let process: ServerProcess | undefined;
  let logged = "";
  const serve = async () => {
    const launched = launchServer(environment);
    return untilServing(launched, { untilReady: false }).catch((error: unknown) => {
      launched.signal("SIGKILL");
      logged += launched.log();
      throw error;
    });
  };
  return {
    async start() {
      logged += process?.log() ?? "";
      // A process ends if the database does not respond while it starts. A service manager then starts it again.
      process = (await until("the process has started", serve, STARTED_WITHIN_MS)).value;
    },
    kill: async () => void (await process?.kill()),
    log: () => logged + (process?.log() ?? ""),
  };
}
