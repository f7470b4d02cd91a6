import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject } from "vitest";
import {
  createSignedClient,
  type KeyPair,
  type RetryOptions,
} from "../../e2e/src/signed-client.ts";
import { until } from "../../e2e/src/until.ts";
import type { ServerUser } from "../../embedded-postgres/src/server-user.ts";
import {
  endProcessesOf,
  isPostmaster,
  processesOf,
} from "../../embedded-postgres/test/folder-processes.ts";

export const PROJECT_DIR = fileURLToPath(new URL("../..", import.meta.url));
const START = join(PROJECT_DIR, "local/src/bin/start.ts");
/** Far more than it takes: a machine that does much else is no failure of what is started here. */
const START_MAX_MS = 90_000;

interface Pair {
  readonly api_key: string;
  readonly api_secret: string;
}

/** The line of contract section 9. */
export interface StartLine {
  readonly base_url: string;
  readonly docs_url: string;
  readonly mailbox_url: string;
  readonly sandbox_url: string;
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
  /** npm as people run it, or the script that it runs. */
  readonly through?: "node" | "npm";
  readonly user?: ServerUser;
  readonly nodeOptions?: string;
  /** Beside what every process has. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Launched {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or the signal that ended it, when both outputs have been read to their end. */
  readonly ended: Promise<number | NodeJS.Signals>;
  signal(name: NodeJS.Signals): void;
  /** To every process of its group, as a terminal does. */
  signalGroup(name: NodeJS.Signals): void;
}

export interface Started extends Launched {
  readonly line: StartLine;
}

export type LocalLab = ReturnType<typeof useLocalLab>;

/**
 * Runs the local profile as a process, in folders of its own. What still runs when the hook comes is ended, and the folders
 * are removed: pass `afterEach`, or `afterAll` for what the tests of a file share.
 */
export function useLocalLab(hook: (cleanUp: () => Promise<void>) => void) {
  const folders: string[] = [];
  hook(async () => {
    for (const folder of folders.splice(0)) {
      await endProcessesOf(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  /** The path of a data folder that does not exist yet. */
  async function newDataDir(owner?: ServerUser): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "purser-local-"));
    folders.push(folder);
    // PostgreSQL runs as somebody else where this runs as root, and has to get in.
    await chmod(folder, 0o711);
    if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
    return join(folder, "data");
  }

  return {
    newDataDir,
    /** A data folder that was started and stopped once. */
    async stoppedDataDir(): Promise<string> {
      const dataDir = await newDataDir();
      await promisify(execFile)("cp", ["-Rp", await findTemplate(), dataDir]);
      return dataDir;
    },
  };
}

/** The data folder that is copied instead of a first start, which takes seconds. The first file of the run to ask makes it. */
async function findTemplate(): Promise<string> {
  const folder = join(inject("runFolder"), "local-profile");
  const template = join(folder, "stopped");
  const { value } = await until(
    "a test file has made a data folder",
    async () => {
      if (existsSync(template)) return template;
      // PostgreSQL runs as somebody else where this runs as root, and has to get in. Rejects where another file is at it.
      await mkdir(folder, { mode: 0o711 });
      return makeTemplate(folder, template);
    },
    START_MAX_MS,
  );
  return value;
}

async function makeTemplate(folder: string, template: string): Promise<string> {
  const draft = join(folder, "data");
  try {
    const { signal, ended } = await start(draft);
    signal("SIGTERM");
    await ended;
    // Files that run at once would want the same ports.
    await rm(join(draft, "ports.json"));
    await rename(draft, template);
    return template;
  } catch (error) {
    await endProcessesOf(folder);
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Runs `npm start` with these words, in a process group of its own. */
export function launch(
  words: readonly string[],
  { through = "node", user, nodeOptions = "", environment = {} }: LaunchOptions = {},
): Launched {
  const [program, first] =
    through === "npm"
      ? ["npm", ["start", "--silent", "--"]]
      : [process.execPath, [join(PROJECT_DIR, "scripts/on-node-24.cjs"), START]];
  const child = spawn(program, [...first, ...words], {
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

/** Runs it with `--json` on free ports until it has printed its line. Throws with what it said where it ends first. */
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
  if (!value.includes("\n")) throw new Error(`It ended at its start:\n${launched.stderr()}`);
  return { ...launched, line: JSON.parse(value) };
}

/** Signs as the demo developer. */
export function clientOf(
  { base_url, demo }: StartLine,
  mode: "live" | "test" = "test",
  retry?: RetryOptions,
) {
  const pair: KeyPair = { apiKey: demo[mode].api_key, apiSecret: demo[mode].api_secret };
  return createSignedClient(base_url, pair, retry);
}

/** The main process of the PostgreSQL of a data folder. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const found = (await processesOf(dataDir)).find(isPostmaster);
  if (found === undefined) throw new Error(`No PostgreSQL runs in ${dataDir}.`);
  return found.pid;
}

/** Resolves when nothing of a folder runs any longer. */
export async function untilNothingRuns(folder: string): Promise<void> {
  await until(`nothing of ${folder} runs`, async () =>
    (await processesOf(folder)).length === 0 ? true : undefined,
  );
}

function collect(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
