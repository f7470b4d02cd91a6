import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const START_MAX_MS = 10_000;
const MISSING = "no redis-server on the PATH (Debian: apt-get install redis-server)";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Sends a signal to the server. For SIGKILL and SIGTERM, also waits until the server has exited. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Restarts the server on the same port. All data is deleted. */
  restart(): Promise<void>;
  /** Stops the server, even if it is paused, and deletes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a Redis server for a test file, on a free loopback port and without persistence. `args` are added to its command
 * line. If `redis-server` is not on the PATH, returns the reason as `skipped`. In CI it throws instead, so that the tests
 * are never skipped there.
 */
export async function startRedis(args: readonly string[] = []): Promise<TestRedis | { readonly skipped: string }> {
  if (isRedisMissing()) return { skipped: MISSING };

  const folder = await mkdtemp(join(tmpdir(), "purser-redis-"));
  const port = await freePort();
  let server = await startServer(port, folder, args);
  const endServer = () => server.kill("SIGKILL");
  process.once("exit", endServer);

  async function kill(signal: NodeJS.Signals): Promise<void> {
    const ends = signal === "SIGKILL" || signal === "SIGTERM";
    const exited = ends ? once(server, "exit") : undefined;
    server.kill(signal);
    await exited;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    async restart() {
      if (isRunning(server)) await kill("SIGKILL");
      server = await startServer(port, folder, args);
    },
    async stop() {
      if (isRunning(server)) await kill("SIGKILL");
      process.off("exit", endServer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns whether tests against Redis are skipped. Prints the reason then. In CI it throws instead. */
export function isRedisMissing(): boolean {
  if (isOnPath("redis-server")) return false;
  if (process.env["CI"] === "true") throw new Error(`Tests against Redis cannot run: ${MISSING}`);
  process.stderr.write(`Skipping the tests against Redis: ${MISSING}\n`);
  return true;
}

export function isOnPath(binary: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, binary), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns a port on loopback that no program uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return address.port;
}

async function startServer(port: number, folder: string, added: readonly string[]): Promise<ChildProcess> {
  const settings = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no" };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn("redis-server", [...args, ...added], { stdio: "ignore" });
  await untilRedisAnswers(server, port);
  return server;
}

/** Waits until a started server answers. Kills it and throws if it does not. */
export async function untilRedisAnswers(server: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_MAX_MS;
  while (!(await answersPing(port))) {
    if (!isRunning(server) || Date.now() > deadline) {
      server.kill("SIGKILL");
      throw new Error(`redis-server did not start on port ${port}.`);
    }
    await wait(20);
  }
}

export function isRunning(server: ChildProcess): boolean {
  return server.exitCode === null && server.signalCode === null;
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    const end = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => end(data.toString().startsWith("+PONG")));
    socket.once("error", () => end(false));
  });
}
