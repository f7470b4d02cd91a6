import type { CaptchaVendors } from "./captcha-vendors.ts";
import type { KeyVendors } from "./key-vendors.ts";
import type { LoginVendors } from "./login-vendors.ts";
import type { Sandbox } from "./start-sandbox.ts";

type SandboxVendors = Pick<
  Sandbox,
  "neon" | "supabase" | "stripe" | keyof LoginVendors | keyof KeyVendors | keyof CaptchaVendors
>;

/** The environment variables of a service that calls these vendors, in live mode and test mode alike. */
export function sandboxEnvironment(vendors: SandboxVendors) {
  const { neon, supabase, stripe, github, google } = vendors;
  return {
    NEON_API_URL: neon.url,
    NEON_SANDBOX_TOKEN: neon.exampleToken,
    SUPABASE_API_URL: supabase.url,
    SUPABASE_CLIENT_ID: supabase.clientId,
    SUPABASE_CLIENT_SECRET: supabase.clientSecret,
    STRIPE_API_URL: stripe.url,
    STRIPE_SECRET_KEY: stripe.secretKeys.live,
    STRIPE_TEST_SECRET_KEY: stripe.secretKeys.test,
    GITHUB_URL: github.webUrl,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
    GOOGLE_ACCOUNTS_URL: google.accountsUrl,
    GOOGLE_TOKEN_URL: google.tokenUrl,
    GOOGLE_CERTS_URL: google.certsUrl,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    TURNSTILE_API_URL: vendors.turnstile.url,
    HCAPTCHA_API_URL: vendors.hcaptcha.url,
    PIMLICO_API_URL: vendors.pimlico.url,
    TURNKEY_API_URL: vendors.turnkey.url,
    FIREBLOCKS_API_URL: vendors.fireblocks.url,
    FIREBLOCKS_SANDBOX_API_URL: vendors.fireblocks.url,
    BRIDGE_API_URL: vendors.bridge.url,
    BRIDGE_SANDBOX_API_URL: vendors.bridge.url,
    HELIUS_RPC_URL: vendors.helius.url,
    HELIUS_DEVNET_RPC_URL: vendors.helius.url,
  };
}
