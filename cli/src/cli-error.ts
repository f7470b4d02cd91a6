/** The exit codes of `purser`. `purser env run` also exits with the code of the command that it runs. */
export const EXIT_CODES = {
  ok: 0,
  error: 1,
  usage: 2,
  cancelled: 3,
  auth: 4,
  confirmationNeeded: 5,
  notFound: 6,
  validation: 7,
  rateLimited: 8,
  network: 9,
  drift: 10,
  interrupted: 130,
} as const;

export const USAGE_HINT = "`purser --help` lists the commands, `purser COMMAND --help` the options of one.";

/** An error whose message is for the user. It is shown without a stack trace, and must not contain secrets. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** The exit code of the process, such as one of `EXIT_CODES`. */
  readonly exitCode: number;
  /** A stable code for programs, in snake case, for example `file_changed`. */
  readonly code: string;
  /** What the user can do, one full sentence each. */
  readonly nextSteps: readonly string[];

  constructor({
    message,
    code,
    exitCode = EXIT_CODES.error,
    nextSteps = [],
    cause,
  }: {
    readonly message: string;
    readonly code: string;
    /** Default: 1. */
    readonly exitCode?: number;
    readonly nextSteps?: readonly string[];
    readonly cause?: unknown;
  }) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.code = code;
    this.nextSteps = nextSteps;
  }
}
