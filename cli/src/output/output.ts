import { rmSync, writeFileSync } from "node:fs";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Terminal } from "../terminal.ts";
import { cleanText, humanText } from "./human.ts";
import { maskSecrets } from "./mask.ts";

export interface OutputOptions {
  /** The words of the command: `payments send`. */
  readonly command: string;
  /** Prints the envelope instead of text for people. */
  readonly isJson: boolean;
  /** Prints the values of environments. */
  readonly reveals: boolean;
  /** A file that gets the data with their secrets, instead of standard output. */
  readonly file: string | undefined;
}

export interface Result {
  readonly data: unknown;
  /** What to show people instead of the data. It has no text of others, or only after `cleanText`. */
  readonly text?: string | undefined;
  readonly nextSteps?: readonly string[];
}

/** Writes results, warnings and progress of one command. Data goes to standard output, everything else to standard error. */
export class Output {
  readonly #terminal: Terminal;
  readonly #options: OutputOptions;
  readonly #warnings: string[] = [];
  /** The file that was created and has no data yet. */
  #created: string | undefined;

  constructor(terminal: Terminal, options: OutputOptions) {
    this.#terminal = terminal;
    this.#options = options;
    if (options.file !== undefined) this.#createFile(options.file);
  }

  get isFile(): boolean {
    return this.#options.file !== undefined;
  }

  /** @throws CliError for a command without data of its own. */
  refuseFile(): void {
    if (!this.isFile) return;
    throw new CliError({
      message: "This command does not have --output.",
      code: "usage",
      exitCode: EXIT_CODES.usage,
      nextSteps: ["`purser env pull` has --file."],
    });
  }

  warn(text: string): void {
    this.#warnings.push(text);
    this.#terminal.err(`${this.#terminal.style("yellow", "Warning:")} ${cleanText(text)}\n`);
  }

  /** Says what happens, to a person. */
  note(text: string): void {
    this.#terminal.err(`${cleanText(text)}\n`);
  }

  result({ data, text, nextSteps = [] }: Result): void {
    const { file, isJson, reveals, command } = this.#options;
    if (file !== undefined) this.#writeFile(file, data);
    const isForAgent = this.#terminal.agentProgram !== undefined;
    const masked = reveals ? data : maskSecrets(data, { isForAgent });
    const shown = file === undefined ? masked : { output: file };
    if (isJson) this.#print({ ok: true, command, data: shown, warnings: this.#warnings, next_steps: nextSteps });
    else {
      this.#terminal.out(file === undefined && text !== undefined ? text : humanText(shown, this.#terminal));
      this.#printSteps(nextSteps);
    }
  }

  /** Leaves nothing behind after Ctrl-C. */
  discardFile(): void {
    if (this.#created !== undefined) rmSync(this.#created, { force: true });
  }

  /** Writes text that another program reads as it is, also without a terminal. */
  raw(text: string, nextSteps: readonly string[]): void {
    this.#terminal.out(text);
    if (this.#terminal.showsOutput) this.#printSteps(nextSteps);
  }

  failure(error: Readonly<Record<string, unknown>>, nextSteps: readonly string[]): void {
    const { isJson, command } = this.#options;
    if (this.#created !== undefined) rmSync(this.#created, { force: true });
    if (isJson) this.#print({ ok: false, command, error, warnings: this.#warnings, next_steps: nextSteps });
    // Also with --json: a person who pipes the data into another program sees why there are none.
    this.#terminal.err(`${this.#terminal.style("red", "Error:")} ${cleanText(String(error["message"]))}\n`);
    if (!isJson && error["decision"] !== undefined) this.#terminal.err(humanText(error["decision"], this.#terminal));
    this.#printSteps(nextSteps);
  }

  #print(envelope: object): void {
    this.#terminal.out(`${JSON.stringify(envelope, null, this.#terminal.showsOutput ? 2 : undefined)}\n`);
  }

  #printSteps(steps: readonly string[]): void {
    for (const step of steps) this.#terminal.err(`${this.#terminal.style("dim", "Next:")} ${cleanText(step)}\n`);
  }

  /** Creates the file before the call, because what the response has may be shown only once. */
  #createFile(file: string): void {
    try {
      writeFileSync(file, "", { mode: 0o600, flag: "wx" });
    } catch (error) {
      throw new CliError({
        message: `${file} could not be created: ${error instanceof Error ? error.message : String(error)}.`,
        code: "file_not_written",
        exitCode: EXIT_CODES.usage,
        nextSteps: ["Choose a file that does not exist, in a folder that you can write to."],
      });
    }
    this.#created = file;
  }

  #writeFile(file: string, data: unknown): void {
    writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
    this.#created = undefined;
    this.note(`Wrote ${file}. Only you can read it.`);
  }
}
