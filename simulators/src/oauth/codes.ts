import { createHash, randomBytes } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { expiryIn, isOver } from "./expiry.ts";

/** What a person agreed to: the code is for this app and this address, and with PKCE for the holder of the verifier. */
export interface Consent<Grant> {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Absent where the app asked without PKCE. */
  readonly codeChallenge?: string;
  /** What the code gives. */
  readonly grant: Grant;
}

interface IssuedCode<Grant> extends Consent<Grant> {
  /** RFC 3339. */
  readonly expiresAt: string;
}

export interface PresentedCode {
  readonly code: string;
  readonly codeVerifier?: string | undefined;
  /** Undefined where the vendor does not ask for it again. */
  readonly redirectUri?: string | undefined;
  readonly clientId: string;
}

/** What the code gave, or what is not good of what was presented. */
export type Redemption<Grant> =
  | { readonly grant: Grant }
  | { readonly wrong: "code" | "redirect_uri" | "code_verifier" };

/** Codes and tokens are kept as hashes, under which they are found: the control page shows ids. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A code that is good once, for as long as the vendor's codes are. */
export async function issueCode<Grant>(
  context: VendorContext,
  consent: Consent<Grant>,
  lifetimeMs: number,
): Promise<string> {
  const code = randomBytes(24).toString("hex");
  await context.objects.insert({
    type: "authorization_code",
    id: hashOf(code),
    state: "issued",
    data: { ...consent, expiresAt: expiryIn(context, lifetimeMs) },
  });
  return code;
}

/** Whatever comes of it, a code that was presented is spent. */
export async function redeemCode<Grant>(
  context: VendorContext,
  presented: PresentedCode,
): Promise<Redemption<Grant>> {
  const id = hashOf(presented.code);
  const found = await context.objects.find<IssuedCode<Grant>>("authorization_code", id);
  const isFirst = await context.objects.claim("authorization_code", id, "issued", "redeemed");
  if (found === undefined || !isFirst || isOver(found.data, context)) return { wrong: "code" };
  const { clientId, redirectUri, codeChallenge, grant } = found.data;
  if (clientId !== presented.clientId) return { wrong: "code" };
  if (redirectUri !== (presented.redirectUri ?? redirectUri)) return { wrong: "redirect_uri" };
  const { codeVerifier } = presented;
  const challenge = codeVerifier && createHash("sha256").update(codeVerifier).digest("base64url");
  return codeChallenge === challenge ? { grant } : { wrong: "code_verifier" };
}
