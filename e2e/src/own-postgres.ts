import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import { migrate } from "@purser/service/db/migrate.ts";

const DATABASE = "purser";

/** A PostgreSQL server that a test can kill and pause. */
export interface OwnPostgres {
  readonly serviceUrl: string;
  readonly ownerUrl: string;
  /** Connects as the role that can read personal data. */
  readonly piiUrl: string;
  readonly superuserUrl: string;
  /** Kills the postmaster and its backends. */
  kill(): Promise<void>;
  /** Pauses all of the server's processes with SIGSTOP. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Restarts the server after `kill`, with the same port and data. */
  restart(): Promise<void>;
  /** Stops the server, even if it is paused, and removes its data. */
  remove(): Promise<void>;
}

export interface OwnPostgresOptions {
  /** PostgreSQL settings by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Applies the migrations of another checkout, for example. Default: those of this one. */
  readonly migrateDatabase?: (ownerUrl: string) => Promise<unknown>;
}

export async function startOwnPostgres({
  settings = {},
  migrateDatabase = (ownerUrl) => migrate({ ownerUrl }),
}: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-e2e-"));
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o755);
  let postgres = await startEmbeddedPostgres({ dataDir, settings });
  const { port } = postgres;
  const { urlFor } = await createDatabase(postgres, port, migrateDatabase);

  let paused: readonly number[] = [];
  const resume = async () => {
    signalAll(paused, "SIGCONT");
    paused = [];
  };
  return {
    serviceUrl: urlFor("service"),
    ownerUrl: urlFor("owner"),
    piiUrl: urlFor("pii"),
    superuserUrl: postgres.url(DATABASE),
    kill: () => killServer(postgres.pid),
    async pause() {
      paused = await pause(postgres.pid);
    },
    resume,
    async restart() {
      await postgres.stop();
      postgres = await startEmbeddedPostgres({ dataDir, port, settings });
    },
    async remove() {
      await resume();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates Purser's logins and database with all tables. Returns a function for the URL of a login at this port. */
export async function createDatabase(
  server: { url(database: string): string },
  port: number,
  migrateDatabase: (ownerUrl: string) => Promise<unknown> = (ownerUrl) => migrate({ ownerUrl }),
) {
  const password = randomBytes(16).toString("hex");
  await withAdminClient(server, "postgres", async (client) => {
    await client.query("create role purser_service nologin");
    await client.query(`create role owner login createrole password '${password}'`);
    await client.query(`create role service login password '${password}' in role purser_service`);
    await client.query("create role purser_pii nologin");
    await client.query(`create role pii login password '${password}' in role purser_pii`);
    await client.query(`create database ${DATABASE} owner owner`);
  });
  const urlFor = (user: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
  await migrateDatabase(urlFor("owner"));
  return { urlFor };
}

/** Kills a postmaster and its children. */
export async function killServer(pid: number): Promise<void> {
  signalAll(await pause(pid), "SIGKILL");
}

/** Pauses a postmaster and its children, and returns their pids. */
async function pause(pid: number): Promise<number[]> {
  // The postmaster is paused first, so that it cannot start more children.
  signalAll([pid], "SIGSTOP");
  const processes = [pid, ...(await childrenOf(pid))];
  signalAll(processes, "SIGSTOP");
  return processes;
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(pid)]);
  return stdout.split("\n").filter(Boolean).map(Number);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // ESRCH means that the process has already exited.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
