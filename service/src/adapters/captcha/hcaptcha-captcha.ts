import { sha256Hex } from "../../crypto/signing.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { Captcha } from "../../ports/captcha.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createVendorClient } from "../http-client/vendor-client.ts";
import { callSiteverify, type Verdict } from "./siteverify.ts";

const VENDOR = "hcaptcha";
/** Longer than a token lives (120 s). */
const CLAIM_MS = 600_000;
const TIMEOUT_MS = 2_500;
/** hCaptcha publishes it for tests. All of them have the same token, and it is from no site: production refuses it. */
const DUMMY_SECRET = /^0x0{40}$/;
/** What hCaptcha says where it does not say on which site a captcha was solved. */
const NO_HOSTNAME = "not-provided";

export interface HcaptchaOptions {
  /** `https://api.hcaptcha.com`, or the simulator's address. */
  readonly apiUrl: string;
  readonly siteKey: string;
  readonly secretKey: string;
  /** The site whose tokens are taken. */
  readonly hostname: string;
  /** Remembers the tokens that were taken, so that each is good once whatever the vendor says. */
  readonly claimOnce: FastState["claimOnce"];
  readonly timeoutMs?: number;
}

/**
 * hCaptcha (https://docs.hcaptcha.com/#verify-the-user-response-server-side). A token is bound to our site key, and to our
 * site where hCaptcha names one. The visitor's address is not passed on: it is optional there, and nothing is decided by it.
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
  const isOurs = (verdict: Verdict) =>
    verdict.hostname === hostname || verdict.hostname === NO_HOSTNAME;

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
      if (!isOurs(verdict)) return false;
      const key = `captcha:${VENDOR}:${sha256Hex(token)}`;
      return claimOnce({ key, ttlMs: CLAIM_MS, nowMs: now.getTime() });
    },
  };
}
