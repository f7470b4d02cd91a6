import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import { migrate } from "@purser/service/db/migrate.ts";

const DATABASE = "purser";

/** A Postgres of a test's own, which the test may treat badly. */
export interface OwnPostgres {
  readonly serviceUrl: string;
  readonly superuserUrl: string;
  /** Kills the postmaster, and the backends that would go on for a moment without it. */
  kill(): Promise<void>;
  /** Stops every process of the server where it stands, as a machine without CPU time does. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Starts it again on the same port and data, after `kill`. */
  restart(): Promise<void>;
  /** Ends it, paused or not, and removes its data. */
  remove(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-e2e-"));
  // The server runs as somebody else when the tests run as root, and has to get in.
  await chmod(dataDir, 0o755);
  let postgres = await startEmbeddedPostgres({ dataDir });
  const { port } = postgres;
  const password = randomBytes(16).toString("hex");
  await withAdminClient(postgres, "postgres", async (client) => {
    await client.query("create role purser_service nologin");
    await client.query(`create role owner login createrole password '${password}'`);
    await client.query(`create role service login password '${password}' in role purser_service`);
    await client.query(`create database ${DATABASE} owner owner`);
  });
  const urlFor = (user: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
  await migrate({ ownerUrl: urlFor("owner") });

  let paused: readonly number[] = [];
  const resume = async () => {
    signalAll(paused, "SIGCONT");
    paused = [];
  };
  return {
    serviceUrl: urlFor("service"),
    superuserUrl: postgres.url(DATABASE),
    async kill() {
      const processes = await pause(postgres.pid);
      signalAll(processes, "SIGKILL");
    },
    async pause() {
      paused = await pause(postgres.pid);
    },
    resume,
    async restart() {
      await postgres.stop();
      postgres = await startEmbeddedPostgres({ dataDir, port });
    },
    async remove() {
      await resume();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Stops a postmaster and all that it has started, and gives their numbers. */
async function pause(pid: number): Promise<number[]> {
  // The postmaster first: from then on nobody is born.
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
      // It ended by itself in the meantime.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
