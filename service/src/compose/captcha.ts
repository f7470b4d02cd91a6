import { createAltchaCaptcha } from "../adapters/captcha/altcha-captcha.ts";
import { createHcaptchaCaptcha } from "../adapters/captcha/hcaptcha-captcha.ts";
import { createTurnstileCaptcha } from "../adapters/captcha/turnstile-captcha.ts";
import type { Config } from "../config.ts";
import type { Captcha } from "../ports/captcha.ts";
import type { FastState } from "../ports/fast-state.ts";

/** Who tells people from programs, as the configuration names them. A vendor's tokens are taken from our own site alone. */
export function composeCaptcha(
  { captcha, vendors, settings }: Pick<Config, "captcha" | "vendors" | "settings">,
  claimOnce: FastState["claimOnce"],
): Captcha {
  if (captcha.kind === "altcha") {
    const { secret: hmacSecret, acceptDummies } = captcha;
    return createAltchaCaptcha({ hmacSecret, acceptDummies, claimOnce });
  }
  const { kind, siteKey, secretKey } = captcha;
  const { hostname } = new URL(settings.publicUrl);
  const { turnstileUrl, hcaptchaUrl } = vendors.captcha;
  return kind === "turnstile"
    ? createTurnstileCaptcha({ apiUrl: turnstileUrl, siteKey, secretKey, hostname, claimOnce })
    : createHcaptchaCaptcha({ apiUrl: hcaptchaUrl, siteKey, secretKey, hostname, claimOnce });
}
