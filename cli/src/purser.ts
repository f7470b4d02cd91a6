#!/usr/bin/env node
import { VERSION } from "@purser/sdk";
import { CommanderError } from "commander";
import { EXIT_CODES, USAGE_HINT } from "./cli-error.ts";
import { createProgram, wordsOf } from "./program.ts";
import { runCommand } from "./run-command.ts";
import { processTerminal } from "./terminal.ts";

/** How long what must be undone may take after Ctrl-C. A second Ctrl-C ends the process at once. */
const STOP_MAX_MS = 2_000;

const terminal = processTerminal();
const interruption = new AbortController();
const interrupt = () => {
  process.exitCode = EXIT_CODES.interrupted;
  interruption.abort();
  setTimeout(() => process.exit(EXIT_CODES.interrupted), STOP_MAX_MS).unref();
};
process.once("SIGINT", interrupt);
const leaveInterruption = () => void process.off("SIGINT", interrupt);
// A closed pipe, as of `purser … | head`, is no error.
process.stdout.on("error", (error) => {
  process.exit("code" in error && error.code === "EPIPE" ? EXIT_CODES.ok : EXIT_CODES.error);
});

if (process.argv[2] === "--version") terminal.out(`${VERSION}\n`);
else await main();

async function main(): Promise<void> {
  const exit = (code: number) => {
    process.exitCode = interruption.signal.aborted ? EXIT_CODES.interrupted : code;
  };
  const run = runCommand({ terminal, folder: process.cwd(), signal: interruption.signal, leaveInterruption, exit });
  try {
    const program = createProgram(run, terminal);
    await program.parseAsync(wordsOf(process.argv.slice(2), program), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exit(error.exitCode === 0 ? EXIT_CODES.ok : reportUsage(error));
  }
}

/** The parser has written the error for people. Programs read it from standard output. */
function reportUsage({ code, message: text }: CommanderError): number {
  const message = code === "commander.help" ? "A command is missing." : text.replace(/^error: /, "");
  const error = { code: "usage", message };
  const envelope = { ok: false, command: "", error, warnings: [], next_steps: [USAGE_HINT] };
  if (!terminal.showsOutput || process.argv.includes("--json")) terminal.out(`${JSON.stringify(envelope)}\n`);
  return EXIT_CODES.usage;
}
