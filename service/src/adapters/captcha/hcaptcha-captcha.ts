import { sha256Hex } from "../../crypto/signing.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { Captcha } from "../../ports/captcha.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createVendorClient } from "../http-client/vendor-client.ts";
import { callSiteverify, type Verdict } from "./siteverify.ts";

const VENDOR = "hcaptcha";
/** How long a used token is stored. Tokens are valid for 120 s. */
const CLAIM_MS = 600_000;
const TIMEOUT_MS = 2_500;
/**
 * hCaptcha's published test secret. It accepts one token, which is reusable and not tied to a site. The secret is
 * rejected in production.
 */
const DUMMY_SECRET = /^0x0{40}$/;
/** The `hostname` that hCaptcha returns if it does not report the site on which the captcha was solved. */
const NO_HOSTNAME = "not-provided";

export interface HcaptchaOptions {
  /** `https://api.hcaptcha.com`, or the simulator's URL. */
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
 * hCaptcha (https://docs.hcaptcha.com/#verify-the-user-response-server-side). A token must match the site key, and also
 * the hostname if hCaptcha returns one. The visitor's IP address is optional and is not sent.
 */
export function createHcaptchaCaptcha({
  apiUrl,
  siteKey,
  secretKey,
  hostname,
  claimOnce,
  timeoutMs = TIMEOUT_MS,
}: HcaptchaOptions): Captcha {
  const client = createVendorClient({
    vendor: VENDOR,
    baseUrl: apiUrl,
    timeoutMs,
    readRetry: NO_RETRY,
  });
  const isDummy = DUMMY_SECRET.test(secretKey);
  const isOwnSite = (verdict: Verdict) => verdict.hostname === hostname || verdict.hostname === NO_HOSTNAME;

  return {
    challenge: async () => undefined,
    widget: { kind: VENDOR, siteKey },

    verify: async (token, now) => {
      const verdict = await callSiteverify(client, {
        vendor: VENDOR,
        operation: "hcaptchaSiteverify",
        path: "/siteverify",
        form: { secret: secretKey, response: token, sitekey: siteKey },
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
