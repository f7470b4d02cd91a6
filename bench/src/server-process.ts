import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A server that is measured, in a process of its own: then what it costs is what the process costs. */
export interface ServerProcess<Ready> {
  readonly ready: Ready;
  /** CPU time that the process has used so far, garbage collection included. */
  cpuMicros(): Promise<number>;
  /** How many statements the process has sent to PostgreSQL so far, `begin` and `commit` included. */
  statements(): Promise<number>;
  /** What the process has of the machine's memory right now, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** A folder for the CPU profile that the process leaves when it stops. */
  readonly profileDir: string | undefined;
}

/** As below, and stopped with everything else that the bench has started. */
export type StartServer = <Ready>(file: URL, input: object) => Promise<ServerProcess<Ready>>;

/** Starts a file of `servers/`, whose code calls `serveParent`, and answers once it listens. */
export async function startServerProcess<Ready>(
  file: URL,
  input: object,
  { profileDir }: ProcessOptions,
): Promise<ServerProcess<Ready>> {
  const profiling = ["--cpu-prof", `--cpu-prof-dir=${profileDir}`];
  const child = fork(fileURLToPath(file), {
    execArgv: profileDir === undefined ? [] : profiling,
    stdio: ["ignore", 2, 2, "ipc"],
  });
  child.send(input);
  const ready = (await answerOf(child, file)) as Ready;
  return {
    ready,
    cpuMicros: async () => {
      child.send("cpu");
      return Number(await answerOf(child, file));
    },
    statements: async () => {
      child.send("statements");
      return Number(await answerOf(child, file));
    },
    residentBytes: async () => {
      child.send("memory");
      return Number(await answerOf(child, file));
    },
    stop: async () => {
      if (!child.connected) return;
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

/** The child's side: starts with the parent's input, tells it when ready, and ends when the parent lets go or dies. */
export function serveParent<Input, Ready>(start: (input: Input) => Promise<Ready>): void {
  process.once("disconnect", () => process.exit());
  const statements = countStatements();
  process.once("message", async (input: Input) => {
    const ready = await start(input);
    process.on("message", (question) => {
      const { user, system } = process.cpuUsage();
      const figures = { memory: process.memoryUsage.rss(), statements: statements() };
      process.send?.(Reflect.get(figures, String(question)) ?? user + system);
    });
    process.send?.(ready);
  });
}

/** Counts each query of this process's PostgreSQL clients from now on. */
function countStatements(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, call);
  };
  return () => count;
}

function answerOf(child: ChildProcess, file: URL): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${file.pathname} ended before it answered.`));
    child.once("exit", onExit);
    child.once("message", (answer) => {
      child.off("exit", onExit);
      resolve(answer);
    });
  });
}
