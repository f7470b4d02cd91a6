import type { App } from "../../app.ts";
import { developerActor } from "../../audit/actors.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Settings } from "../../foundation/settings.ts";
import type { LinkError } from "../../foundation/vocabulary.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { projectRows } from "../projects/queries.ts";
import { finishLink, invalidState, type LinkOutcome } from "./finish-link.ts";
import { linkFailureOf } from "./link-rules.ts";
import { type PendingConsent, readPending } from "./link-secrets.ts";
import type { LinkClient } from "./links.ts";
import { findLinkState, type Link, linkRows, useLinkState } from "./queries.ts";

/** Maps OAuth error codes (RFC 6749, section 4.1.2.1) to link errors. Any other code becomes `provider_refused`. */
const REDIRECT_ERRORS: ReadonlyMap<string, LinkError> = new Map([
  ["access_denied", "access_denied"],
  ["server_error", "provider_unavailable"],
  ["temporarily_unavailable", "provider_unavailable"],
]);

/** Returns the OAuth redirect URI, which all providers share. The operator registers it with each OAuth app. */
export function callbackUrlOf({ publicUrl }: Settings): string {
  return `${publicUrl}/api/v1/svc/projects/webhooks/oauth-callback`;
}

export interface ReceiveOAuthCallback {
  readonly state: string;
  /** The `code` or `error` parameter of the provider's redirect. */
  readonly answer: { readonly code: string } | { readonly error: string };
  readonly client: LinkClient;
}

/** A completed or failed link, and the URL that the browser is redirected to. */
export interface FinishedLink {
  readonly link: Link;
  readonly projectName: string;
  readonly returnTo: string | null;
}

type LinkApp = Pick<App, "db" | "clock" | "settings" | "keyEncryptionKey" | "vaults" | "providers">;

/**
 * Completes or fails a link after the provider's redirect. The OAuth state is marked as used before the provider is
 * called, so only one of several concurrent callbacks continues. Throws `invalid_state` if the OAuth state is unknown,
 * used or expired, or if the link is no longer pending.
 */
export async function receiveOAuthCallback(
  app: LinkApp,
  { state, answer, client }: ReceiveOAuthCallback,
): Promise<FinishedLink> {
  const stateHash = sha256Hex(state);
  const found = await findLinkState(app.db, { stateHash, at: app.clock.now() });
  if (found === undefined) throw invalidState("an unknown, used or expired state");

  const vault = await openVault(app, found.tenantId);
  const { link, pending } = await claimState(app, vault, { ...found, stateHash });
  const outcome = await redeem(app, { link, pending, answer });
  const settled = await finishLink(app, {
    actor: developerActor(link, client),
    vault,
    link,
    outcome,
  });
  const projectName = (await projectRows.get(app.db, link)).name;
  return { link: settled, projectName, returnTo: pending.returnTo };
}

interface Claimed {
  readonly link: Link;
  readonly pending: PendingConsent;
}

async function claimState(
  app: LinkApp,
  vault: TenantVault,
  { tenantId, stateHash }: Pick<Link, "tenantId"> & { readonly stateHash: string },
): Promise<Claimed> {
  return withTransaction(app.db, tenantId, async (tx) => {
    const used = await useLinkState(tx, { tenantId, stateHash, at: app.clock.now() });
    if (used === undefined) throw invalidState("a state that a concurrent request has used");
    const link = await linkRows.find(tx, used);
    const pending = await readPending(tx, vault, link);
    if (link === undefined || pending === undefined) throw invalidState("a state of a link that has ended");
    // `useLinkState` also finds the keys of token forms, so the state could be such a key. A link with a token form has
    // no OAuth flow.
    if (pending.flow !== "oauth") throw invalidState("the key of a paste form");
    return { link, pending };
  });
}

/**
 * Exchanges the code for tokens and reads the account that they belong to. Calls the provider, so it must run outside a
 * transaction.
 */
export async function redeem(
  app: Pick<LinkApp, "settings" | "providers">,
  { link, pending, answer }: Claimed & Pick<ReceiveOAuthCallback, "answer">,
): Promise<LinkOutcome> {
  if ("error" in answer) return { error: REDIRECT_ERRORS.get(answer.error) ?? "provider_refused" };
  const provider = app.providers.get(link.provider);
  if (provider === undefined || provider.oauth === null) return { error: "provider_unavailable" };
  try {
    const tokens = await provider.oauth.exchangeCode({
      code: answer.code,
      codeVerifier: pending.codeVerifier,
      redirectUri: callbackUrlOf(app.settings),
    });
    const account = tokens.account ?? (await provider.identify(tokens.accessToken));
    return { error: null, tokens, account };
  } catch (thrown) {
    return linkFailureOf(thrown, "exchange_failed");
  }
}
