import type { LinkError } from "../../foundation/vocabulary.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";

const REJECTIONS: ReadonlySet<VendorFailure> = new Set(["refused", "unauthorized", "not_found"]);

/** Returns true if the provider rejected the call. Any other failure means that there was no usable response. */
export function isRejection({ failure }: VendorError): boolean {
  return REJECTIONS.has(failure);
}

/** Returns why linking failed, if a call to the provider threw this error. Rethrows any other error. */
export function linkFailureOf(thrown: unknown, ifRejected: LinkError): { readonly error: LinkError } {
  if (!(thrown instanceof VendorError)) throw thrown;
  return { error: isRejection(thrown) ? ifRejected : "provider_unavailable" };
}
