import type { VendorContext } from "../kit/vendor-simulator.ts";

/** Returns a later time of the vendor's clock, as RFC 3339. */
export function expiryIn(context: VendorContext, milliseconds: number): string {
  return new Date(context.now().getTime() + milliseconds).toISOString();
}

export function isExpired(
  { expiresAt }: { readonly expiresAt: string },
  context: VendorContext,
): boolean {
  return Date.parse(expiresAt) <= context.now().getTime();
}
