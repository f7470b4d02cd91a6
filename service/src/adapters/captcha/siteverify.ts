import { type Static, Type } from "typebox";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

/** What the captcha vendors answer when they are asked about a token. Each verdict is a 200. */
const Verdict = Type.Object({
  success: Type.Boolean(),
  hostname: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  "error-codes": Type.Optional(Type.Array(Type.String())),
});
export type Verdict = Static<typeof Verdict>;

/** Codes of both vendors that speak of the token. Any other speaks of us: our keys, our request, or the vendor itself. */
const TOKENS_FAULTS: ReadonlySet<string> = new Set([
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
 * Asks a vendor about a token. Undefined: the token is no good. Throws `VendorError` where that cannot be told, wrong keys of
 * ours included: nobody is let in, and nobody is told to try another captcha, for a fault that is not theirs.
 */
export async function callSiteverify(
  client: VendorClient,
  { vendor, ...call }: SiteverifyCall,
): Promise<Verdict | undefined> {
  const verdict = await client.call({ ...call, method: "POST", schema: Verdict });
  if (verdict.success) return verdict;
  const codes = verdict["error-codes"] ?? [];
  if (codes.length > 0 && codes.every((code) => TOKENS_FAULTS.has(code))) return undefined;
  throw new VendorError("refused", {
    vendor,
    operation: call.operation,
    vendorMessage: `no verdict: ${codes.slice(0, 5).join(", ").slice(0, 200)}`,
  });
}
