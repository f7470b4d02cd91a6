import type { App } from "../app.ts";
import type { OperationError } from "../db/schema.ts";
import { type AssertStillOwned, isEngineError, type StepResult } from "../durable/durable-execution.ts";
import { AppError } from "../foundation/errors.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { pauseMs } from "../foundation/retry.ts";
import type { Settings } from "../foundation/settings.ts";
import { isFailure, VendorError } from "../ports/vendor-error.ts";
import { storedError } from "./operation-resource.ts";
import type { OperationKey } from "./queries.ts";
import type { SagaRun } from "./saga.ts";

/**
 * Thrown to end a saga because a step was rejected or a vendor did not respond. A replay of the workflow uses the same
 * stored step results and therefore throws the same error.
 */
export class SagaFailure extends Error {
  override readonly name = "SagaFailure";
  readonly error: OperationError;
  /** Whether the vendor may have executed a call that failed. */
  readonly mayHaveHappened: boolean;

  constructor(error: OperationError, mayHaveHappened = false) {
    super(error.code);
    this.error = error;
    this.mayHaveHappened = mayHaveHappened;
  }
}

const PAUSE_MS_MAX = 60_000;

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
 * Calls a vendor, and retries after a pause if the vendor does not respond. Each attempt is a workflow step. `call`
 * must be safe to repeat: it must look for an existing result first, or send the same idempotency key every time.
 * Throws `SagaFailure` if the vendor rejects the call or the maximum number of attempts is reached.
 */
export async function callVendor<Result extends StepResult>(
  { app, context, key }: Pick<SagaRun<unknown>, "app" | "context" | "key">,
  step: string,
  call: (assertStillOwned: AssertStillOwned) => Promise<Result>,
  { patience = "brief" }: { readonly patience?: keyof Settings["vendorAttempts"] } = {},
): Promise<Result> {
  const { vendorAttempts, vendorRetryMs: firstPauseMs } = app.settings;
  let mayHaveHappened = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await context.call(step, async (assertStillOwned) => ({
      ...(await outcomeOf(app, key, () => call(assertStillOwned))),
      isRepeated: context.abandonedForMs !== null,
    }));
    if (outcome.kind === "done") return outcome.result;
    // An execution that was interrupted may have made the same call.
    mayHaveHappened ||= outcome.isRepeated;
    if (outcome.kind === "refused") throw new SagaFailure(outcome.error, mayHaveHappened);
    mayHaveHappened ||= outcome.mayHaveHappened;
    // A call that may have been executed gets more attempts, because its outcome must be determined.
    const attemptsMax = vendorAttempts[mayHaveHappened ? "long" : patience];
    if (attempt >= attemptsMax) throw new SagaFailure(outcome.error, mayHaveHappened);
    // There is no jitter, so that a replay computes the same pauses.
    const policy = { attemptsMax, firstPauseMs, longestPauseMs: PAUSE_MS_MAX, jitter: false };
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
    // The error is returned instead of thrown. The workflow engine would store a thrown error with all its properties,
    // which may include secrets.
    if (!(error instanceof AppError)) return { kind: "refused", error: operationErrorOf(app, key, error) };
    const operationError = storedError(error);
    if (error.status < 500) return { kind: "refused", error: operationError };
    return { kind: "again", error: operationError, afterMs: null, mayHaveHappened: false };
  }
}

function vendorOutcome(error: VendorError): VendorOutcome<never> {
  const { failure, vendor, vendorMessage, retryAfterSeconds } = error;
  const message = vendorMessage === undefined ? "" : ` Its message: ${vendorMessage}`;
  const refused = (detail: string) => ({ kind: "refused", error: { code: "provider_error", detail } }) as const;
  switch (failure) {
    case "refused":
    case "not_found":
      return refused(`${vendor} rejected the request.${message}`);
    case "unauthorized":
      return refused(
        `${vendor} no longer accepts this project's credentials. Link the provider again, then repeat the request.`,
      );
    default:
      return {
        kind: "again",
        error: { code: "provider_unavailable", detail: `${vendor} did not respond. Repeat the request later.` },
        afterMs: retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000,
        mayHaveHappened: failure === "unknown",
      };
  }
}

/**
 * Returns the error to show in the operation. Rethrows errors of the workflow engine. They end this execution but not
 * the operation, for example if another process has taken over the workflow.
 */
export function operationErrorOf(
  { log }: Pick<App, "log">,
  { operationId }: OperationKey,
  error: unknown,
): OperationError {
  if (isEngineError(error)) throw error;
  if (error instanceof SagaFailure) return error.error;
  const message = redactedMessage(error);
  log.error({ operation: operationId, message }, "operation failed because of an internal error");
  const detail = "An internal error occurred. Include the request_id when you contact support.";
  return { code: "internal_error", detail };
}

/**
 * A resource to create at a vendor that has no idempotency keys. Purser chooses the resource's name and later finds the
 * resource by that name.
 */
interface Creation<Resource> {
  readonly vendor: string;
  /** Returns the resource that an earlier attempt created, or undefined if there is none. */
  readonly find: () => Promise<Resource | undefined>;
  readonly create: () => Promise<Resource>;
}

/**
 * Creates a resource exactly once, even if an earlier attempt timed out. Returns the resource if it already exists. Throws
 * VendorError while an earlier attempt may still take effect. Must be called within `callVendor`, which then retries.
 */
export async function createResourceOnce<Resource>(
  run: Pick<SagaRun<unknown>, "app" | "lastCreation">,
  assertStillOwned: AssertStillOwned,
  { vendor, find, create }: Creation<Resource>,
): Promise<Resource> {
  const existing = await find();
  if (existing !== undefined) return existing;
  return callOnceSettled(run, assertStillOwned, { vendor, call: create }).catch(async (error: unknown) => {
    // The vendor may have rejected the call because the resource already exists.
    const found = isFailure(error, "refused") ? await find().catch(() => undefined) : undefined;
    if (found === undefined) throw error;
    return found;
  });
}

/**
 * Makes a call that must not be repeated while an earlier one may still take effect. Throws VendorError if the last such
 * call is less than `vendorSettleMs` ago. Must be called within `callVendor`, which then retries.
 */
export async function callOnceSettled<Result>(
  { app, lastCreation }: Pick<SagaRun<unknown>, "app" | "lastCreation">,
  assertStillOwned: AssertStillOwned,
  { vendor, call }: { readonly vendor: string; readonly call: () => Promise<Result> },
): Promise<Result> {
  const { endedAtMs } = lastCreation;
  if (endedAtMs !== null && performance.now() - endedAtMs < app.settings.vendorSettleMs) {
    const vendorMessage = "an earlier attempt may still take effect";
    throw new VendorError("unknown", { vendor, operation: "find", vendorMessage });
  }
  // Another process may have taken over the saga and made the call meanwhile.
  await assertStillOwned();
  lastCreation.endedAtMs = performance.now();
  return call().catch((error: unknown) => {
    const failure = error instanceof VendorError ? error.failure : "unknown";
    // If this call had no effect, only an earlier call may still take effect. The earlier call's end time is therefore
    // restored.
    const hadNoEffect = failure === "rate_limited" || failure === "unavailable";
    lastCreation.endedAtMs = hadNoEffect ? endedAtMs : performance.now();
    throw error;
  });
}
