import type { ForcedOutcome } from "../kit/outcome.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";

/** Thrown for an unknown vendor, operation or event type. The message lists the valid ones. */
export class UnknownNameError extends Error {
  override readonly name = "UnknownNameError";
}

export function getVendor(vendors: readonly RunningVendor[], name: string): RunningVendor {
  const found = vendors.find(({ simulator }) => simulator.vendor === name);
  if (found) return found;
  const known = vendors.map(({ simulator }) => simulator.vendor);
  throw new UnknownNameError(`Unknown vendor "${name}". Known vendors: ${known.join(", ")}.`);
}

/**
 * Forces an outcome for an operation's next calls. Throws UnknownNameError if the vendor or the operation is unknown.
 */
export function forceOutcome(
  vendors: readonly RunningVendor[],
  forced: ForcedOutcome & { readonly vendor: string },
): void {
  const { simulator, outcomes } = getVendor(vendors, forced.vendor);
  const known = operationsOf(simulator);
  if (!known.includes(forced.operation))
    throw new UnknownNameError(
      `${simulator.displayName} has no operation "${forced.operation}". Known operations: ${known.join(", ")}.`,
    );
  outcomes.force(forced);
}

/**
 * Sends an event from the vendor and returns the event's ID. Throws UnknownNameError if the vendor or the type is
 * unknown.
 */
export async function fireEvent(
  vendors: readonly RunningVendor[],
  event: { readonly vendor: string; readonly type: string; readonly objectId?: string },
): Promise<string> {
  const { simulator, context } = getVendor(vendors, event.vendor);
  const { webhooks, displayName } = simulator;
  if (!webhooks) throw new UnknownNameError(`The ${displayName} simulator sends no events.`);
  if (!webhooks.types.includes(event.type))
    throw new UnknownNameError(
      `${displayName} has no event type "${event.type}". Known types: ${webhooks.types.join(", ")}.`,
    );
  return webhooks.fire(event, context);
}

export function operationsOf({ routes }: RunningVendor["simulator"]): readonly string[] {
  return [...new Set(routes.flatMap(({ operation, methods = [] }) => [operation, ...methods]))];
}
