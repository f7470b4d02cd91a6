import { type VendorNameOf, vendorNamesOf } from "../foundation/vendors.ts";
import type { Reader } from "./reader.ts";

const CAPTCHA_KINDS = ["altcha", ...vendorNamesOf("captcha")] as const;

/** The captcha provider. ALTCHA runs inside the server; Turnstile is an external service. */
export type CaptchaConfig =
  | {
      readonly kind: "altcha";
      readonly secret: string;
      /** Whether the local profile's test tokens are accepted. */
      readonly acceptDummies: boolean;
    }
  | {
      readonly kind: VendorNameOf<"captcha">;
      readonly siteKey: string;
      readonly secretKey: string;
    };

const SECRET_LENGTH_MIN = 32;

export function readCaptcha(read: Reader): CaptchaConfig {
  const kind = read.oneOf("PURSER_CAPTCHA", CAPTCHA_KINDS, "altcha");
  if (kind === "altcha") {
    const dummies = read.oneOf("PURSER_CAPTCHA_DUMMIES", ["no", "yes"], "no");
    return { kind, secret: read.secret("PURSER_CAPTCHA_SECRET"), acceptDummies: dummies === "yes" };
  }
  return {
    kind,
    siteKey: read.secret("CAPTCHA_SITE_KEY"),
    secretKey: read.secret("CAPTCHA_SECRET_KEY"),
  };
}

export function checkCaptcha(captcha: CaptchaConfig): string[] {
  const isShort = captcha.kind === "altcha" && captcha.secret !== "" && captcha.secret.length < SECRET_LENGTH_MIN;
  return isShort ? [`PURSER_CAPTCHA_SECRET is shorter than ${SECRET_LENGTH_MIN} characters.`] : [];
}

/**
 * Matches the test keys that Cloudflare publishes. With some of these keys, every captcha passes. With the others, every
 * captcha fails.
 */
const DUMMY_KEY = /^[123]x0+[A-F]{1,2}$/;

export function checkRealCaptcha(captcha: CaptchaConfig): string[] {
  if (captcha.kind === "altcha") {
    return captcha.acceptDummies ? ["PURSER_CAPTCHA_DUMMIES is allowed only in the local profile."] : [];
  }
  return [captcha.siteKey, captcha.secretKey].some((key) => DUMMY_KEY.test(key))
    ? ["CAPTCHA_SITE_KEY or CAPTCHA_SECRET_KEY is a test key of the vendor. Set your own."]
    : [];
}
