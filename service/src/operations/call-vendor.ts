import type { App } from "../app.ts";
import type { OperationError } from "../db/schema.ts";
import type { AssertStillMine, StepResult } from "../durable/durable-execution.ts";
import { isEngineError } from "../durable/engine-error.ts";
import { AppError } from "../foundation/errors.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { pauseMs } from "../foundation/retry.ts";
import type { Settings } from "../foundation/settings.ts";
import { VendorError } from "../ports/vendor-error.ts";
import type { OperationKey } from "./queries.ts";
import type { SagaRun } from "./saga.ts";

/** What ends a saga: somebody said no, or did not answer for too long. Made from a step's result alone, so that a replay makes it too. */
export class SagaFailure extends Error {
  override readonly name = "SagaFailure";
  readonly error: OperationError;
  /** Whether what was asked of a vendor may have happened all the same. */
  readonly mayHaveHappened: boolean;

  constructor(error: OperationError, mayHaveHappened = false) {
    super(error.code);
    this.error = error;
    this.mayHaveHappened = mayHaveHappened;
  }
}

const LONGEST_PAUSE_MS = 60_000;

type VendorOutcome<Result extends StepResult> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "refused"; readonly error: OperationError }
  | {
      readonly kind: "again";
      readonly error: OperationError;
      readonly afterMs: number | null;
      readonly mayHaveHappened: boolean;
    };

/**
 * Asks a vendor, and again after a pause where it did not answer or was not reached: each attempt is a step of its own, and
 * `call` must stand to be made again (look first, or send the same idempotency key). A vendor that refuses, and one that has
 * not answered for longer than the settings have patience, end it with a SagaFailure.
 */
export async function callVendor<Result extends StepResult>(
  { app, context, key }: Pick<SagaRun<unknown>, "app" | "context" | "key">,
  step: string,
  call: (assertStillMine: AssertStillMine) => Promise<Result>,
  { patience = "brief" }: { readonly patience?: keyof Settings["vendorPatience"] } = {},
): Promise<Result> {
  const { vendorPatience, vendorRetryMs: firstPauseMs } = app.settings;
  let mayHaveHappened = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await context.call(step, (assertStillMine) =>
      outcomeOf(app, key, () => call(assertStillMine)),
    );
    if (outcome.kind === "done") return outcome.result;
    if (outcome.kind === "refused") throw new SagaFailure(outcome.error, mayHaveHappened);
    mayHaveHappened ||= outcome.mayHaveHappened;
    // What may have happened cannot be given up: somebody has to look whether it did.
    const attemptsMax = vendorPatience[mayHaveHappened ? "long" : patience];
    if (attempt >= attemptsMax) throw new SagaFailure(outcome.error, mayHaveHappened);
    // Without jitter, so that a replay takes the same pauses.
    const policy = { attemptsMax, firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, jitter: false };
    await context.sleep(step, pauseMs(policy, attempt, outcome.afterMs));
  }
}

async function outcomeOf<Result extends StepResult>(
  app: Pick<App, "log">,
  key: OperationKey,
  call: () => Promise<Result>,
): Promise<VendorOutcome<Result>> {
  try {
    return { kind: "done", result: await call() };
  } catch (error) {
    if (error instanceof VendorError) return vendorOutcome(error);
    // The engine would keep an error that is thrown here, with whatever stands in it.
    if (!(error instanceof AppError)) return { kind: "refused", error: errorOf(app, key, error) };
    const told = { code: error.code, detail: error.message };
    if (error.status < 500) return { kind: "refused", error: told };
    return { kind: "again", error: told, afterMs: null, mayHaveHappened: false };
  }
}

function vendorOutcome(error: VendorError): VendorOutcome<never> {
  const { failure, vendor, vendorMessage, retryAfterSeconds } = error;
  const said = vendorMessage === undefined ? "" : ` It said: ${vendorMessage}`;
  switch (failure) {
    case "refused":
    case "not_found":
      return {
        kind: "refused",
        error: { code: "provider_error", detail: `${vendor} refused.${said}` },
      };
    case "unauthorized":
      return {
        kind: "refused",
        error: {
          code: "provider_error",
          detail: `${vendor} does not take our credentials any more. Link it again, then try again.`,
        },
      };
    default:
      return {
        kind: "again",
        error: { code: "provider_unavailable", detail: `${vendor} does not answer right now.` },
        afterMs: retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000,
        mayHaveHappened: failure === "unknown",
      };
  }
}

/**
 * Why a saga fails, as its operation tells it. What the engine throws is thrown on: it is about the execution and not about
 * the saga, which another process may own by now.
 */
export function errorOf(
  { log }: Pick<App, "log">,
  { operationId }: OperationKey,
  error: unknown,
): OperationError {
  if (isEngineError(error)) throw error;
  if (error instanceof SagaFailure) return error.error;
  const message = redactedMessage(error);
  log.error({ operation: operationId, message }, "a saga failed for a fault of ours");
  return { code: "internal_error", detail: "Something went wrong here." };
}
