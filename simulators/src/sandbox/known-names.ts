import type { ForcedOutcome } from "../kit/outcome.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";

/** A name that means nothing here. The message says which ones do. */
export class UnknownNameError extends Error {
  override readonly name = "UnknownNameError";
}

export function vendorNamed(vendors: readonly RunningVendor[], name: string): RunningVendor {
  const found = vendors.find(({ simulator }) => simulator.vendor === name);
  if (found) return found;
  const known = vendors.map(({ simulator }) => simulator.vendor);
  throw new UnknownNameError(`No vendor is called "${name}". Known: ${known.join(", ")}.`);
}

/** Makes the vendor's next calls of an operation end as they are told to. */
export function forceOutcome(
  vendors: readonly RunningVendor[],
  forced: ForcedOutcome & { readonly vendor: string },
): void {
  const { simulator, outcomes } = vendorNamed(vendors, forced.vendor);
  const known = operationsOf(simulator);
  if (!known.includes(forced.operation))
    throw new UnknownNameError(
      `${simulator.displayName} has no operation "${forced.operation}". Known: ${known.join(", ")}.`,
    );
  outcomes.force(forced);
}

/** Fires an event of the vendor's, and gives its id. */
export async function fireEvent(
  vendors: readonly RunningVendor[],
  event: { readonly vendor: string; readonly type: string; readonly objectId?: string },
): Promise<string> {
  const { simulator, context } = vendorNamed(vendors, event.vendor);
  const { webhooks, displayName } = simulator;
  if (!webhooks) throw new UnknownNameError(`${displayName} sends no events here yet.`);
  if (!webhooks.types.includes(event.type))
    throw new UnknownNameError(
      `${displayName} has no event "${event.type}". Known: ${webhooks.types.join(", ")}.`,
    );
  return webhooks.fire(event, context);
}

export function operationsOf({ routes }: RunningVendor["simulator"]): readonly string[] {
  return [...new Set(routes.map(({ operation }) => operation))];
}
