import type { VendorContext } from "../kit/vendor-simulator.ts";

/** Returns an RFC 3339 timestamp this far in the future, according to the vendor's clock. */
export function expiryIn(context: VendorContext, milliseconds: number): string {
  return new Date(context.now().getTime() + milliseconds).toISOString();
}

export function isExpired(
  { expiresAt }: { readonly expiresAt: string },
  context: VendorContext,
): boolean {
  return Date.parse(expiresAt) <= context.now().getTime();
}
