import { join } from "node:path";
import { readArguments, USAGE, UsageError } from "../arguments.ts";
import { createProgress } from "../progress.ts";
import { startLocal } from "../start-local.ts";
import { jsonLine, welcome } from "../welcome.ts";

const PROJECT = join(import.meta.dirname, "../../..");

await main().catch((error: unknown) => {
  console.error(`\n${describe(error)}`);
  process.exit(error instanceof UsageError ? 2 : 1);
});

async function main(): Promise<void> {
  const { json, help, port, dataDir } = readArguments(process.argv.slice(2), PROJECT);
  if (help) {
    console.log(USAGE);
    return;
  }
  // A Ctrl-C during the start waits for the start: what is half started could not be stopped whole.
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve());
  });
  const progress = createProgress((text) => process.stderr.write(text));
  progress.note(`Purser starts in ${dataDir}`);
  const purser = await startLocal({ dataDir, port, progress });

  if (json) process.stdout.write(`${jsonLine(purser)}\n`);
  else progress.note(welcome(purser));

  await stopRequested;
  progress.note("Purser stops: requests under way end first.");
  await purser.close();
  process.exit(0);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE") {
    return "That port is taken. Stop what listens there, or choose another with --port (0 picks a free one).";
  }
  const isForPeople = error instanceof UsageError || error.name === "EmbeddedPostgresError";
  return isForPeople ? error.message : (error.stack ?? error.message);
}
