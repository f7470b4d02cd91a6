import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@purser/embedded-postgres";
import { Client } from "pg";
import { until } from "../../until.ts";

const run = promisify(execFile);
const ARCHIVED_WITHIN_MS = 60_000;
const RESTORED_WITHIN_MS = 300_000;

/** A base backup of a running PostgreSQL server, and the WAL that the server archives. */
export interface Backup {
  /** The settings with which the server must run. */
  readonly settings: Readonly<Record<string, string>>;
  /** Copies the files of the server, while it runs. */
  takeBase(superuserUrl: string): Promise<void>;
  /** Waits until everything that is committed so far is archived. */
  archiveAll(superuserUrl: string): Promise<void>;
  /** Starts a new server, on the port of the lost one, with what was committed at `at` in an empty folder. */
  restore(superuserUrl: string, at: Date): Promise<Restored>;
  remove(): Promise<void>;
}

export interface Restored {
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

export async function createBackup(): Promise<Backup> {
  const folder = await openFolder("purser-backup-");
  const archive = join(folder, "wal");
  const base = join(folder, "base");
  await mkdir(archive);
  // PostgreSQL can run as another user.
  await chmod(archive, 0o777);
  return {
    settings: { archive_mode: "on", archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` },
    takeBase: (superuserUrl) =>
      withClient(superuserUrl, async (client) => {
        await client.query("select pg_backup_start('rehearsal', fast => true)");
        await copyCluster(await textOf(client, "show data_directory"), base);
        const { rows } = await client.query("select labelfile from pg_backup_stop()");
        await writeInCluster(base, "backup_label", rows[0].labelfile);
      }),
    archiveAll: (superuserUrl) =>
      withClient(superuserUrl, async (client) => {
        const last = await textOf(client, "select pg_walfile_name(pg_switch_wal())");
        const isArchived = async () => (await readdir(archive)).some((name) => name >= last) || undefined;
        await until("the WAL is archived", isArchived, ARCHIVED_WITHIN_MS);
      }),
    restore: async (superuserUrl, at) => {
      const dataDir = await openFolder("purser-restored-");
      await mkdir(join(dataDir, "postgres"), { mode: 0o711 });
      const cluster = join(dataDir, "postgres", "cluster");
      await run("cp", ["-a", base, cluster]);
      await writeInCluster(cluster, "recovery.signal", "");
      const { port, password } = new URL(superuserUrl);
      await writeFile(join(dataDir, "postgres", "password"), `${password}\n`, { mode: 0o600 });
      const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
        ...{ dataDir, port: Number(port) },
        settings: {
          restore_command: `cp ${archive}/%f %p`,
          // PostgreSQL does not know `Z` before it has read its time zones.
          recovery_target_time: at.toISOString().replace("Z", "+00"),
          recovery_target_action: "promote",
        },
      });
      // It answers reads before it has reached the point.
      const isRestored = async () =>
        (await withClient(superuserUrl, (client) => textOf(client, "select pg_is_in_recovery()"))) === "false" ||
        undefined;
      await until("the database is restored", isRestored, RESTORED_WITHIN_MS);
      return {
        remove: async () => {
          await postgres.stop();
          await rm(dataDir, { recursive: true, force: true });
        },
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Copies a cluster that is in use, without its WAL. */
async function copyCluster(from: string, to: string): Promise<void> {
  await run("cp", ["-a", from, to]).catch((error: unknown) => {
    // A file that was deleted meanwhile is not needed: the WAL says so too.
    const lines = String(Object(error).stderr).trim().split("\n");
    if (!lines.every((line) => line.endsWith("No such file or directory"))) throw error;
  });
  const wal = join(to, "pg_wal");
  await rm(join(to, "postmaster.pid"), { force: true });
  for (const name of await readdir(wal)) await rm(join(wal, name), { recursive: true, force: true });
}

/** Writes a file that PostgreSQL owns. */
async function writeInCluster(cluster: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(cluster);
  await writeFile(join(cluster, name), text);
  await chown(join(cluster, name), uid, gid);
}

async function openFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}

async function textOf(client: Client, statement: string): Promise<string> {
  const { rows } = await client.query({ text: statement, rowMode: "array" });
  return String(rows[0]?.[0]);
}

/** Runs `work` with a connection, which is closed afterwards. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
