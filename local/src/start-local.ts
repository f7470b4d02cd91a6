import type { Environment } from "@purser/service/config/reader.ts";
import { readKeptPorts } from "./kept-ports.ts";
import { startKeptPostgres } from "./kept-postgres.ts";
import type { Progress } from "./progress.ts";
import type { StartError } from "./start-error.ts";
import type { StartedParts } from "./start-on-postgres.ts";

export interface LocalOptions {
  readonly dataDir: string;
  /** 0: a free one. */
  readonly port: number;
  /** Undefined: those of the local profile. */
  readonly limits?: Environment;
  readonly progress: Progress;
  /** Aborted by who is about to end this process at once: PostgreSQL, which would outlive it, then ends too. */
  readonly abandoned?: AbortSignal;
}

export interface LocalPurser extends StartedParts {
  /** Resolves with the reason once it cannot go on, though it still has to be closed. */
  readonly lost: Promise<StartError>;
  /** Lets requests under way end, then stops everything that was started, what was started last first. */
  close(): Promise<void>;
}

/** Starts the whole product in this process, with its database beside it: what `npm start` does. */
export async function startLocal(options: LocalOptions): Promise<LocalPurser> {
  const started: (() => Promise<void>)[] = [];
  const close = () => stopInReverse(started.splice(0));
  try {
    return { ...(await startParts(options, started)), close };
  } catch (error) {
    // A start that fails midway leaves nothing running.
    await close().catch(() => {});
    throw error;
  }
}

async function startParts(
  { dataDir, port, limits, progress, abandoned }: LocalOptions,
  started: (() => Promise<void>)[],
): Promise<Omit<LocalPurser, "close">> {
  // The service's code takes longer to load than PostgreSQL to start, and neither needs the other.
  const loading = import("./start-on-postgres.ts");
  const ports = await readKeptPorts(dataDir);
  const postgres = await progress.step("PostgreSQL", () =>
    startKeptPostgres({ dataDir, port: ports.postgres, note: progress.note }),
  );
  started.push(() => postgres.stop());
  abandoned?.addEventListener("abort", () => postgres.abandon());

  const { startOnPostgres } = await loading;
  const parts = await startOnPostgres({
    postgres: postgres.server,
    dataDir,
    port,
    ports,
    limits,
    progress,
    onStarted: (stop) => started.push(stop),
  });
  return { ...parts, lost: postgres.lost };
}

/** What cannot be stopped does not keep the rest running. Rejects with the first failure. */
async function stopInReverse(stops: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
