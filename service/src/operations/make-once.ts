import type { AssertStillMine } from "../durable/durable-execution.ts";
import { VendorError } from "../ports/vendor-error.ts";
import type { SagaRun } from "./saga.ts";

/** Something to be made at a vendor that has no idempotency keys, but finds what it has made by a name of ours. */
interface Order<Made> {
  readonly vendor: string;
  /** What an earlier attempt has made, or undefined where there is nothing. */
  readonly find: () => Promise<Made | undefined>;
  readonly make: () => Promise<Made>;
}

/**
 * The one rule about orders whose outcome is not known. Looks before it makes, since an attempt before this one may have made
 * it. Orders again only when an order before this one would have been carried out by now, and when nobody has taken the saga
 * over. To be called within `askVendor`, which calls it again where the outcome is unknown.
 */
export async function makeOnce<Made>(
  { app, lastOrder }: Pick<SagaRun<unknown>, "app" | "lastOrder">,
  assertStillMine: AssertStillMine,
  { vendor, find, make }: Order<Made>,
): Promise<Made> {
  const known = await find();
  if (known !== undefined) return known;
  const { givenUpAtMs } = lastOrder;
  if (givenUpAtMs !== null && performance.now() - givenUpAtMs < app.settings.vendorSettleMs) {
    const vendorMessage = "an order before this one may be carried out yet";
    throw new VendorError("unknown", { vendor, operation: "provision", vendorMessage });
  }
  // Whoever took this over has seen as little of it as we have, and may have made it since.
  await assertStillMine();
  lastOrder.givenUpAtMs = performance.now();
  return make().catch(async (error: unknown) => {
    const failure = error instanceof VendorError ? error.failure : "unknown";
    // Nothing happened: what is known of an order before this one stays as it was.
    const isTurnedAway = failure === "rate_limited" || failure === "unavailable";
    lastOrder.givenUpAtMs = isTurnedAway ? givenUpAtMs : performance.now();
    // "It exists already" is a refusal that may be about what was made a moment ago.
    const made = failure === "refused" ? await find().catch(() => undefined) : undefined;
    if (made === undefined) throw error;
    return made;
  });
}
