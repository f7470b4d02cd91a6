import { createHash, randomBytes } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { expiryIn, isExpired } from "./expiry.ts";

/**
 * A user's consent. Its authorization code is bound to the app, to the redirect URI and, with PKCE, to the code
 * verifier.
 */
export interface Consent<Grant> {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Undefined if the app did not use PKCE. */
  readonly codeChallenge?: string;
  /** The vendor's data about the consent, returned when the code is exchanged. */
  readonly grant: Grant;
}

interface IssuedCode<Grant> extends Consent<Grant> {
  /** RFC 3339 timestamp. */
  readonly expiresAt: string;
}

export interface PresentedCode {
  readonly code: string;
  readonly codeVerifier?: string | undefined;
  /** Undefined if the client did not send a redirect URI. Some vendors require it when the code is exchanged. */
  readonly redirectUri?: string | undefined;
  readonly clientId: string;
}

/** The code's grant, or the parameter that makes the exchange invalid. */
export type Redemption<Grant> =
  | { readonly grant: Grant }
  | { readonly invalid: "code" | "redirect_uri" | "code_verifier" };

/**
 * Returns the ID of a stored code or token. The ID is a hash, because the control page shows IDs but must not show
 * codes or tokens.
 */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Issues an authorization code, which can be used once. */
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

/** Exchanges an authorization code for its grant. The code cannot be used again, even if the exchange fails. */
export async function redeemCode<Grant>(context: VendorContext, presented: PresentedCode): Promise<Redemption<Grant>> {
  const id = hashOf(presented.code);
  const found = await context.objects.find<IssuedCode<Grant>>("authorization_code", id);
  const isFirst = await context.objects.claim("authorization_code", id, "issued", "redeemed");
  if (found === undefined || !isFirst || isExpired(found.data, context)) return { invalid: "code" };
  const { clientId, redirectUri, codeChallenge, grant } = found.data;
  if (clientId !== presented.clientId) return { invalid: "code" };
  if (redirectUri !== (presented.redirectUri ?? redirectUri)) return { invalid: "redirect_uri" };
  const { codeVerifier } = presented;
  const challenge = codeVerifier && createHash("sha256").update(codeVerifier).digest("base64url");
  return codeChallenge === challenge ? { grant } : { invalid: "code_verifier" };
}
