import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { codeChallengeOf } from "../../crypto/secret-token.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { RequestedAccount, ServiceProvider } from "../../ports/service-provider.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { finishLink, type LinkOutcome } from "./finish-link.ts";
import { linkFailureOf } from "./link-rules.ts";
import { type PendingConsent, readPending, sealPending } from "./link-secrets.ts";
import { endLink } from "./links.ts";
import { type Link, type LinkKey, linkRows, linkSecretRows, replaceLinkState } from "./queries.ts";
import { redeem } from "./receive-oauth-callback.ts";

type LinkApp = Pick<App, "db" | "clock" | "settings" | "keyEncryptionKey" | "vaults" | "providers">;

interface Waiting {
  readonly link: Link;
  readonly pending: PendingConsent;
}

/**
 * Requests an account for a pending link whose flow is `instant`. The link is completed or fails, or its flow becomes
 * `oauth` because the developer already has an account and must give consent. Does nothing for other links. Call it
 * outside a transaction.
 */
export async function requestAccount(
  app: LinkApp,
  { actor, email, ...key }: LinkKey & { readonly actor: Actor; readonly email: string },
): Promise<void> {
  const vault = await openVault(app, key.tenantId);
  const waiting = await findWaiting(app, vault, key);
  const request = waiting && app.providers.get(waiting.link.provider)?.requestAccount;
  if (waiting === undefined || request === undefined) return;

  const requested = await ask(request, waiting, email);
  if ("type" in requested && requested.type === "consent") {
    return awaitConsent(app, { actor, vault }, waiting, requested);
  }
  const outcome: LinkOutcome =
    "type" in requested ? await redeem(app, { ...waiting, answer: { code: requested.code } }) : requested;
  await finishLink(app, { actor, vault, link: waiting.link, outcome });
}

function findWaiting(app: LinkApp, vault: TenantVault, key: LinkKey): Promise<Waiting | undefined> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const link = await linkRows.find(tx, key);
    if (link?.flow !== "instant") return undefined;
    const pending = await readPending(tx, vault, link);
    return pending?.flow === "oauth" ? { link, pending } : undefined;
  });
}

async function ask(
  request: NonNullable<ServiceProvider["requestAccount"]>,
  { link, pending: { state, codeVerifier } }: Waiting,
  email: string,
): Promise<RequestedAccount | Extract<LinkOutcome, { readonly error: string }>> {
  try {
    return await request({
      requestId: link.linkId,
      email,
      scopes: link.scopes,
      state,
      codeChallenge: codeChallengeOf(codeVerifier),
      expiresAt: link.expiresAt,
    });
  } catch (thrown) {
    return linkFailureOf(thrown, "provider_refused");
  }
}

/**
 * Stores the consent page, and the state with which the provider will redirect the user back. The link fails if the state
 * is not new: the redirect could then complete another link.
 */
async function awaitConsent(
  app: LinkApp,
  { actor, vault }: { readonly actor: Actor; readonly vault: TenantVault },
  { link, pending }: Waiting,
  { url, state }: { readonly url: string; readonly state: string },
): Promise<void> {
  await withTransaction(app.db, link.tenantId, async (tx) => {
    const current = await linkRows.lock(tx, link);
    // Another request for the same provider may have ended this link.
    if (current?.status !== "pending_auth") return;
    const at = app.clock.now();
    if (!(await replaceLinkState(tx, link, sha256Hex(state)))) {
      await endLink(tx, actor, { link, end: { status: "failed", error: "provider_refused" }, at });
      return;
    }
    await linkRows.updateAndGet(tx, link, { flow: "oauth", updatedAt: at });
    const pendingSealed = sealPending(vault, link.linkId, { ...pending, url, state });
    await linkSecretRows.update(tx, link, { pendingSealed });
  });
}
