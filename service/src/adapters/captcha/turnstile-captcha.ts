import { type Static, Type } from "typebox";
import { sha256Hex } from "../../crypto/signing.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { Captcha } from "../../ports/captcha.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createVendorClient, type VendorApi, vendorApi } from "../http-client/vendor-client.ts";

const VENDOR = "turnstile";
const OPERATION = "turnstileSiteverify";
/** The maximum length that Cloudflare documents. */
const TOKEN_LENGTH_MAX = 2_048;
/** The widget's action name. Tokens from the operator's other forms have different actions and are rejected. */
const ACTION = "purser";
/** How long a used token is stored. Tokens are valid for 300 s. */
const CLAIM_MS = 600_000;
const TIMEOUT_MS = 2_500;
/**
 * Cloudflare's published test secrets. They accept a dummy token, which is reusable and not tied to a site. The secrets
 * are rejected in production.
 */
const DUMMY_SECRET = /^[123]x0{31}AA$/;

/** The error codes for an invalid token. All other codes concern the secret key, the request or the vendor. */
const TOKEN_ERROR_CODES: ReadonlySet<string> = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
]);

/** The response. Its status is 200 even if the token is invalid. */
const Verdict = Type.Object({
  success: Type.Boolean(),
  hostname: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  "error-codes": Type.Optional(Type.Array(Type.String())),
});

export interface TurnstileOptions {
  /** `https://challenges.cloudflare.com`, or the simulator's URL. */
  readonly apiUrl: string;
  readonly siteKey: string;
  readonly secretKey: string;
  /** The site's hostname. Tokens from other sites are rejected. */
  readonly hostname: string;
  /** Stores used tokens, so that a token cannot be used twice even if the vendor accepts it again. */
  readonly claimOnce: FastState["claimOnce"];
  readonly timeoutMs?: number;
}

/**
 * Cloudflare Turnstile (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/). The visitor's
 * IP address (`remoteip`) is optional and is not sent.
 */
export function createTurnstileCaptcha({
  apiUrl,
  siteKey,
  secretKey,
  hostname,
  claimOnce,
  timeoutMs = TIMEOUT_MS,
}: TurnstileOptions): Captcha {
  const turnstile = vendorApi(createVendorClient({ vendor: VENDOR, baseUrl: apiUrl, timeoutMs, readRetry: NO_RETRY }));
  const isDummy = DUMMY_SECRET.test(secretKey);

  return {
    challenge: async () => undefined,
    widget: { kind: VENDOR, siteKey, action: ACTION },

    verify: async (token, now) => {
      if (token.length > TOKEN_LENGTH_MAX) return false;
      const verdict = await callSiteverify(turnstile, { secret: secretKey, response: token });
      if (verdict === undefined) return false;
      if (isDummy) return true;
      if (verdict.hostname !== hostname || verdict.action !== ACTION) return false;
      const key = `captcha:${VENDOR}:${sha256Hex(token)}`;
      return claimOnce({ key, ttlMs: CLAIM_MS, nowMs: now.getTime() });
    },
  };
}

/**
 * Verifies a token with the vendor. Returns undefined if the token is invalid, so that the visitor can solve another
 * captcha. Throws `VendorError` if another captcha would not help, for example because the secret key is wrong.
 */
async function callSiteverify(
  turnstile: VendorApi,
  body: { readonly secret: string; readonly response: string },
): Promise<Static<typeof Verdict> | undefined> {
  const content = { body, secrets: Object.values(body) };
  const verdict = await turnstile.post(OPERATION, "/turnstile/v0/siteverify", Verdict, content);
  if (verdict.success) return verdict;
  const codes = verdict["error-codes"] ?? [];
  if (codes.length > 0 && codes.every((code) => TOKEN_ERROR_CODES.has(code))) return undefined;
  throw turnstile.error("refused", OPERATION, `no verdict: ${codes.slice(0, 5).join(", ").slice(0, 200)}`);
}
