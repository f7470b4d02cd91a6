import { constants } from "node:os";
import { join } from "node:path";
import { EmbeddedPostgresError } from "@purser/embedded-postgres";
import { readArguments, USAGE, UsageError } from "../arguments.ts";
import { readLocalLimits } from "../local-limits.ts";
import { createProgress } from "../progress.ts";
import { StartError } from "../start-error.ts";
import { startLocal } from "../start-local.ts";
import { type StopSignals, watchStopSignals } from "../stop-signals.ts";
import { jsonLine, welcome } from "../welcome.ts";

const PROJECT_DIR = join(import.meta.dirname, "../../..");

// Without this listener, a failed write to stdout or stderr would end the process. For example, a write fails after the
// reader of a pipe has exited.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const runsUnderNpm = process.env["npm_lifecycle_event"] !== undefined;
const signals = watchStopSignals({ runsUnderNpm });
await main(signals).catch((error: unknown) => {
  if (error instanceof UsageError) {
    console.error(`${error.message} Run \`npm start -- --help\` to list the options.`);
    process.exit(2);
  }
  console.error(`\n${describe(error)}`);
  process.exit(1);
});

async function main(stop: StopSignals): Promise<void> {
  const args = readArguments(process.argv.slice(2), {
    defaultDataDir: process.env["PURSER_DATA_DIR"] || join(PROJECT_DIR, ".purser"),
    // npm runs scripts in the project's root folder and stores the folder in which npm was started in INIT_CWD.
    currentDir: process.env["INIT_CWD"] ?? process.cwd(),
  });
  if (args.help) {
    console.log(USAGE);
    return;
  }
  const limits = readLocalLimits(process.env);
  const exiting = exitWhenForced(stop);
  const progress = createProgress((text) => process.stderr.write(text));
  progress.note(`Starting Purser in ${args.dataDir}`);
  // Ctrl-C during startup takes effect after startup, because a partly started Purser cannot be stopped cleanly.
  const purser = await startLocal({ ...args, limits, progress, exiting });

  if (!stop.isRequested) {
    if (args.json) console.log(jsonLine(purser));
    else progress.note(welcome(purser));
  }
  const reason = await Promise.race([stop.requested, purser.lost]);
  const lost = reason instanceof StartError;
  progress.note(`${lost ? `\n${reason.message}\n` : ""}Stopping Purser after the requests in progress.`);
  await purser.close();
  process.exit(lost ? 1 : 0);
}

/**
 * Exits immediately on a second stop signal or an uncaught exception. The returned AbortSignal is aborted first, so
 * that PostgreSQL ends too and does not outlive this process. No acknowledged write is lost: PostgreSQL's write-ahead
 * log is on disk.
 */
function exitWhenForced({ forced }: StopSignals): AbortSignal {
  const exiting = new AbortController();
  void forced.then((signal) => {
    exiting.abort();
    process.exit(128 + constants.signals[signal]);
  });
  process.once("uncaughtException", (error) => {
    console.error(`\nPurser is exiting because of an internal error.\n${error.stack ?? error.message}`);
    exiting.abort();
    process.exit(1);
  });
  return exiting.signal;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isUserError = error instanceof StartError || error instanceof EmbeddedPostgresError;
  return isUserError ? error.message : (error.stack ?? error.message);
}
