import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault } from "../../../vault/vault.ts";
import { EMPTY_PROFILE, recordVerification, withdrawAccess } from "../confirm-ownership.ts";
import { recordAccountChange } from "../developers.ts";
import { changeKeys } from "../keys/change-keys.ts";
import { enqueueKeyListEmail } from "../keys/emailed-keys.ts";
import { resetKyb } from "../kyb/queries.ts";
import { developerRows, getDeveloper, passwordRows } from "../queries.ts";
import { assertAccountActive } from "../sessions/start-session.ts";
import { linkIdentity } from "./link-identity.ts";
import type { IdentityKey } from "./queries.ts";

export interface ReclaimAccount {
  readonly tenantId: TenantId;
  /** The identity used for this login. The provider has verified the user's email address. */
  readonly identity: IdentityKey & { readonly name: string | null };
  readonly client: ClientInfo;
}

/**
 * Hands over an account with unconfirmed ownership to the user whose identity provider has verified the account's email
 * address (docs/rules/accounts.md). The account may have been created by a different user, so its password,
 * sessions, other identities and second factor are removed.
 *
 * If the account's email address was already verified, its API keys are kept, and its profile is kept except for the
 * billing email address. The new owner gets an email with a list of the keys and a URL that revokes them. If the
 * account's email address was not verified, the keys are revoked and the profile is reset.
 *
 * @returns false, without changing anything, if the ownership is already confirmed
 */
export async function reclaimAccount(
  app: Pick<App, "db" | "clock" | "fastState" | "settings" | "keyEncryptionKey" | "vaults">,
  { tenantId, identity, client }: ReclaimAccount,
): Promise<boolean> {
  const vault = await openVault(app, tenantId);
  return changeKeys(app, developerActor({ tenantId }, client), async (change) => {
    const { tx, actor, at } = change;
    const found = await getDeveloper(tx, tenantId);
    assertAccountActive(found);
    if (found.provenAt !== null) return false;

    await passwordRows.remove(tx, { tenantId });
    const wasVerified = found.emailVerifiedAt !== null;
    const withdrawn = await withdrawAccess(change, {
      reason: "account_reclaimed",
      keepKeys: wasVerified,
      keepWebhooks: wasVerified,
      keepIdentity: identity,
    });
    if (!wasVerified) await resetKyb(tx, tenantId, at);
    const developer = await developerRows.updateAndGet(
      tx,
      { tenantId },
      {
        ...(wasVerified
          ? { billingEmail: null }
          : {
              ...EMPTY_PROFILE,
              name: identity.name,
              registeredAt: null,
              status: "active",
              emailVerifiedAt: at,
            }),
        provenAt: at,
        updatedAt: at,
      },
    );
    await recordAccountChange(tx, actor, {
      action: "developer.reclaimed",
      facts: { provider: identity.provider, ...withdrawn },
      at,
    });
    if (!wasVerified) await recordVerification(tx, actor, { developer, occurredAt: at });
    await linkIdentity(tx, { developer, identity, client, at });
    await enqueueKeyListEmail(tx, vault, { developer, at });
    return true;
  });
}
