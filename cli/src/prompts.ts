import { CliError, EXIT_CODES } from "./cli-error.ts";
import type { Terminal } from "./terminal.ts";

const STREAMS = { output: process.stderr };

/** Asks for a text. What is typed for a secret is not shown. */
export async function askText(message: string, { isSecret = false } = {}): Promise<string> {
  const { text, password } = await import("@clack/prompts");
  return orCancel(await (isSecret ? password({ message, ...STREAMS }) : text({ message, ...STREAMS })));
}

export async function askChoice(
  message: string,
  choices: readonly { value: string; label: string }[],
): Promise<string> {
  const { select } = await import("@clack/prompts");
  return orCancel(await select({ message, options: [...choices], ...STREAMS }));
}

/**
 * Asks before something that cannot be undone. `--yes` answers it.
 *
 * @throws CliError with exit code 5 if no one can be asked, 3 if the answer is no.
 */
export async function confirm(
  question: string,
  { terminal, yes }: { terminal: Terminal; yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) {
    throw new CliError({
      message: `${question} No one can be asked here.`,
      code: "confirmation_needed",
      exitCode: EXIT_CODES.confirmationNeeded,
      nextSteps: ["Pass --yes to confirm."],
    });
  }
  const { confirm: ask } = await import("@clack/prompts");
  if (!orCancel(await ask({ message: question, initialValue: false, ...STREAMS }))) cancelled(EXIT_CODES.cancelled);
}

/** The library returns a symbol for Ctrl-C and Escape. */
function orCancel<Answer>(answer: Answer): Exclude<Answer, symbol> {
  return typeof answer === "symbol" ? cancelled(EXIT_CODES.interrupted) : (answer as Exclude<Answer, symbol>);
}

function cancelled(exitCode: number): never {
  throw new CliError({ message: "Cancelled. Nothing was changed.", code: "cancelled", exitCode });
}
