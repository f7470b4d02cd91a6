import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { enqueueTokenEmail } from "../enqueue-emails.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { type Developer, findDeveloper, findTenantByEmail } from "../queries.ts";
import { recordAccountChange } from "../record-account-change.ts";

/** Limit on calls per client network (an IPv4 address or an IPv6 /64). */
const CALLS = { limit: 5, windowMs: 60_000 };
/** Limit on emails to one address. It protects a mailbox from a caller that uses many networks. */
const MAILS = { limit: 3, windowMs: 3_600_000 };
const TOKEN_MS = 3_600_000;

export interface RequestPasswordReset {
  /** In lowercase. */
  readonly email: string;
  readonly client: ClientInfo;
}

/**
 * Emails a URL for choosing a new password. Sends nothing if the email address is unknown, or if its account is
 * suspended or closed. The caller cannot tell whether an email was sent. Throws `rate_limited` after five calls per
 * minute from one network.
 */
export async function requestPasswordReset(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "keyEncryptionKey" | "vaults">,
  { email, client }: RequestPasswordReset,
): Promise<void> {
  enforceCallLimit(await countCall(app, `forgot:${client.network}`, CALLS));
  await withMinimumDuration(app.settings.minimumDurationMs, async () => {
    const mail = await countCall(app, `forgot-mail:${sha256Hex(email)}`, MAILS);
    const tenantId = await findTenantByEmail(app.db, email);
    const developer = tenantId && (await findDeveloper(app.db, tenantId));
    if (!mail.allowed || !developer || isInactive(developer)) return;
    const vault = await openVault(app, developer.tenantId);
    await withTransaction(app.db, developer.tenantId, (tx) =>
      mailResetToken(tx, vault, { developer, client, at: app.clock.now() }),
    );
  });
}

function isInactive({ status }: Developer): boolean {
  return status === "suspended" || status === "closed";
}

async function mailResetToken(
  tx: Tx,
  vault: TenantVault,
  {
    developer: { tenantId, email },
    client,
    at,
  }: { readonly developer: Developer; readonly client: ClientInfo; readonly at: Date },
): Promise<void> {
  const expiresAt = new Date(at.getTime() + TOKEN_MS);
  await enqueueTokenEmail(tx, vault, { tenantId, email, purpose: "reset_password", expiresAt, at });
  await recordAccountChange(tx, developerActor({ tenantId }, client), {
    action: "developer.password_reset_requested",
    at,
  });
}
