import type { VendorContext } from "../kit/vendor-simulator.ts";

/** Returns the vendor's current time plus the given duration, as an RFC 3339 timestamp. */
export function expiryIn(context: VendorContext, milliseconds: number): string {
  return new Date(context.now().getTime() + milliseconds).toISOString();
}

export function isExpired({ expiresAt }: { readonly expiresAt: string }, context: VendorContext): boolean {
  return Date.parse(expiresAt) <= context.now().getTime();
}
