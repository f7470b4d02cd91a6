import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../app.ts";
import type { AssertStillMine } from "../durable/durable-execution.ts";
import { VendorError } from "../ports/vendor-error.ts";
import type { SagaRun } from "./saga.ts";

/** How often what may have been made is looked for, each time after twice the pause, before it is taken for never made. */
const LOOKS_MAX = 4;

/** A thing at a vendor that has no idempotency keys, but finds what it made by a name of ours. */
interface Order<Made> {
  /** What an earlier attempt has made, or undefined where there is definitely nothing. */
  readonly find: () => Promise<Made | undefined>;
  readonly make: () => Promise<Made>;
}

/**
 * The one rule about orders whose outcome is not known. Looks before it makes, since an attempt before this one may have made
 * it; makes sure that nobody has taken the saga over; orders; and looks again where the order was refused, or was not
 * answered. To be called within `askVendor`, which makes it again.
 */
export async function makeOnce<Made>(
  {
    app,
    abandonedForMs,
    noteOrder,
  }: Pick<SagaRun<unknown>, "app" | "abandonedForMs" | "noteOrder">,
  assertStillMine: AssertStillMine,
  { find, make }: Order<Made>,
): Promise<Made> {
  if (abandonedForMs !== null) {
    // An execution that died may have sent an order that the vendor has not carried out yet: by then it has.
    await delay(Math.max(0, app.settings.vendorSettleMs - abandonedForMs));
  }
  const known = await find();
  if (known !== undefined) return known;
  // Whoever took this over has seen as little of it as we have, and may have made it since.
  await assertStillMine();
  noteOrder();
  return make().catch(async (error: unknown) => {
    const made = await lookAfter(error, app, () => find().catch(() => undefined));
    if (made === undefined) throw error;
    return made;
  });
}

/** What has been made although the order failed, as far as that can be. */
async function lookAfter<Made>(
  error: unknown,
  { settings }: Pick<App, "settings">,
  find: Order<Made>["find"],
): Promise<Made | undefined> {
  const failure = error instanceof VendorError ? error.failure : undefined;
  // "It exists already" is a refusal that may be about what was made a moment ago.
  if (failure === "refused") return find();
  if (failure !== "unknown") return undefined;
  // It may come to be long after its answer was given up, and to ask again too soon would make it twice.
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    await delay(settings.vendorRetryMs * 2 ** look);
    const made = await find();
    if (made !== undefined) return made;
  }
  return undefined;
}
