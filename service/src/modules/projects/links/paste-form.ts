import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { catalog } from "../catalog.ts";
import { openPending, type PendingPaste } from "./link-secrets.ts";
import {
  findLinkState,
  getLinkSecret,
  getProjectName,
  type Link,
  type LinkKey,
  lockLink,
} from "./queries.ts";
import { requireProvider } from "./require-provider.ts";
import { invalidState } from "./settle-link.ts";

/** The form's address: knowing a link's id, which lists show, is not enough to paste a token into somebody's project. */
export interface PasteAddress {
  readonly linkId: string;
  readonly key: string;
}

/** A form as people see it. */
export interface PasteForm {
  /** Whose project it is that the account is linked to, which is for people to judge. */
  readonly tenantId: TenantId;
  readonly projectName: string;
  /** What people call the provider. */
  readonly providerName: string;
  /** Where they make the token. */
  readonly tokenPageUrl: string;
  /** A token that can be pasted in the sandbox. Undefined at the vendor itself. */
  readonly sandboxToken: string | undefined;
  readonly once: string;
}

/** A link that waits for a token. */
export interface WaitingPaste {
  readonly link: Link;
  readonly pending: PendingPaste;
  readonly projectName: string;
}

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/** The form of a link that waits for a token. Throws `invalid_state` where its address is wrong, used or expired. */
export async function getPasteForm(app: LinkApp, address: PasteAddress): Promise<PasteForm> {
  const { vault, ...key } = await findPaste(app, address);
  return formOf(
    app,
    await withTransaction(app.db, key.tenantId, (tx) => lockPaste(tx, vault, key)),
  );
}

/** Which link's form an address opens, by the key in it. Throws `invalid_state`. */
export async function findPaste(
  app: LinkApp,
  { linkId, key }: PasteAddress,
): Promise<LinkKey & { readonly vault: TenantVault }> {
  const found = await findLinkState(app.db, {
    stateHash: sha256Hex(key),
    at: app.clock.now(),
  });
  if (found === undefined || found.linkId !== linkId) {
    throw invalidState("a form whose key is wrong, used or expired");
  }
  return { ...found, vault: await openVault(app, found.tenantId) };
}

/** The link, locked, with what its form holds. Throws `invalid_state` where it waits for no token any more. */
export async function lockPaste(tx: Tx, vault: TenantVault, key: LinkKey): Promise<WaitingPaste> {
  const link = await lockLink(tx, key);
  const sealed = (await getLinkSecret(tx, key))?.pendingSealed ?? null;
  if (link?.status !== "pending_auth" || sealed === null) {
    throw invalidState("the form of a link that has ended");
  }
  const pending = openPending(vault, link.linkId, sealed);
  // A state of a provider's redirect has a hash in the same table, and opens no form.
  if (pending.flow !== "api_token") throw invalidState("the state of a consent page");
  if (pending.triesLeft === 0) throw invalidState("a form whose last try is under way");
  return { link, pending, projectName: await getProjectName(tx, link) };
}

export function formOf(
  app: Pick<App, "providers">,
  { link, pending, projectName }: WaitingPaste,
): PasteForm {
  const { tenantId, provider } = link;
  const entry = catalog.providers.find((known) => known.provider === provider);
  const { tokenPageUrl, sandboxToken } = requireProvider(app, provider);
  return {
    tenantId,
    projectName,
    providerName: entry?.display_name ?? provider,
    tokenPageUrl,
    sandboxToken,
    once: pending.once,
  };
}
