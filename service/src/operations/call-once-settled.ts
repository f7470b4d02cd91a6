import type { AssertStillOwned } from "../durable/durable-execution.ts";
import { VendorError } from "../ports/vendor-error.ts";
import type { SagaRun } from "./saga.ts";

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
