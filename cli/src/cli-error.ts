/** The exit codes of the command line. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  cancelled: 3,
  unauthenticated: 4,
  needsConfirmation: 5,
  notFound: 6,
  invalid: 7,
  rateLimited: 8,
  network: 9,
  drift: 10,
  interrupted: 130,
} as const;

export interface CliErrorFacts {
  readonly message: string;
  /** In snake_case, for programs: `profile_not_found`. */
  readonly code: string;
  /** Default: 1. */
  readonly exitCode?: number;
  /** Commands or sentences that say what to do. */
  readonly nextSteps?: readonly string[];
}

/** An error that is shown to the user, without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string;
  readonly exitCode: number;
  readonly nextSteps: readonly string[];

  constructor({ message, code, exitCode = EXIT.error, nextSteps = [] }: CliErrorFacts) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.nextSteps = nextSteps;
  }
}
