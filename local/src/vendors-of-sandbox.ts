import { type OAuthApp, type VendorsConfig, vendorsAt } from "@purser/service/config/vendors.ts";
import type { KeyVendors } from "@purser/simulators/sandbox/key-vendors.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";

/** A simulated project comes up in seconds. */
const SUPABASE_POLL_MS = 500;

/** The vendors as the service is told of them: each played by its simulator, live mode and test mode alike. */
export function vendorsOfSandbox(sandbox: Sandbox): VendorsConfig {
  const { neon, supabase, stripe } = sandbox;
  const { url, clientId, clientSecret } = supabase;
  const both = (vendor: keyof KeyVendors) => ({
    live: sandbox[vendor].url,
    test: sandbox[vendor].url,
  });
  return {
    ...vendorsAt(url),
    neon: { apiUrl: neon.url },
    supabase: { apiUrl: url, app: { clientId, clientSecret }, pollAfterMs: SUPABASE_POLL_MS },
    stripe: { apiUrl: stripe.url, secretKeys: stripe.secretKeys },
    keys: {
      pimlico: both("pimlico"),
      turnkey: both("turnkey"),
      fireblocks: both("fireblocks"),
      bridge: both("bridge"),
      helius: both("helius"),
    },
  };
}
