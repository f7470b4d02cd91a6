import { type VendorsConfig, vendorsAt } from "@purser/service/config/vendors.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";

/** A simulated project comes up in seconds. */
const SUPABASE_POLL_MS = 500;

/** The vendors as the service is told of them: each played by its simulator, live mode and test mode alike. */
export function vendorsOfSandbox({ neon, supabase, stripe }: Sandbox): VendorsConfig {
  const { url, clientId, clientSecret } = supabase;
  return {
    ...vendorsAt(url),
    neon: { apiUrl: neon.url },
    supabase: { apiUrl: url, app: { clientId, clientSecret }, pollAfterMs: SUPABASE_POLL_MS },
    stripe: { apiUrl: stripe.url, secretKeys: stripe.secretKeys },
  };
}
