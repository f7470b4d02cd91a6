import {
  APIConnectionError,
  APIError,
  OperationFailedError,
  OperationTimeoutError,
  PurserError,
  SignatureVerificationError,
} from "@purser/sdk";
import { InvalidArgumentError } from "commander";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import { kebabCase } from "../name-case.ts";

export interface Failure {
  readonly error: Readonly<Record<string, unknown>>;
  readonly nextSteps: readonly string[];
  readonly exitCode: number;
}

const EXIT_CODE_OF_STATUS: ReadonlyMap<number, number> = new Map([
  [400, EXIT_CODES.validation],
  [401, EXIT_CODES.auth],
  [404, EXIT_CODES.notFound],
  [422, EXIT_CODES.validation],
  [429, EXIT_CODES.rateLimited],
]);
/** Refusals that another key, not another request, would change. */
const KEY_CODES: ReadonlySet<string | undefined> = new Set(["insufficient_scope", "key_not_allowed"]);

const WHO = { human: "A person must", agent: "You must" } as const;

/** Returns how an error is reported. A bug keeps its stack, everything else is one sentence and what to do next. */
export function failureOf(error: unknown, baseUrl: string): Failure {
  if (error instanceof CliError) {
    const { message, code, nextSteps, exitCode } = error;
    return { error: { code, message }, nextSteps, exitCode };
  }
  if (error instanceof APIError) return apiFailure(error, baseUrl);
  if (error instanceof APIConnectionError) return connectionFailure(error);
  if (error instanceof PurserError) return sdkFailure(error);
  // A file of an option that does not exist is the user's mistake.
  if (error instanceof InvalidArgumentError || (error instanceof Error && "syscall" in error && "path" in error)) {
    const nextSteps = ["Add --help to the command for its options."];
    return { error: { code: "usage", message: error.message }, nextSteps, exitCode: EXIT_CODES.usage };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    error: { code: "unexpected", message: `This is a bug: ${message}` },
    nextSteps: [],
    exitCode: EXIT_CODES.error,
  };
}

function sdkFailure(error: PurserError): Failure {
  const { message } = error;
  if (error instanceof SignatureVerificationError) {
    const nextSteps = ["Do not use the data. `purser doctor` shows the server: a proxy may have changed the response."];
    return { error: { code: "signature_invalid", message }, nextSteps, exitCode: EXIT_CODES.error };
  }
  if (error instanceof OperationFailedError || error instanceof OperationTimeoutError) {
    const { operation_id: id, status, steps } = error.operation;
    const nextSteps = [`purser operations get ${id}`];
    return { error: { code: `operation_${status}`, message, steps }, nextSteps, exitCode: EXIT_CODES.error };
  }
  return { error: { code: "invalid_settings", message }, nextSteps: [], exitCode: EXIT_CODES.usage };
}

function apiFailure(error: APIError, baseUrl: string): Failure {
  const { status, code, requestId, detail, errors, nextAction, decision } = error;
  // Another server's problem can have any form.
  const parts = Array.isArray(errors) ? errors : [];
  const fields = parts.map(({ pointer, detail: reason }) => `${placeOf(pointer)}: ${reason}`);
  return {
    error: {
      code,
      message: [`${detail ?? error.message} (${code ?? status})`, ...fields].join("\n  "),
      status,
      request_id: requestId,
      errors: parts,
      ...(decision && { decision }),
      ...(nextAction && { next_action: nextAction }),
    },
    nextSteps: nextStepsOf(error, baseUrl),
    exitCode: KEY_CODES.has(code) ? EXIT_CODES.auth : (EXIT_CODE_OF_STATUS.get(status) ?? EXIT_CODES.error),
  };
}

/** Returns the option that a value was typed for, and where in it: `--rules[1].effect`. A value of a path has no option. */
function placeOf(pointer: string): string {
  if (pointer.toLowerCase() === "/headers/x-agent-id") return "--agent";
  const [, option, within = ""] = /^\/(?:body|query)\/(\w+)(\/.*)?$/.exec(pointer) ?? [];
  if (option === undefined) return pointer.split("/").at(-1) || pointer;
  return `--${kebabCase(option)}${within.replaceAll(/\/(\d+)/g, "[$1]").replaceAll("/", ".")}`;
}

/** The details of the API name its paths, not the commands. */
const COMMANDS: Readonly<Record<string, string>> = {
  provider_not_linked: "purser link PROVIDER",
  payment_method_required: "purser projects billing attach-payment-method",
};

function nextStepsOf(error: APIError, baseUrl: string): string[] {
  const { code, nextAction, retryAfterSeconds, problem } = error;
  const steps: string[] = [];
  if (nextAction) {
    const { actor, type, url = "" } = nextAction;
    steps.push(`${WHO[actor]}: ${type.replaceAll("_", " ")} ${url}`.trim());
  }
  steps.push(...commandsFor(error));
  if (retryAfterSeconds !== undefined) steps.push(`Try again in ${retryAfterSeconds} seconds.`);
  const page = problem.type ?? `/errors/${code}`;
  if (code !== undefined && URL.canParse(page, baseUrl)) steps.push(`Explained at ${new URL(page, baseUrl)}`);
  return steps;
}

function commandsFor({ status, code = "", detail = "", decision }: APIError): string[] {
  const command = COMMANDS[code];
  if (command !== undefined) return [command];
  const [, scope] = /the scope (\w+:\w+)/.exec(detail) ?? [];
  if (code === "insufficient_scope" && scope) return [`purser login --scope ${scope} --profile NAME`];
  if (decision !== undefined && "policy_id" in decision) return [`purser policies get ${decision.policy_id}`];
  return status === 401 ? ["purser doctor"] : [];
}

function connectionFailure({ message }: APIConnectionError): Failure {
  const nextSteps = ["purser doctor"];
  return { error: { code: "no_response", message }, nextSteps, exitCode: EXIT_CODES.network };
}
