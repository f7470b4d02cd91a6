import { isatty } from "node:tty";
import { styleText } from "node:util";
import { agentRuntime } from "./agent-runtime.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
type Style = Parameters<typeof styleText>[0];

/** What the command line may assume of the place in which it runs. */
export interface Terminal {
  readonly environment: Environment;
  /** Whether a person can be asked: standard input and standard error are terminals. */
  readonly canAsk: boolean;
  /** Whether a person reads standard output. */
  readonly showsOutput: boolean;
  readonly columns: number;
  /** The agent program in which the command runs, for example `Claude Code`. */
  readonly agentProgram: string | undefined;
  /** Writes data. */
  out(text: string): void;
  /** Writes everything that is not data. */
  err(text: string): void;
  style(style: Style, text: string): string;
}

export function processTerminal(): Terminal {
  // biome-ignore lint/style/noProcessEnv: this is the only place that reads the environment.
  const environment = process.env;
  const { stdout, stderr } = process;
  const hasColor = stderr.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  return {
    environment,
    // To ask `process.stdin` would make standard input non-blocking, which `-` reads.
    canAsk: isatty(0) && stderr.isTTY === true,
    showsOutput: stdout.isTTY === true,
    columns: stdout.columns || 120,
    agentProgram: agentRuntime(environment),
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    style: (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text),
  };
}
