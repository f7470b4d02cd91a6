import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import type { Environment } from "./server-process.ts";

export const PUBLIC_URL = "http://purser.test";

/** Environment of a server that calls the simulators, links accounts with pasted tokens, and polls at short intervals. */
export function vendorEnvironment(sandbox: Sandbox): Environment {
  return {
    PURSER_PUBLIC_URL: PUBLIC_URL,
    PURSER_VENDOR_RETRY_MS: "50",
    // This time is short, because the simulators apply a call immediately, even if they delay the response.
    PURSER_VENDOR_SETTLE_MS: "500",
    PURSER_WORKFLOW_POLL_MS: "100",
    SUPABASE_POLL_MS: "50",
    NEON_API_URL: sandbox.neon.url,
    SUPABASE_API_URL: sandbox.supabase.url,
    ACME_DB_API_URL: sandbox["acme-db"].url,
    PURSER_AGENTIC_PROVIDERS: sandbox.environment["PURSER_AGENTIC_PROVIDERS"] ?? "[]",
    STRIPE_API_URL: sandbox.stripe.url,
    STRIPE_SECRET_KEY: sandbox.stripe.secretKeys.live,
    STRIPE_TEST_SECRET_KEY: sandbox.stripe.secretKeys.test,
  };
}
