import { setTimeout as delay } from "node:timers/promises";
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from "@purser/embedded-postgres";
import { Client } from "pg";
import { StartError } from "./start-error.ts";

/** A PostgreSQL server that is restarted if it ends unexpectedly. */
export interface SupervisedPostgres {
  /** The server as it was first started. Restarts do not change its address or password. */
  readonly server: EmbeddedPostgres;
  /** Resolves with the reason if PostgreSQL has ended and cannot be restarted. */
  readonly lost: Promise<StartError>;
  stop(): Promise<void>;
  /** Ends PostgreSQL immediately and without a clean shutdown. The next start recovers from the write-ahead log. */
  terminate(): void;
}

/** The maximum number of restarts within RESTARTS_WITHIN_MS. If PostgreSQL ends again, it is not restarted. */
const RESTARTS_MAX = 3;
const RESTARTS_WITHIN_MS = 60_000;

const CONNECT_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 100;

/**
 * SQLSTATEs with which a running server rejects connections while it recovers from a crash, or while it has no free
 * connection slot.
 */
const BUSY_SQLSTATES: readonly unknown[] = ["57P03", "53300"];

export async function startSupervisedPostgres({
  dataDir,
  port,
  note,
}: {
  readonly dataDir: string;
  /** The preferred port. If it is taken or undefined, any free port is used. */
  readonly port: number | undefined;
  /** Receives messages about restarts, to be shown to the user. */
  readonly note: (text: string) => void;
}): Promise<SupervisedPostgres> {
  const first = await startFirst({ dataDir, port, note });
  const lost = Promise.withResolvers<StartError>();
  let current = first;
  let stopping = false;
  let restarting: Promise<unknown> = Promise.resolve();

  async function restart(): Promise<void> {
    // If the server has already ended, `stop` only releases the data folder.
    await current.stop();
    try {
      current = await startEmbeddedPostgres({ dataDir, port: first.port });
    } catch (error) {
      // The server ended during its start. `supervise` restarts it immediately.
      if (error instanceof EmbeddedPostgresError && error.code === "start_failed") return;
      throw error;
    }
    if (current.outcome === "created") throw new StartError(`Its files in ${dataDir} are missing.`);
    note("PostgreSQL ended unexpectedly and was restarted. No acknowledged write is lost.");
  }

  async function supervise(): Promise<void> {
    const restartsMs: number[] = [];
    for (;;) {
      await untilServerEnds(current);
      if (stopping) return;
      restartsMs.push(performance.now());
      if (isTooOften(restartsMs)) throw new StartError("It exited too often.");
      restarting = restart();
      await restarting;
    }
  }

  supervise().catch((cause: unknown) => lost.resolve(explainLoss(cause, dataDir)));
  return {
    server: first,
    lost: lost.promise,
    stop: async () => {
      stopping = true;
      await restarting.catch(() => {});
      await current.stop();
    },
    terminate: () => {
      try {
        process.kill(current.pid, "SIGQUIT");
      } catch {
        // The process has already ended.
      }
    },
  };
}

async function startFirst({
  dataDir,
  port = 0,
  note,
}: Parameters<typeof startSupervisedPostgres>[0]): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ dataDir, port });
  } catch (error) {
    const isTaken = error instanceof EmbeddedPostgresError && error.code === "port_in_use";
    if (!isTaken || port === 0) throw error;
    note(
      `PostgreSQL's port ${port} is now taken by another program. DATABASE_URLs from the Neon simulator contain it and no longer work.`,
    );
    return startEmbeddedPostgres({ dataDir });
  }
}

/** Resolves when the server has ended: an idle connection has ended, and a new connection fails. */
async function untilServerEnds(server: EmbeddedPostgres): Promise<void> {
  for (;;) {
    const error = await waitForDisconnect(server);
    if (error === undefined) continue;
    if (!(error instanceof Error && "code" in error && BUSY_SQLSTATES.includes(error.code))) return;
    await delay(BUSY_RETRY_MS);
  }
}

/** Connects and waits until the connection ends. Returns the error if it cannot connect. */
async function waitForDisconnect(server: EmbeddedPostgres): Promise<unknown> {
  const client = new Client({
    connectionString: server.url("postgres"),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "purser-keeper",
  });
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    return error;
  }
  await ended;
  return undefined;
}

function isTooOften(restartsMs: readonly number[]): boolean {
  const before = restartsMs.at(-RESTARTS_MAX - 1);
  return before !== undefined && performance.now() - before < RESTARTS_WITHIN_MS;
}

function explainLoss(cause: unknown, dataDir: string): StartError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StartError(
    `PostgreSQL has ended and cannot be restarted. ${reason}\nIts log is ${dataDir}/postgres/server.log.`,
    { cause },
  );
}
