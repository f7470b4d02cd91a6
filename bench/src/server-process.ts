import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A server in a separate process, so that its CPU time and memory can be measured. */
export interface ServerProcess<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  /** Returns the CPU time that the process has used, including garbage collection. */
  cpuMicros(): Promise<number>;
  /** Returns the number of round trips to PostgreSQL that the process has made. */
  roundTrips(): Promise<number>;
  /** Returns the resident memory of the process, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** Folder to which the process writes a CPU profile when it stops. Undefined disables profiling. */
  readonly profileDir: string | undefined;
}

/** Starts a server process, which is stopped when the scenario is closed. */
export type StartServer = <Ready>(file: URL, input: object) => Promise<ServerProcess<Ready>>;

/** Runs a file from `servers/`, which must call `serveParent`. Resolves when the server is ready. */
export async function startServerProcess<Ready>(
  file: URL,
  input: object,
  { profileDir }: ProcessOptions,
): Promise<ServerProcess<Ready>> {
  const profiling = ["--cpu-prof", `--cpu-prof-dir=${profileDir}`];
  const child = fork(fileURLToPath(file), {
    execArgv: profileDir === undefined ? [] : profiling,
    stdio: ["ignore", 2, 2, "ipc"],
    // The configuration has maps, which are lost in JSON.
    serialization: "advanced",
  });
  child.send(input);
  const ready = (await nextMessage(child, file)) as Ready;
  return {
    ready,
    pid: child.pid ?? 0,
    cpuMicros: async () => {
      child.send("cpu");
      return Number(await nextMessage(child, file));
    },
    roundTrips: async () => {
      child.send("roundTrips");
      return Number(await nextMessage(child, file));
    },
    residentBytes: async () => {
      child.send("memory");
      return Number(await nextMessage(child, file));
    },
    stop: async () => {
      if (!child.connected) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/**
 * Runs in the child process: starts the server with the parent's input, reports when it is ready, and exits when the
 * parent disconnects.
 */
export function serveParent<Input, Ready>(start: (input: Input) => Promise<Ready>): void {
  process.once("disconnect", () => process.exit());
  const roundTrips = countRoundTrips();
  process.once("message", async (input: Input) => {
    const ready = await start(input);
    process.on("message", (question) => {
      const { user, system } = process.cpuUsage();
      const figures = { memory: process.memoryUsage.rss(), roundTrips: roundTrips() };
      process.send?.(Reflect.get(figures, String(question)) ?? user + system);
    });
    process.send?.(ready);
  });
}

/** Counts the round trips of all PostgreSQL clients in this process. */
function countRoundTrips(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, call);
  };
  return () => count;
}

function nextMessage(child: ChildProcess, file: URL): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${file.pathname} exited before it responded.`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}
