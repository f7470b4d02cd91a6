import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { equalInConstantTime } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ServiceProvider } from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { finishLink, type LinkOutcome } from "./finish-link.ts";
import { newLinkSecret } from "./link-completion.ts";
import { isRejection } from "./link-error.ts";
import { sealPending } from "./link-secrets.ts";
import { findPaste, formOf, lockPaste, type PasteAddress, type PasteForm, type WaitingPaste } from "./paste-form.ts";
import { type LinkKey, updateLinkSecret } from "./queries.ts";
import type { FinishedLink } from "./receive-oauth-callback.ts";
import type { LinkClient } from "./record-link-change.ts";
import { requireProvider } from "./require-provider.ts";

export interface SubmitPastedToken {
  readonly address: PasteAddress;
  /** The submitted value of the form's hidden field `once`. */
  readonly once: string;
  readonly token: string;
  readonly client: LinkClient;
}

/**
 * The completed or failed link, or the form for another attempt. `stale` means that this form was already submitted.
 */
export type PasteResult =
  | ({ readonly outcome: "settled" } & FinishedLink)
  | { readonly outcome: "refused" | "unavailable" | "stale"; readonly form: PasteForm };

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/**
 * Completes a link with a pasted token, after asking the provider which account the token belongs to. A failed attempt
 * returns a new form, because each form can be submitted only once. The link fails after five failed attempts. Throws
 * `invalid_state` if the form's URL is unknown, used or expired.
 */
export async function submitPastedToken(
  app: LinkApp,
  { address, once, token, client }: SubmitPastedToken,
): Promise<PasteResult> {
  const { vault, ...key } = await findPaste(app, address);
  const { isFresh, ...waiting } = await withTransaction(app.db, key.tenantId, (tx) =>
    claimAttempt(tx, vault, { key, once }),
  );
  const { link, pending, projectName } = waiting;
  if (!isFresh) return { outcome: "stale", form: formOf(app, waiting) };

  const outcome = await checkToken(requireProvider(app, link.provider), token);
  if (outcome.error !== null && pending.triesLeft > 0) {
    const isRefused = outcome.error === "token_refused";
    return { outcome: isRefused ? "refused" : "unavailable", form: formOf(app, waiting) };
  }
  const settled = await finishLink(app, {
    actor: developerActor(link, client),
    vault,
    link,
    outcome,
  });
  return { outcome: "settled", link: settled, projectName, returnTo: pending.returnTo };
}

/**
 * Counts the attempt and replaces the value of the form's hidden field `once`. Call it before the provider is called:
 * then only one of several concurrent submissions continues.
 */
async function claimAttempt(
  tx: Tx,
  vault: TenantVault,
  { key, once }: { readonly key: LinkKey; readonly once: string },
): Promise<WaitingPaste & { readonly isFresh: boolean }> {
  const waiting = await lockPaste(tx, vault, key);
  const { link, pending } = waiting;
  if (!equalInConstantTime(Buffer.from(once), Buffer.from(pending.once))) {
    return { ...waiting, isFresh: false };
  }
  const next = { ...pending, once: newLinkSecret(), triesLeft: pending.triesLeft - 1 };
  await updateLinkSecret(tx, link, { pendingSealed: sealPending(vault, link.linkId, next) });
  return { ...waiting, pending: next, isFresh: true };
}

async function checkToken(provider: ServiceProvider, accessToken: string): Promise<LinkOutcome> {
  // Other characters cannot be sent to the provider, and are in no token.
  if (!/^[!-~]+$/.test(accessToken)) return { error: "token_refused" };
  try {
    const account = await provider.identify(accessToken);
    return { error: null, account, tokens: { accessToken, refreshToken: null, expiresAt: null } };
  } catch (thrown) {
    if (!(thrown instanceof VendorError)) throw thrown;
    return { error: isRejection(thrown) ? "token_refused" : "provider_unavailable" };
  }
}
