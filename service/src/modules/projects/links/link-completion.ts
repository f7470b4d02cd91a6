import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../../app.ts";
import type { LinkCompletion } from "./link-resource.ts";
import type { PendingSecret } from "./link-secrets.ts";
import type { Link } from "./queries.ts";

const CALLBACK_PATH = "/api/v1/svc/projects/webhooks/oauth-callback";

/**
 * Returns 256 random bits in base64url, for use as an OAuth state, a PKCE verifier or a secret of the form for pasting
 * a token.
 */
export function newLinkSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the OAuth redirect URI, which all providers share. The operator registers it with each OAuth app. */
export function callbackUrlOf({ settings }: Pick<App, "settings">): string {
  return settings.publicUrl + CALLBACK_PATH;
}

/**
 * Builds the link's URL and OAuth `state` from its decrypted secrets. Returns null if the provider's OAuth app is no
 * longer configured.
 */
export function completionOf(
  app: Pick<App, "settings" | "providers">,
  { linkId, provider }: Pick<Link, "linkId" | "provider">,
  pending: PendingSecret,
): LinkCompletion | null {
  if (pending.flow === "api_token") {
    return { url: `${app.settings.publicUrl}/connect/${linkId}?key=${pending.key}`, state: null };
  }
  const { state, codeVerifier } = pending;
  if (pending.url !== undefined) return { url: pending.url, state };
  const adapter = app.providers.get(provider);
  // The account is being requested, and the provider may still complete the link without a user.
  if (adapter?.requestAccount !== undefined) return null;
  const url = adapter?.oauth?.authorizationUrl({
    state,
    codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    redirectUri: callbackUrlOf(app),
  });
  return url === undefined ? null : { url, state };
}
