import { sha256Hex } from "../../crypto/signing.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { Captcha } from "../../ports/captcha.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createVendorClient } from "../http-client/vendor-client.ts";
import { callSiteverify, type Verdict } from "./siteverify.ts";

const VENDOR = "turnstile";
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
  const client = createVendorClient({
    vendor: VENDOR,
    baseUrl: apiUrl,
    timeoutMs,
    readRetry: NO_RETRY,
  });
  const isDummy = DUMMY_SECRET.test(secretKey);
  const isOwnSite = (verdict: Verdict) => verdict.hostname === hostname && verdict.action === ACTION;

  return {
    challenge: async () => undefined,
    widget: { kind: VENDOR, siteKey, action: ACTION },

    verify: async (token, now) => {
      if (token.length > TOKEN_LENGTH_MAX) return false;
      const verdict = await callSiteverify(client, {
        vendor: VENDOR,
        operation: "turnstileSiteverify",
        path: "/turnstile/v0/siteverify",
        body: { secret: secretKey, response: token },
        secrets: [secretKey, token],
      });
      if (verdict === undefined) return false;
      if (isDummy) return true;
      if (!isOwnSite(verdict)) return false;
      const key = `captcha:${VENDOR}:${sha256Hex(token)}`;
      return claimOnce({ key, ttlMs: CLAIM_MS, nowMs: now.getTime() });
    },
  };
}
