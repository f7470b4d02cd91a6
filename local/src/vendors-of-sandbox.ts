import { type OAuthApp, type VendorsConfig, vendorsAt } from "@purser/service/config/vendors.ts";
import type { KeyVendors } from "@purser/simulators/sandbox/key-vendors.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";

/** A simulated project comes up in seconds. */
const SUPABASE_POLL_MS = 500;

/** The vendors as the service is told of them: each played by its simulator, live mode and test mode alike. */
export function vendorsOfSandbox(sandbox: Sandbox): VendorsConfig {
  const { neon, supabase, stripe, github, google, turnstile, hcaptcha } = sandbox;
  const both = (vendor: keyof KeyVendors) => ({
    live: sandbox[vendor].url,
    test: sandbox[vendor].url,
  });
  return {
    ...vendorsAt(supabase.url),
    neon: { apiUrl: neon.url, sandboxToken: neon.exampleToken },
    supabase: { apiUrl: supabase.url, app: appOf(supabase), pollAfterMs: SUPABASE_POLL_MS },
    stripe: { apiUrl: stripe.url, secretKeys: stripe.secretKeys },
    github: { webUrl: github.webUrl, apiUrl: github.apiUrl, app: appOf(github) },
    google: {
      accountsUrl: google.accountsUrl,
      tokenUrl: google.tokenUrl,
      certsUrl: google.certsUrl,
      app: appOf(google),
    },
    captcha: { turnstileUrl: turnstile.url, hcaptchaUrl: hcaptcha.url },
    keys: {
      pimlico: both("pimlico"),
      turnkey: both("turnkey"),
      fireblocks: both("fireblocks"),
      bridge: both("bridge"),
      helius: both("helius"),
    },
  };
}

function appOf({ clientId, clientSecret }: OAuthApp): OAuthApp {
  return { clientId, clientSecret };
}
