import { APIConnectionError, APIError, PurserError } from "@purser/sdk";
import { cleanText, shownFields } from "./shown-fields.ts";

interface FieldError {
  readonly field: string;
  readonly detail: string;
}

/** A failure that this server finds itself. The message has no secrets. */
export class ToolError extends Error {
  readonly code: string;
  readonly errors: readonly FieldError[];

  constructor(code: string, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.code = code;
    this.errors = errors;
  }
}

export function invalidArguments(...errors: readonly FieldError[]): ToolError {
  return new ToolError("validation_error", "The arguments in errors are invalid. Nothing was sent.", errors);
}

/** What to do, by the code or the status of an error. The details of the API name its paths, not the tools. */
const REMEDIES: Readonly<Record<string, string>> = {
  validation_error: "Correct the arguments in errors, then call the tool again.",
  provider_not_linked: "Call provider_link_start, and ask the person to open its url. Then repeat the call.",
  payment_method_required: "Ask the person to attach a payment method to the project. Then repeat the call.",
  policy_denied: "Read policies and budgets. Do less, or ask the person. Do not try to get around the policy.",
  cap_exceeded: "Read budgets. Wait until the cap resets, or ask the person to raise it.",
  insufficient_funds: "Read wallet_balance. Pay less, or ask the person to add funds.",
  401: "Tell the person that the API key was not accepted. Do not try other keys.",
  404: "Check the id. List the objects to find the right one.",
};
const OTHERWISE = "Do what the detail says. The same call fails again, so do not repeat it unchanged.";
const DETAIL_CHARACTERS_MAX = 500;

/**
 * Describes a failure, and what to do.
 *
 * @param idempotencyKey the key that the call had, if it changes something
 */
export function describeError(error: unknown, idempotencyKey: string | undefined): object {
  const again = idempotencyKey ? ` with idempotency_key ${idempotencyKey}, so that it runs only once` : "";
  if (error instanceof APIError) {
    return { error: problemOf(error), what_to_do: remedyOf(error, again) };
  }
  if (error instanceof APIConnectionError) {
    const fields = { code: "connection_failed", detail: cleanText(error.message) };
    return {
      error: fields,
      what_to_do: `${again && "It may have been carried out. "}When the server runs, repeat the call${again}.`,
    };
  }
  if (error instanceof ToolError) {
    const { code, message, errors } = error;
    return { error: { code, detail: cleanText(message), errors }, what_to_do: REMEDIES[code] ?? OTHERWISE };
  }
  // The messages of other errors could contain what was read.
  const detail = error instanceof PurserError ? cleanText(error.message) : "The tool failed.";
  return { error: { code: "tool_failed", detail }, what_to_do: OTHERWISE };
}

function problemOf({ status, code, detail = "", errors, requestId, problem }: APIError): object {
  return {
    code: code ?? `http_${status}`,
    status,
    detail: cleanText(detail, DETAIL_CHARACTERS_MAX),
    ...(errors.length > 0 && { errors: errors.map(fieldError) }),
    ...(shownFields(problem, ["decision.*", "next_action.*"]) as object),
    request_id: requestId,
  };
}

/** Names the argument that a pointer such as `/body/to/value` or `/headers/idempotency-key` is about. */
function fieldError({ pointer, detail }: APIError["errors"][number]): FieldError {
  const [, part = "", ...names] = pointer.split("/");
  const name = names.join(".") || part;
  const field = part === "headers" ? name.replace(/^x-/, "").replaceAll("-", "_") : name;
  return { field: cleanText(field), detail: cleanText(detail) };
}

function remedyOf(
  { status, code = "", nextAction, retryable, retryAfterSeconds = 1 }: APIError,
  again: string,
): string {
  if (nextAction !== undefined) return "Do next_action first. If its actor is human, ask the person.";
  if (retryable || status >= 500) return `Wait ${retryAfterSeconds} seconds, then repeat the call${again}.`;
  return REMEDIES[code] ?? REMEDIES[status] ?? OTHERWISE;
}
