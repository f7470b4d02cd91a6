import type { AssertStillMine } from "../durable/durable-execution.ts";
import { VendorError } from "../ports/vendor-error.ts";
import type { SagaRun } from "./saga.ts";

/** Creates a resource at a vendor that has no idempotency keys, and finds it again by a name that we choose. */
interface Order<Made> {
  readonly vendor: string;
  /** Returns the resource of an earlier attempt, or undefined if there is none. */
  readonly find: () => Promise<Made | undefined>;
  readonly make: () => Promise<Made>;
}

/**
 * Creates a resource exactly once, even if an earlier attempt timed out. Looks for the resource first. Creates it only if an
 * earlier attempt can no longer take effect (`vendorSettleMs`) and this process still owns the saga. After a refusal it looks
 * again, because the refusal may mean "already exists". Call it within `callVendor`, which retries it.
 */
export async function createResourceOnce<Made>(
  { app, lastOrder }: Pick<SagaRun<unknown>, "app" | "lastOrder">,
  assertStillMine: AssertStillMine,
  { vendor, find, make }: Order<Made>,
): Promise<Made> {
  const known = await find();
  if (known !== undefined) return known;
  const { givenUpAtMs } = lastOrder;
  if (givenUpAtMs !== null && performance.now() - givenUpAtMs < app.settings.vendorSettleMs) {
    const vendorMessage = "an earlier attempt may still take effect";
    throw new VendorError("unknown", { vendor, operation: "find", vendorMessage });
  }
  // Another process may have taken the saga over and created the resource in the meantime.
  await assertStillMine();
  lastOrder.givenUpAtMs = performance.now();
  return make().catch(async (error: unknown) => {
    const failure = error instanceof VendorError ? error.failure : "unknown";
    // This attempt had no effect: keep the time of the earlier one.
    const isTurnedAway = failure === "rate_limited" || failure === "unavailable";
    lastOrder.givenUpAtMs = isTurnedAway ? givenUpAtMs : performance.now();
    // The refusal may mean "already exists".
    const made = failure === "refused" ? await find().catch(() => undefined) : undefined;
    if (made === undefined) throw error;
    return made;
  });
}
