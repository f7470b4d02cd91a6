import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort, isRunning, untilRedisAnswers } from "./redis.ts";

const NAME = "purser";
/** `down-after-milliseconds`: without an answer for this long, a server counts as down. */
const DOWN_AFTER_MS = 1_000;

/** Redis servers of which one is the master, and Sentinels that make another one the master if it does not respond. */
export interface RedisGroup {
  /** `REDIS_URL`. */
  readonly url: string;
  /** Returns the port of the master, according to the first Sentinel. */
  master(): Promise<number>;
  /** Detaches the replicas: they miss what the master confirms from now on. */
  stopReplication(): Promise<void>;
  /** Sends a signal to the master. For SIGKILL, also waits until it has exited. Returns its port. */
  signalMaster(signal: NodeJS.Signals): Promise<number>;
  signal(port: number, signal: NodeJS.Signals): void;
  /** Starts a killed server again, with the configuration that it had. */
  restart(port: number): Promise<void>;
  /** Waits until `count` replicas have what the master has. */
  untilReplicated(count: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisGroup(options: {
  readonly servers: number;
  readonly sentinels: number;
  /** Settings of the servers by name. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<RedisGroup> {
  const folder = await mkdtemp(join(tmpdir(), "purser-redis-group-"));
  const processes = new Map<number, ChildProcess>();
  const run = async (port: number, ...args: readonly string[]) => {
    const server = spawn("redis-server", [join(folder, String(port), "redis.conf"), ...args], { stdio: "ignore" });
    processes.set(port, server);
    await untilRedisAnswers(server, port);
  };
  const create = async (settings: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const port = await freePort();
    const dir = join(folder, String(port));
    await mkdir(dir);
    const lines = Object.entries({ port, bind: "127.0.0.1", dir, ...settings }).map((setting) => setting.join(" "));
    await writeFile(join(dir, "redis.conf"), lines.join("\n"));
    await run(port, ...args);
    return port;
  };
  const killAll = () => {
    for (const server of processes.values()) server.kill("SIGKILL");
  };
  process.once("exit", killAll);

  const settings = { save: '""', appendonly: "no", "repl-diskless-sync-delay": "0", ...options.settings };
  const first = await create(settings);
  for (let count = 1; count < options.servers; count += 1) {
    await create({ ...settings, replicaof: `127.0.0.1 ${first}` });
  }
  const untilReplicated = async (port: number, count: number) => {
    while ((await call(port, "wait", String(count), "1000")) < count);
  };
  // A Sentinel looks for replicas when it starts, and then only every ten seconds.
  await untilReplicated(first, options.servers - 1);
  const sentinelSettings = {
    "sentinel monitor": `${NAME} 127.0.0.1 ${first} ${Math.floor(options.sentinels / 2) + 1}`,
    "sentinel down-after-milliseconds": `${NAME} ${DOWN_AFTER_MS}`,
    // After a failed election, the next one begins after twice this time.
    "sentinel failover-timeout": `${NAME} 2000`,
  };
  const sentinels: number[] = [];
  for (let count = 0; count < options.sentinels; count += 1) {
    sentinels.push(await create(sentinelSettings, "--sentinel"));
  }
  const master = async () => Number((await call(sentinels[0], "sentinel", "get-master-addr-by-name", NAME))[1]);

  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(",")}/${NAME}`,
    master,
    async stopReplication() {
      const port = await master();
      // A master whose network is cut notices it only after `min-replicas-max-lag`.
      await call(port, "config", "set", "min-replicas-to-write", "0");
      // A replica whose PSYNC is refused sends SYNC.
      await call(port, "acl", "setuser", "default", "-psync", "-sync");
      await call(port, "client", "kill", "type", "replica");
    },
    async signalMaster(signal) {
      const port = await master();
      const server = processes.get(port);
      const exited = signal === "SIGKILL" && server !== undefined ? once(server, "exit") : undefined;
      server?.kill(signal);
      await exited;
      return port;
    },
    signal: (port, signal) => void processes.get(port)?.kill(signal),
    restart: (port) => run(port),
    untilReplicated: async (count) => untilReplicated(await master(), count),
    async stop() {
      process.off("exit", killAll);
      const running = [...processes.values()].filter(isRunning);
      killAll();
      await Promise.all(running.map((server) => once(server, "exit")));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends one command to a Redis server or a Sentinel. */
async function call(port: number | undefined, command: string, ...args: readonly string[]) {
  const client = new Redis({ host: "127.0.0.1", port: port ?? 0, lazyConnect: true, enableReadyCheck: false });
  client.on("error", () => {});
  try {
    const reply: unknown = await client.call(command, ...args);
    return reply as never;
  } finally {
    client.disconnect();
  }
}
