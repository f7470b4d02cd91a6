import type { App } from "../../../../app.ts";
import { systemActor } from "../../../../audit/actors.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import type { TenantId } from "../../../../foundation/ids.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import { redactedMessage } from "../../../../foundation/redact.ts";
import { tryEach } from "../../../../foundation/try-each.ts";
import { VendorError } from "../../../../ports/vendor-error.ts";
import { openVault } from "../../../../vault/open-vault.ts";
import { openAccess } from "../link-secrets.ts";
import { findLinkRow, type Link } from "../queries.ts";
import { appendLinkEntry } from "../record-link-change.ts";
import {
  claimDueRevocation,
  deleteRevocation,
  isAccountLinked,
  listTenantsWithDueRevocations,
  postponeRevocation,
  type TokenRevocation,
} from "./queries.ts";

const TENANTS_MAX = 100;
const TENANTS_CONCURRENT_MAX = 4;
const REVOCATIONS_MAX = 5;
/** The time after which tokens are revoked again if the process crashes. It is longer than a provider call can take. */
const LEASE_MS = 120_000;
const RETRY_MS_MIN = 60_000;
const RETRY_MS_MAX = 6 * 3_600_000;
const GIVE_UP_AFTER_MS = 7 * 24 * 3_600_000;

type RevocationApp = Pick<App, "db" | "clock" | "log" | "keyEncryptionKey" | "vaults" | "providers">;

type AuditAction = "link.tokens_revoked" | "link.tokens_not_revoked";

/** Tokens and their link, claimed by this process. */
interface Claimed extends TokenRevocation {
  readonly link: Link;
}

/**
 * Revokes the tokens of ended links at their providers. Retries each with increasing delays for seven days. Any number of
 * processes can run this at the same time. After a crash, tokens may be revoked twice.
 */
export async function revokeDueTokens(app: RevocationApp): Promise<void> {
  const at = app.clock.now();
  const tenants = await listTenantsWithDueRevocations(app.db, { at, limit: TENANTS_MAX });
  const waiting = tenants.values();
  const work = () => tryEach(waiting, (tenantId) => revokeTokensOf(app, tenantId));
  await Promise.all(Array.from({ length: TENANTS_CONCURRENT_MAX }, work));
}

/** Stops at the first failure, because the provider may be slow, and other tenants wait. */
async function revokeTokensOf(app: RevocationApp, tenantId: TenantId): Promise<void> {
  for (let tried = 0; tried < REVOCATIONS_MAX; tried += 1) {
    const claimed = await claim(app, tenantId);
    if (claimed === undefined || !(await settle(app, claimed))) return;
  }
}

function claim({ db, clock }: RevocationApp, tenantId: TenantId): Promise<Claimed | undefined> {
  const at = clock.now();
  const nextDueAt = new Date(at.getTime() + LEASE_MS);
  return withTransaction(db, tenantId, async (tx) => {
    const revocation = await claimDueRevocation(tx, { tenantId, at, nextDueAt });
    if (revocation === undefined) return undefined;
    const link = await findLinkRow(tx, revocation);
    invariant(link !== undefined, "tokens refer to a link");
    return { ...revocation, link };
  });
}

/** Revokes and deletes the tokens. Returns false if they could not be revoked and are to be revoked later. */
async function settle(app: RevocationApp, claimed: Claimed): Promise<boolean> {
  let action: AuditAction | null;
  try {
    action = (await revoke(app, claimed)) ? "link.tokens_revoked" : null;
  } catch (error) {
    const { tenantId, linkId, attempts, createdAt } = claimed;
    const details = {
      ...{ tenantId, linkId, attempts, message: redactedMessage(error) },
      ...(error instanceof VendorError && { vendorMessage: error.vendorMessage }),
    };
    const at = app.clock.now().getTime();
    if (at - createdAt.getTime() < GIVE_UP_AFTER_MS) {
      app.log.warn(details, "could not revoke tokens, retrying later");
      const delayMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (attempts - 1));
      const dueAt = new Date(at + delayMs);
      await withTransaction(app.db, tenantId, (tx) => postponeRevocation(tx, claimed, dueAt));
      return false;
    }
    app.log.error(details, "could not revoke tokens: operator action required");
    action = "link.tokens_not_revoked";
  }
  await discard(app, claimed, action);
  return true;
}

/**
 * Returns false if there is nothing to revoke: the provider cannot revoke tokens, or another link uses the account. Its
 * tokens can become invalid too, because a provider may end the app's whole authorization. A link that is completed during
 * the call is not seen; the developer then has to link the account again.
 */
async function revoke(app: RevocationApp, claimed: Claimed): Promise<boolean> {
  const { tenantId, linkId, version, link, accountId, accountLabel } = claimed;
  const { provider } = link;
  const revokeToken = app.providers.get(provider)?.oauth?.revoke;
  if (revokeToken === undefined) return false;
  const vault = await openVault(app, tenantId);
  const { refreshToken } = openAccess(vault, { linkId, version }, claimed.accessSealed);
  if (refreshToken === null) return false;
  if (await isAccountLinked(app.db, { tenantId, provider, accountId, accountLabel })) return false;
  await revokeToken(refreshToken);
  return true;
}

/** Deletes the tokens, and writes the audit entry if there is one. */
async function discard({ db, clock }: RevocationApp, claimed: Claimed, action: AuditAction | null): Promise<void> {
  const { tenantId, link } = claimed;
  await withTransaction(db, tenantId, async (tx) => {
    const isDeleted = await deleteRevocation(tx, claimed);
    if (!isDeleted || action === null) return;
    await appendLinkEntry(tx, systemActor(link), { action, link, occurredAt: clock.now() });
  });
}
