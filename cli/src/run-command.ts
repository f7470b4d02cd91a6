import type { Command } from "commander";
import { EXIT_CODES } from "./cli-error.ts";
import { type Context, createContext, type GlobalOptions } from "./context.ts";
import { failureOf } from "./output/failure.ts";
import { Output } from "./output/output.ts";
import type { Terminal } from "./terminal.ts";

/** What a command does. A number that it returns is the exit code. */
export type Action = (
  context: Context,
  values: Readonly<Record<string, unknown>>,
  args: readonly (string | undefined)[],
) => Promise<unknown>;

/** Turns an action into what the parser calls. */
export type RunCommand = (action: Action) => (...parsed: unknown[]) => Promise<void>;

interface Place {
  readonly terminal: Terminal;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly leaveInterruption: () => void;
  readonly exit: (code: number) => void;
}

export function runCommand({ terminal, folder, signal, leaveInterruption, exit }: Place): RunCommand {
  return (action) =>
    async (...parsed) => {
      // The parser passes the arguments, the options and the command.
      const command = parsed.at(-1) as Command;
      const values = command.optsWithGlobals<GlobalOptions & { output?: string; reveal?: boolean }>();
      // The output of `purser mcp` is only for messages of its protocol.
      const isJson = wordsOf(command) !== "mcp" && (values.json ?? !terminal.showsOutput);
      let output = new Output(terminal, { command: wordsOf(command), isJson, reveals: false, file: undefined });
      let baseUrl = "http://127.0.0.1";
      try {
        const options = { command: wordsOf(command), isJson, reveals: reveals(values, terminal), file: values.output };
        output = new Output(terminal, options);
        const context = createContext(terminal, values, { output, folder, signal, leaveInterruption });
        ({ baseUrl } = context);
        const result = await action(context, { ...values }, parsed.slice(0, -2) as (string | undefined)[]);
        exit(typeof result === "number" ? result : EXIT_CODES.ok);
      } catch (error) {
        exit(report(error, { output, baseUrl, signal }));
      }
    };
}

/** Returns the exit code. Ctrl-C needs no words. */
function report(error: unknown, { output, baseUrl, signal }: Pick<Context, "output" | "baseUrl" | "signal">): number {
  if (signal.aborted) {
    output.discardFile();
    return EXIT_CODES.interrupted;
  }
  const { error: facts, nextSteps, exitCode } = failureOf(error, baseUrl);
  output.failure(facts, nextSteps);
  return exitCode;
}

/** In an agent's program, secrets are shown only on a terminal, where a person sees them. */
function reveals({ reveal = false }: { reveal?: boolean }, { agentProgram, showsOutput }: Terminal): boolean {
  return reveal && (agentProgram === undefined || showsOutput);
}

/** Returns the words of a command without the name of the program. */
function wordsOf(command: Command): string {
  const words = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) words.unshift(one.name());
  return words.join(" ");
}
