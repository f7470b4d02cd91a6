import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const stripe = {
  name: "stripe",
  displayName: "Stripe",
  kind: "billing_processor",
  profiles: PROFILES,
  urls: { STRIPE_API_URL: "https://api.stripe.com" },
  // Keys that start with "rk" are restricted keys, which Stripe recommends.
  secretKeys: {
    STRIPE_SECRET_KEY: { mode: "live", form: /^[rs]k_live_\w+$/ },
    STRIPE_TEST_SECRET_KEY: { mode: "test", form: /^[rs]k_test_\w+$/ },
  },
  webhookSecrets: {
    STRIPE_WEBHOOK_SECRET: { mode: "live", form: /^whsec_\w+$/ },
    STRIPE_TEST_WEBHOOK_SECRET: { mode: "test", form: /^whsec_\w+$/ },
  },
  credentials: [
    /(?:whsec|[sr]k_(?:live|test))_[\w-]+/g,
    // Client secrets, which authorize a browser to act on one object, such as a payment intent.
    /(?:pi|seti|cs|src)_\w{1,128}?_secret_\w+/g,
  ],
} as const satisfies Vendor;
