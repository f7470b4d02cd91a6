import type { Widget } from "../app.ts";
import { isLoopbackUrl } from "../config/limits.ts";
import type { Config } from "../config.ts";
import { MODES, type Mode } from "../foundation/vocabulary.ts";

/** Where a vendor serves its script, and what the script needs. A simulator serves it at the same path. */
interface Script {
  readonly url: string;
  readonly sources: Widget["sources"];
}

/**
 * Stripe.js of the API's version, and what cards need: https://docs.stripe.com/sdks/stripejs-versioning and
 * https://docs.stripe.com/security/guide#content-security-policy.
 */
const STRIPE: Script = {
  url: "https://js.stripe.com/endive/stripe.js",
  sources: {
    "script-src": ["https://js.stripe.com", "https://*.js.stripe.com"],
    "frame-src": ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
    "connect-src": ["https://api.stripe.com"],
  },
};

/** https://plaid.com/docs/link/web/#csp-directives. */
function plaid(apiUrl: string): Script {
  const url = "https://cdn.plaid.com/link/v2/stable/link-initialize.js";
  const sources = { "script-src": [url], "frame-src": ["https://cdn.plaid.com"], "connect-src": [apiUrl] };
  return { url, sources };
}

/** https://developers.cloudflare.com/turnstile/reference/content-security-policy/. */
const TURNSTILE: Script = {
  url: "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit",
  sources: {
    "script-src": ["https://challenges.cloudflare.com"],
    "frame-src": ["https://challenges.cloudflare.com"],
  },
};

export function composeWidgets({ vendors, captcha }: Pick<Config, "vendors" | "captcha">): readonly Widget[] {
  const { urls, optionalKeys } = vendors;
  const stripeKeys: Readonly<Record<Mode, string | null>> = {
    live: optionalKeys.STRIPE_PUBLISHABLE_KEY,
    test: optionalKeys.STRIPE_TEST_PUBLISHABLE_KEY,
  };
  const plaidModes = {
    live: { apiUrl: urls.PLAID_API_URL, secret: optionalKeys.PLAID_SECRET },
    test: { apiUrl: urls.PLAID_SANDBOX_API_URL, secret: optionalKeys.PLAID_TEST_SECRET },
  };
  const ofModes = MODES.flatMap((mode): Widget[] => {
    const { [mode]: key } = stripeKeys;
    const { apiUrl, secret } = plaidModes[mode];
    return [
      ...(key === null ? [] : [{ name: "stripe", mode, key, ...scriptOf(STRIPE, urls.STRIPE_API_URL) } as const]),
      ...(secret === null ? [] : [{ name: "plaid", mode, ...scriptOf(plaid(apiUrl), apiUrl) } as const]),
    ];
  });
  if (captcha.kind === "altcha") return ofModes;
  return [...ofModes, { name: captcha.kind, ...scriptOf(TURNSTILE, urls.TURNSTILE_API_URL) }];
}

/** A vendor whose API is on this machine is a simulator, which has everything at one origin. */
function scriptOf({ url, sources }: Script, apiUrl: string): Pick<Widget, "script" | "sources"> {
  if (!isLoopbackUrl(apiUrl)) return { script: url, sources };
  const { origin } = new URL(apiUrl);
  const { pathname, search } = new URL(url);
  return { script: origin + pathname + search, sources: { "script-src": [origin], "frame-src": [origin] } };
}
