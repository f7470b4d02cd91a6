import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommanderError } from "commander";
import { onTestFinished } from "vitest";
import { createProgram, wordsOf } from "../src/program.ts";
import { type Action, runCommand } from "../src/run-command.ts";
import type { Environment, Terminal } from "../src/terminal.ts";

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The envelope, if standard output has one. */
  readonly json: { readonly ok: boolean; readonly data: never; readonly error: never; readonly next_steps: string[] };
}

interface Place {
  readonly environment?: Environment;
  readonly terminal?: Partial<Terminal>;
  readonly folder?: string;
}

/** Runs the command line in this process, without a terminal and with its own folders. */
export async function runCli(
  words: readonly string[],
  { environment = {}, terminal = {}, folder }: Place = {},
): Promise<Ran> {
  const place = folder ?? emptyFolder();
  const written = { out: "", err: "" };
  const own: Terminal = {
    environment: { PURSER_CONFIG_DIR: join(place, ".config"), PURSER_KEYRING: "off", ...environment },
    canAsk: false,
    showsOutput: false,
    columns: 120,
    agentProgram: undefined,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    style: (_style, text) => text,
    ...terminal,
  };
  let exitCode = -1;
  const exit = (code: number) => {
    exitCode = code;
  };
  const run = runCommand({
    terminal: own,
    folder: place,
    signal: new AbortController().signal,
    leaveInterruption: () => undefined,
    exit,
  });
  try {
    const program = createProgram(run, own);
    await program.parseAsync(wordsOf(words, program), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exitCode = error.exitCode === 0 ? 0 : 2;
  }
  return {
    exitCode,
    stdout: written.out,
    stderr: written.err,
    // Read only when it is used: `listen` prints several objects.
    get json() {
      return written.out.startsWith("{") ? JSON.parse(written.out) : undefined;
    },
  };
}

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "purser-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns what the parser passes to an action, instead of executing it. */
export async function parse(words: readonly string[]) {
  let parsed: { readonly values: Readonly<Record<string, unknown>>; readonly args: readonly string[] } | undefined;
  const program = createProgram(
    (_action: Action) =>
      async (...all: unknown[]) => {
        const command = all.at(-1) as { optsWithGlobals(): Record<string, unknown> };
        parsed = { values: command.optsWithGlobals(), args: all.slice(0, -2) as string[] };
      },
    { out: () => undefined, err: () => undefined },
  );
  await program.parseAsync(words, { from: "user" });
  if (parsed === undefined) throw new Error(`No command was found for ${words.join(" ")}.`);
  return parsed;
}
