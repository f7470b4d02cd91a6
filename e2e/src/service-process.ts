import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

const SERVE = fileURLToPath(new URL("../../service/src/bin/serve.ts", import.meta.url));
const START_MAX_MS = 20_000;

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of `serve.ts`, started or about to refuse to. */
export interface LaunchedService {
  readonly pid: number;
  /** All that it has written to standard output so far. */
  output(): string;
  /** All that it has written to standard error so far, which is where its log goes. */
  log(): string;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
}

export interface ServiceProcess extends LaunchedService {
  /** Where it says that it listens. */
  readonly url: string;
  /** Asks it to end, and resolves when it has. */
  stop(): Promise<Ended>;
  /** Ends it as a loss of power would, wherever it is. */
  kill(): Promise<Ended>;
}

/** Runs `serve.ts`, or another file in its place, with this environment and nothing of ours, but for what Node has compiled before. */
export function launchService(environment: Environment, file = SERVE): LaunchedService {
  const child = spawn(process.execPath, [file], {
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collect(child.stdout);
  const log = collect(child.stderr);
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  // `close` comes when the output has been read to its end, `exit` may come before.
  const ended = once(child, "close").then(([code, signal]): Ended => {
    process.off("exit", killWithUs);
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
 * Waits for a process's line on standard output and, unless told otherwise, until `/readyz` says that it can serve. Throws
 * with its log where it ends first.
 */
export async function untilServing(
  launched: LaunchedService,
  { untilReady = true }: { readonly untilReady?: boolean } = {},
): Promise<ServiceProcess> {
  const endedEarly = launched.ended.then(({ code }) => {
    throw new Error(`The service ended at its start with code ${code}: ${launched.log()}`);
  });
  const url = await Promise.race([endedEarly, urlOf(launched)]);
  if (untilReady) await Promise.race([endedEarly, untilReadyAt(url)]);
  // From here on an end is what a test may want.
  endedEarly.catch(() => {});

  const end = (name: NodeJS.Signals) => () => {
    launched.signal(name);
    return launched.ended;
  };
  return { ...launched, url, stop: end("SIGTERM"), kill: end("SIGKILL") };
}

async function urlOf({ output }: LaunchedService): Promise<string> {
  const listens = "the service says where it listens";
  return (await until(listens, async () => urlIn(output()), START_MAX_MS)).value;
}

/** Waits for `/readyz`, and gives the milliseconds that it took. */
export async function untilReadyAt(url: string): Promise<number> {
  const { elapsedMs } = await until(
    "the service is ready",
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
