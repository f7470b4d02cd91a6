import { createAltchaCaptcha } from "../adapters/captcha/altcha-captcha.ts";
import type { Config } from "../config.ts";
import type { Captcha } from "../ports/captcha.ts";
import type { FastState } from "../ports/fast-state.ts";
import { VENDOR_FACTORIES } from "./vendors.ts";

/**
 * Creates the configured captcha. A vendor's captcha tokens are accepted only if they were issued for this server's
 * hostname.
 */
export function composeCaptcha(
  { captcha, vendors, settings }: Pick<Config, "captcha" | "vendors" | "settings">,
  claimOnce: FastState["claimOnce"],
): Captcha {
  if (captcha.kind === "altcha") {
    const { secret: hmacSecret, acceptDummies } = captcha;
    return createAltchaCaptcha({ hmacSecret, acceptDummies, claimOnce });
  }
  const { kind, ...keys } = captcha;
  const { hostname } = new URL(settings.publicUrl);
  return VENDOR_FACTORIES[kind]({ vendors })({ ...keys, hostname, claimOnce });
}
