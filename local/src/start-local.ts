import type { Environment } from "@purser/service/config/reader.ts";
import type { Progress } from "./progress.ts";
import { readSavedPorts } from "./saved-ports.ts";
import type { StartError } from "./start-error.ts";
import type { StartedParts } from "./start-on-postgres.ts";
import { startSupervisedPostgres } from "./supervised-postgres.ts";

export interface LocalOptions {
  readonly dataDir: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: the defaults of the local profile. */
  readonly limits?: Environment;
  readonly progress: Progress;
  /**
   * Aborted when this process is about to exit without a clean stop. PostgreSQL, which would outlive it, then ends too.
   */
  readonly exiting?: AbortSignal;
}

export interface LocalPurser extends StartedParts {
  /** Resolves with the reason when Purser cannot continue. It must still be closed. */
  readonly lost: Promise<StartError>;
  /** Waits for requests in progress, then stops all parts in reverse order of their start. */
  close(): Promise<void>;
}

/** Starts all of Purser in this process, as `npm start` does. PostgreSQL is a child process. */
export async function startLocal(options: LocalOptions): Promise<LocalPurser> {
  const started: (() => Promise<void>)[] = [];
  const close = () => stopInReverse(started.splice(0));
  try {
    return { ...(await startParts(options, started)), close };
  } catch (error) {
    // Stops the parts that have started.
    await close().catch(() => {});
    throw error;
  }
}

async function startParts(
  { dataDir, port, limits, progress, exiting }: LocalOptions,
  started: (() => Promise<void>)[],
): Promise<Omit<LocalPurser, "close">> {
  // Loading the service's code takes longer than starting PostgreSQL, so both run at the same time.
  const loading = import("./start-on-postgres.ts");
  const ports = await readSavedPorts(dataDir);
  const postgres = await progress.step("PostgreSQL", () =>
    startSupervisedPostgres({ dataDir, port: ports.postgres, note: progress.note }),
  );
  started.push(() => postgres.stop());
  exiting?.addEventListener("abort", () => postgres.terminate());

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

/** Stops the remaining parts even if one fails to stop. Rejects with the first failure. */
async function stopInReverse(stops: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
