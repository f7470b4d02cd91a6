import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject } from "vitest";
import { createSignedClient, type KeyPair, type RetryOptions } from "../../e2e/src/signed-client.ts";
import { until } from "../../e2e/src/until.ts";
import type { ServerUser } from "../../embedded-postgres/src/server-user.ts";
import { endProcessesUsing, findProcessesUsing, isPostmaster } from "../../embedded-postgres/test/folder-processes.ts";

export const PROJECT_DIR = fileURLToPath(new URL("../..", import.meta.url));
const START = join(PROJECT_DIR, "local/src/bin/start.ts");
/** The time limit is high, because a slow start on a busy machine must not fail a test. */
const START_MAX_MS = 90_000;

interface Pair {
  readonly api_key: string;
  readonly api_secret: string;
}

/** The line that `npm start -- --json` prints. */
export interface StartLine {
  readonly base_url: string;
  readonly docs_url: string;
  readonly mailbox_url: string;
  readonly sandbox_url: string;
  readonly networks_url: string;
  readonly demo: {
    readonly email: string;
    readonly password: string;
    readonly live: Pair;
    readonly test: Pair;
  };
  readonly admin: {
    readonly email: string;
    readonly password: string;
    readonly totp_secret: string;
  };
  readonly pid: number;
}

export interface LaunchOptions {
  /** `npm` runs `npm start`, as a user does. `node` runs the script that npm runs. */
  readonly through?: "node" | "npm";
  readonly user?: ServerUser;
  readonly nodeOptions?: string;
  /** Environment variables in addition to PATH, HOME and NODE_OPTIONS. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Launched {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /**
   * Resolves with the exit code, or with the signal that ended the process. By then, stdout and stderr have been read
   * completely.
   */
  readonly ended: Promise<number | NodeJS.Signals>;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal to the whole process group, as a terminal does. */
  signalGroup(name: NodeJS.Signals): void;
}

export interface Started extends Launched {
  readonly line: StartLine;
}

export type LocalProfile = ReturnType<typeof useLocalProfile>;

/**
 * Creates temporary data folders for the local profile. `hook` is `afterEach` or `afterAll`. When the hook runs,
 * processes that still use the folders are ended, and the folders are removed.
 */
export function useLocalProfile(hook: (cleanUp: () => Promise<void>) => void) {
  const folders: string[] = [];
  hook(async () => {
    for (const folder of folders.splice(0)) {
      await endProcessesUsing(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  /** Returns the path of a data folder that does not exist yet. */
  async function newDataDir(owner?: ServerUser): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "purser-local-"));
    folders.push(folder);
    // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
    await chmod(folder, 0o711);
    if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
    return join(folder, "data");
  }

  return {
    newDataDir,
    /** Returns a data folder with which the local profile has been started and stopped once. */
    async stoppedDataDir(): Promise<string> {
      const dataDir = await newDataDir();
      await promisify(execFile)("cp", ["-Rp", await findTemplate(), dataDir]);
      return dataDir;
    },
  };
}

/**
 * Returns a data folder that tests can copy. Copying takes less time than a first start. The folder is created by the
 * first test file that needs it.
 */
async function findTemplate(): Promise<string> {
  const folder = join(inject("runFolder"), "local-profile");
  const template = join(folder, "stopped");
  const { value } = await until(
    "a test file has made a data folder",
    async () => {
      if (existsSync(template)) return template;
      // The mode lets PostgreSQL's user enter the folder. If another test file has already created the folder, mkdir
      // fails, and `until` repeats this function until the template exists.
      await mkdir(folder, { mode: 0o711 });
      return createTemplate(folder, template);
    },
    START_MAX_MS,
  );
  return value;
}

async function createTemplate(folder: string, template: string): Promise<string> {
  const draft = join(folder, "data");
  try {
    const { signal, ended } = await start(draft);
    signal("SIGTERM");
    await ended;
    // Test files run in parallel and must not use the same ports.
    await rm(join(draft, "ports.json"));
    await rename(draft, template);
    return template;
  } catch (error) {
    await endProcessesUsing(folder);
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Runs `npm start` with these arguments, in a new process group. */
export function launch(
  args: readonly string[],
  { through = "node", user, nodeOptions = "", environment = {} }: LaunchOptions = {},
): Launched {
  const [program, prefix] =
    through === "npm"
      ? ["npm", ["start", "--silent", "--"]]
      : [process.execPath, [join(PROJECT_DIR, "scripts/on-node-24.cjs"), START]];
  const child = spawn(program, [...prefix, ...args], {
    ...user,
    cwd: PROJECT_DIR,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_OPTIONS: nodeOptions,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  return {
    child,
    stdout: collect(child.stdout),
    stderr: collect(child.stderr),
    ended,
    signal: (name) => void child.kill(name),
    signalGroup: (name) => void process.kill(-(child.pid ?? 0), name),
  };
}

/**
 * Starts the local profile with `--json` on free ports, and waits for the line of JSON. Throws with the process's
 * stderr if the process ends first.
 */
export async function start(dataDir: string, options?: LaunchOptions): Promise<Started> {
  const launched = launch(["--json", "--port", "0", "--data-dir", dataDir], options);
  let hasEnded = false;
  void launched.ended.then(() => {
    hasEnded = true;
  });
  const { value } = await until(
    "the local profile prints its line",
    async () => (hasEnded || launched.stdout().includes("\n") ? launched.stdout() : undefined),
    START_MAX_MS,
  );
  if (!value.includes("\n")) throw new Error(`The process ended during its start:\n${launched.stderr()}`);
  return { ...launched, line: JSON.parse(value) };
}

/** Returns a client that signs requests as the demo developer. */
export function clientOf({ base_url, demo }: StartLine, mode: "live" | "test" = "test", retry?: RetryOptions) {
  const pair: KeyPair = { apiKey: demo[mode].api_key, apiSecret: demo[mode].api_secret };
  return createSignedClient(base_url, pair, retry);
}

/** Returns the process ID of the PostgreSQL server that uses a data folder. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const found = (await findProcessesUsing(dataDir)).find(isPostmaster);
  if (found === undefined) throw new Error(`No PostgreSQL runs in ${dataDir}.`);
  return found.pid;
}

/** Resolves when no running process uses the folder. */
export async function untilNothingRuns(folder: string): Promise<void> {
  await until(`no process of ${folder} runs`, async () =>
    (await findProcessesUsing(folder)).length === 0 ? true : undefined,
  );
}

function collect(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
