import { type Static, Type } from "typebox";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

/** The captcha vendors' verification response. The status is 200 even if the token is invalid. */
const Verdict = Type.Object({
  success: Type.Boolean(),
  hostname: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  "error-codes": Type.Optional(Type.Array(Type.String())),
});
export type Verdict = Static<typeof Verdict>;

/**
 * Turnstile's and hCaptcha's error codes for an invalid token. All other codes concern the secret key, the request or
 * the vendor.
 */
const TOKEN_ERROR_CODES: ReadonlySet<string> = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
  "expired-input-response",
  "already-seen-response",
  "invalid-or-already-seen-response",
  "not-using-dummy-secret",
  "not-using-dummy-passcode",
]);

export interface SiteverifyCall
  extends Pick<VendorCall<typeof Verdict>, "operation" | "path" | "body" | "form" | "secrets"> {
  readonly vendor: string;
}

/**
 * Verifies a token with the vendor. Returns undefined if the token is invalid, so that the visitor can solve another
 * captcha. Throws `VendorError` if another captcha would not help, for example because the secret key is wrong.
 */
export async function callSiteverify(
  client: VendorClient,
  { vendor, ...call }: SiteverifyCall,
): Promise<Verdict | undefined> {
  const verdict = await client.call({ ...call, method: "POST", schema: Verdict });
  if (verdict.success) return verdict;
  const codes = verdict["error-codes"] ?? [];
  if (codes.length > 0 && codes.every((code) => TOKEN_ERROR_CODES.has(code))) return undefined;
  throw new VendorError("refused", {
    vendor,
    operation: call.operation,
    vendorMessage: `no verdict: ${codes.slice(0, 5).join(", ").slice(0, 200)}`,
  });
}
