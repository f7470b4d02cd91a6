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

// Whoever read what is printed here may have gone, which is no reason to go too.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const runsUnderNpm = process.env["npm_lifecycle_event"] !== undefined;
const signals = watchStopSignals({ runsUnderNpm });
await main(signals).catch((error: unknown) => {
  if (error instanceof UsageError) {
    console.error(`${error.message} \`npm start -- --help\` lists what there is.`);
    process.exit(2);
  }
  console.error(`\n${describe(error)}`);
  process.exit(1);
});

async function main(stop: StopSignals): Promise<void> {
  const args = readArguments(process.argv.slice(2), {
    projectDir: PROJECT_DIR,
    // npm runs scripts in the project's folder, and remembers where it was called.
    currentDir: process.env["INIT_CWD"] ?? process.cwd(),
  });
  if (args.help) {
    console.log(USAGE);
    return;
  }
  const limits = readLocalLimits(process.env);
  const abandoned = endAtOnceWhenUrged(stop);
  const progress = createProgress((text) => process.stderr.write(text));
  progress.note(`Purser starts in ${args.dataDir}`);
  // A Ctrl-C during the start waits for the start: what is half started could not be stopped whole.
  const purser = await startLocal({ ...args, limits, progress, abandoned });

  if (!stop.isAsked) {
    if (args.json) console.log(jsonLine(purser));
    else progress.note(welcome(purser));
  }
  const reason = await Promise.race([stop.asked, purser.lost]);
  const lost = reason instanceof StartError;
  progress.note(
    `${lost ? `\n${reason.message}\n` : ""}Purser stops: requests under way end first.`,
  );
  await purser.close();
  process.exit(lost ? 1 : 0);
}

/**
 * Tells PostgreSQL, which would outlive this process, when it must end at once: because nobody wants to wait any longer, or
 * because of a fault that nothing was prepared for. Nothing is lost by it, since what was answered is on the disk.
 */
function endAtOnceWhenUrged({ urged }: StopSignals): AbortSignal {
  const abandoned = new AbortController();
  void urged.then((signal) => {
    abandoned.abort();
    process.exit(128 + constants.signals[signal]);
  });
  process.once("uncaughtException", (error) => {
    console.error(`\nPurser ends because of a fault of its own.\n${error.stack ?? error.message}`);
    abandoned.abort();
    process.exit(1);
  });
  return abandoned.signal;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForPeople = error instanceof StartError || error instanceof EmbeddedPostgresError;
  return isForPeople ? error.message : (error.stack ?? error.message);
}
