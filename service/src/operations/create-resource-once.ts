import type { AssertStillOwned } from "../durable/durable-execution.ts";
import { isFailure, VendorError } from "../ports/vendor-error.ts";
import type { SagaRun } from "./saga.ts";

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
