import { type HcaptchaKeys, hcaptchaSimulator } from "../hcaptcha/hcaptcha-simulator.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { turnstileSimulator } from "../turnstile/turnstile-simulator.ts";

const TURNSTILE_KEYS = {
  siteKey: "0x4AAAAAAAsandboxsitekey",
  secretKey: "0x4AAAAAAAsandboxsandboxsandboxsecret",
};
const HCAPTCHA_KEYS = {
  siteKey: "5a9db0c0-5a9d-4b0c-8c7a-5a9db0c50000",
  secretKey: "ES_sandboxsandboxsandboxsandboxsecret",
};

/** Those who tell people from programs, and the keys of a site at each. */
export interface CaptchaVendors {
  readonly turnstile: HcaptchaKeys & { readonly url: string };
  readonly hcaptcha: HcaptchaKeys & { readonly url: string };
}

export async function startCaptchaVendors(
  start: (simulator: VendorSimulator) => Promise<RunningVendor>,
): Promise<{
  readonly running: readonly RunningVendor[];
  readonly captchaVendors: CaptchaVendors;
}> {
  const turnstile = await start(turnstileSimulator(TURNSTILE_KEYS));
  const hcaptcha = await start(hcaptchaSimulator(HCAPTCHA_KEYS));
  return {
    running: [turnstile, hcaptcha],
    captchaVendors: {
      turnstile: { url: turnstile.url, ...TURNSTILE_KEYS },
      hcaptcha: { url: hcaptcha.url, ...HCAPTCHA_KEYS },
    },
  };
}
