import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

const SERVE = fileURLToPath(new URL("../../service/src/bin/serve.ts", import.meta.url));
/** A busy machine starts a process slowly. */
const START_MAX_MS = 60_000;

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that runs `serve.ts`. It can exit before it listens. */
export interface LaunchedServer {
  readonly pid: number;
  /** Returns the standard output so far. */
  output(): string;
  /** Returns the standard error so far, which contains the log. */
  log(): string;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
}

export interface ServerProcess extends LaunchedServer {
  /** The URL that the server listens on. */
  readonly url: string;
  /** Sends SIGTERM and waits for the process to exit. */
  stop(): Promise<Ended>;
  /** Sends SIGKILL and waits for the process to exit. */
  kill(): Promise<Ended>;
}

/**
 * Runs `serve.ts`, or another file, with this environment. From this process's own environment, the server inherits
 * only the setting for Node's compile cache.
 */
export function launchServer(environment: Environment, file = SERVE): LaunchedServer {
  const env = { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment };
  return launch(process.execPath, [file], { env });
}

/** Runs a program that serves. */
export function launch(program: string, args: readonly string[], options: SpawnOptions): LaunchedServer {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child.stdout);
  const log = collect(child.stderr);
  const killChild = () => child.kill("SIGKILL");
  process.once("exit", killChild);
  // `close` is emitted after all output has been read. `exit` can be emitted earlier.
  const ended = once(child, "close").then(([code, signal]): Ended => {
    process.off("exit", killChild);
    return { code, signal };
  });
  return {
    pid: child.pid ?? 0,
    output,
    log,
    ended,
    signal: (name) => void child.kill(name),
  };
}

/**
 * Waits until the process has printed its URL and, by default, until `/readyz` responds 200. If the process exits
 * first, throws an error that contains the log.
 */
export async function untilServing(
  launched: LaunchedServer,
  { untilReady = true }: { readonly untilReady?: boolean } = {},
): Promise<ServerProcess> {
  const endedEarly = launched.ended.then(({ code }) => {
    throw new Error(`The server exited while starting, with code ${code}: ${launched.log()}`);
  });
  const url = await Promise.race([endedEarly, urlOf(launched)]);
  if (untilReady) await Promise.race([endedEarly, untilReadyAt(url)]);
  // After the startup, an exit of the process is not an error.
  endedEarly.catch(() => {});

  const end = (name: NodeJS.Signals) => () => {
    launched.signal(name);
    return launched.ended;
  };
  return { ...launched, url, stop: end("SIGTERM"), kill: end("SIGKILL") };
}

async function urlOf({ output }: LaunchedServer): Promise<string> {
  const description = "the server prints its URL";
  return (await until(description, async () => urlIn(output()), START_MAX_MS)).value;
}

/** Waits until `/readyz` responds 200. Returns the elapsed milliseconds. */
export async function untilReadyAt(url: string): Promise<number> {
  const { elapsedMs } = await until(
    "the server is ready",
    async () => {
      const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
      return ok || undefined;
    },
    START_MAX_MS,
  );
  return elapsedMs;
}

function urlIn(output: string): string | undefined {
  const [line, rest] = output.split("\n", 2);
  if (line === undefined || rest === undefined) return undefined;
  const { url }: { url: string } = JSON.parse(line);
  return url;
}

function collect(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
