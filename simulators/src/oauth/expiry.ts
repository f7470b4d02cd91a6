import type { VendorContext } from "../kit/vendor-simulator.ts";

/** The vendor's time in so many milliseconds, as RFC 3339. */
export function expiryIn(context: VendorContext, milliseconds: number): string {
  return new Date(context.now().getTime() + milliseconds).toISOString();
}

export function isOver(
  { expiresAt }: { readonly expiresAt: string },
  context: VendorContext,
): boolean {
  return Date.parse(expiresAt) <= context.now().getTime();
}
