import { setTimeout as delay } from "node:timers/promises";
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from "@purser/embedded-postgres";
import { Client } from "pg";
import { StartError } from "./start-error.ts";

/** A PostgreSQL that is started again when it ends without having been asked to. */
export interface KeptPostgres {
  /** As it was at first: its address and its password stay. */
  readonly server: EmbeddedPostgres;
  /** Resolves with the reason once PostgreSQL has ended and cannot be had back. */
  readonly lost: Promise<StartError>;
  stop(): Promise<void>;
  /** Ends PostgreSQL as by a loss of power, which its log repairs at the next start, and waits for nothing. */
  abandon(): void;
}

/** What ends more often than this is ended by something that will do it again. */
const RESTARTS_MAX = 3;
const RESTARTS_WITHIN_MS = 60_000;

const CONNECT_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 100;

/** The server lives but lets nobody in: it recovers from the end of one of its processes, or has no connection left. */
const BUSY: readonly unknown[] = ["57P03", "53300"];

export async function startKeptPostgres({
  dataDir,
  port,
  note,
}: {
  readonly dataDir: string;
  /** Where it listened before, and does again where nobody else does. Undefined: any free port. */
  readonly port: number | undefined;
  /** Told of a restart, in a sentence for people. */
  readonly note: (text: string) => void;
}): Promise<KeptPostgres> {
  const first = await startFirst({ dataDir, port, note });
  const lost = Promise.withResolvers<StartError>();
  let current = first;
  let stopping = false;
  let restarting: Promise<unknown> = Promise.resolve();

  async function restart(): Promise<void> {
    // What has ended is stopped quickly, and lets go of the folder.
    await current.stop();
    try {
      current = await startEmbeddedPostgres({ dataDir, port: first.port });
    } catch (error) {
      // It ended while it started. The next try may do better, and comes at once.
      if (error instanceof EmbeddedPostgresError && error.code === "start_failed") return;
      throw error;
    }
    if (current.outcome === "created") throw new StartError(`Its files in ${dataDir} are gone.`);
    note("PostgreSQL had ended and was started again. Nothing that was answered is lost.");
  }

  async function keep(): Promise<void> {
    const restartsMs: number[] = [];
    for (;;) {
      await untilServerEnds(current);
      if (stopping) return;
      restartsMs.push(performance.now());
      if (isTooOften(restartsMs)) throw new StartError("It ends again and again.");
      restarting = restart();
      await restarting;
    }
  }

  keep().catch((cause: unknown) => lost.resolve(explainLoss(cause, dataDir)));
  return {
    server: first,
    lost: lost.promise,
    stop: async () => {
      stopping = true;
      await restarting.catch(() => {});
      await current.stop();
    },
    abandon: () => {
      try {
        process.kill(current.pid, "SIGQUIT");
      } catch {
        // It has ended already.
      }
    },
  };
}

async function startFirst({
  dataDir,
  port = 0,
  note,
}: Parameters<typeof startKeptPostgres>[0]): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ dataDir, port });
  } catch (error) {
    const isTaken = error instanceof EmbeddedPostgresError && error.code === "port_in_use";
    if (!isTaken || port === 0) throw error;
    note(
      `Port ${port} is taken now, where PostgreSQL listened before: a DATABASE_URL that Neon's sandbox gave names it still.`,
    );
    return startEmbeddedPostgres({ dataDir });
  }
}

/**
 * Resolves when the server has ended. A connection that does nothing breaks at that moment; as long as the server still
 * takes another one, only that connection had ended.
 */
async function untilServerEnds(server: EmbeddedPostgres): Promise<void> {
  for (;;) {
    const error = await holdConnection(server);
    if (error === undefined) continue;
    if (!(error instanceof Error && "code" in error && BUSY.includes(error.code))) return;
    await delay(BUSY_RETRY_MS);
  }
}

/** Connects and waits for the connection's end, or answers with why there was none. */
async function holdConnection(server: EmbeddedPostgres): Promise<unknown> {
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
    `PostgreSQL has ended and cannot be started again. ${reason}\nWhat it said itself is in ${dataDir}/postgres/server.log.`,
    { cause },
  );
}
