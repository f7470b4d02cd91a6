import { buildDashboard, isDashboardOutdated } from "@purser/dashboard/build-dashboard.ts";
import type { Environment } from "@purser/service/config/reader.ts";
import { areDocsOutdated, buildDocs } from "../../docs/build-docs.ts";
import type { Progress } from "./progress.ts";
import { readSavedPorts } from "./saved-ports.ts";
import type { StartError } from "./start-error.ts";
import type { StartedParts } from "./start-on-postgres.ts";
import { startSupervisedPostgres } from "./supervised-postgres.ts";

export interface LocalOptions {
  readonly dataDir: string;
  /** If 0, any free port is used. */
  readonly port: number;
  /** If undefined, the local profile's defaults apply. */
  readonly limits?: Environment;
  /** The base URL of a bundler that takes the place of the simulated one. */
  readonly bundlerUrl?: string | undefined;
  readonly progress: Progress;
  /**
   * Aborted when this process is about to exit without a clean stop. PostgreSQL is then terminated, because it would
   * otherwise outlive this process.
   */
  readonly exiting?: AbortSignal;
}

export interface LocalPurser extends StartedParts {
  /** Resolves with the reason if Purser cannot continue. `close` must still be called. */
  readonly lost: Promise<StartError>;
  /** Waits for requests in progress, then stops all parts in reverse start order. */
  close(): Promise<void>;
}

/** Starts Purser and its simulated vendors in this process, as `npm start` does. PostgreSQL runs as a child process. */
export async function startLocal(options: LocalOptions): Promise<LocalPurser> {
  const started: (() => Promise<void>)[] = [];
  const close = () => stopInReverse(started.splice(0));
  try {
    return { ...(await startParts(options, started)), close };
  } catch (error) {
    // Stops the parts that have already started.
    await close().catch(() => {});
    throw error;
  }
}

async function startParts(
  { exiting, ...options }: LocalOptions,
  started: (() => Promise<void>)[],
): Promise<Omit<LocalPurser, "close">> {
  // Loading the service's code takes longer than starting PostgreSQL, so both are done at the same time.
  const loading = import("./start-on-postgres.ts");
  const { dataDir, progress } = options;
  const ports = await readSavedPorts(dataDir);
  if (await isDashboardOutdated()) await progress.step("dashboard", buildDashboard);
  const postgres = await progress.step("PostgreSQL", () =>
    startSupervisedPostgres({ dataDir, port: ports.postgres, note: progress.note }),
  );
  started.push(() => postgres.stop());
  exiting?.addEventListener("abort", () => postgres.terminate());

  const { startOnPostgres } = await loading;
  const parts = await startOnPostgres({
    ...options,
    postgres: postgres.server,
    ports,
    onStarted: (stop) => started.push(stop),
  });
  started.push(buildDocsInBackground(progress));
  return { ...parts, lost: postgres.lost };
}

/** Builds the documents while Purser already serves. Returns the function that ends the build. */
function buildDocsInBackground({ note }: Progress): () => Promise<void> {
  const stopped = new AbortController();
  const building = areDocsOutdated()
    .then((isOutdated) => (isOutdated ? buildDocs(stopped.signal) : undefined))
    .catch((error: unknown) => {
      if (!stopped.signal.aborted) note(`The documents could not be built: ${error}`);
    });
  return async () => {
    stopped.abort();
    await building;
  };
}

/** Calls all functions in reverse order, even if one of them fails. Rejects with the first error. */
async function stopInReverse(stops: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
