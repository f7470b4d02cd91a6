import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, authenticationFailed } from "../../../foundation/errors.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import type { ExternalIdentity } from "../../../ports/identity-provider.ts";
import {
  findTenantByEmail,
  getDeveloper,
  insertDeveloper,
  insertDeveloperEmail,
} from "../queries.ts";
import { recordVerification } from "../record-verification.ts";
import { assertAccountActive } from "../sessions/open-session.ts";

import {
  deleteIdentityLookup,
  findIdentityOwner,
  insertIdentity,
  insertIdentityLookup,
  touchIdentity,
} from "./queries.ts";
import { reclaimAccount } from "./reclaim-account.ts";

const ATTEMPTS_MAX = 3;

export interface ResolveIdentity {
  readonly provider: IdentityProviderName;
  readonly identity: ExternalIdentity;
  readonly client: ClientInfo;
}

/**
 * Whose account an identity opens.
 *
 * - `known`: it has opened this account before.
 * - `created`: nobody had its address, and has now an account.
 * - `reclaimed`: the account of its address was not proven. Every earlier way into it is withdrawn.
 * - `linkable`: the account of its address, once its owner has passed their second factor.
 */
export interface ResolvedIdentity {
  readonly tenantId: TenantId;
  readonly standing: "known" | "created" | "reclaimed" | "linkable";
}

type Access = Parameters<typeof reclaimAccount>[0];

/**
 * Finds or makes the account of somebody whom a provider vouches for. Throws `authentication_failed` where the identity is
 * new and the provider does not say that its address is theirs, and for an account that is shut.
 */
export async function resolveIdentity(
  app: Access,
  command: ResolveIdentity,
): Promise<ResolvedIdentity> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const resolved = await tryResolve(app, command);
    if (resolved !== undefined) return resolved;
  }
  throw new AppError("service_unavailable", {
    internal: `an identity was not resolved in ${ATTEMPTS_MAX} attempts`,
  });
}

/** Undefined where somebody else got the identity, the address or the account in the meantime. */
async function tryResolve(
  app: Access,
  command: ResolveIdentity,
): Promise<ResolvedIdentity | undefined> {
  const { provider, identity } = command;
  const { subject, email, emailVerified } = identity;
  const owner = await findIdentityOwner(app.db, { provider, subject });
  if (owner !== undefined) return recognize(app, command, owner);
  if (!emailVerified) throw authenticationFailed("a new identity without a verified address");

  const tenantId = await findTenantByEmail(app.db, email);
  if (tenantId === undefined) return createAccount(app, command);
  const developer = await getDeveloper(app.db, tenantId);
  assertAccountActive(developer);
  if (developer.provenAt !== null) return { tenantId, standing: "linkable" };
  return (await reclaim(app, command, tenantId)) ? { tenantId, standing: "reclaimed" } : undefined;
}

function reclaim(
  app: Access,
  { provider, identity: { subject, name }, client }: ResolveIdentity,
  tenantId: TenantId,
): Promise<boolean> {
  return reclaimAccount(app, { tenantId, identity: { provider, subject, name }, client });
}

async function recognize(
  app: Access,
  command: ResolveIdentity,
  tenantId: TenantId,
): Promise<ResolvedIdentity> {
  const { provider, identity } = command;
  const { email, emailVerified } = identity;
  const developer = await withTransaction(app.db, tenantId, async (tx) => {
    const found = await getDeveloper(tx, tenantId);
    assertAccountActive(found);
    await touchIdentity(tx, { tenantId, provider, email, lastUsedAt: app.clock.now() });
    return found;
  });
  // Identities of accounts from before proofs were recorded.
  const hasItsAddress = emailVerified && email === developer.email;
  if (developer.provenAt === null && hasItsAddress) await reclaim(app, command, tenantId);
  return { tenantId, standing: "known" };
}

async function createAccount(
  app: Access,
  { provider, identity, client }: ResolveIdentity,
): Promise<ResolvedIdentity | undefined> {
  const { subject, email } = identity;
  const tenantId = newId("dev");
  const at = app.clock.now();
  const isCreated = await withTransaction(app.db, tenantId, async (tx) => {
    if (!(await insertIdentityLookup(tx, { provider, subject, tenantId }))) return false;
    if (!(await insertDeveloperEmail(tx, { email, tenantId }))) {
      await deleteIdentityLookup(tx, { provider, subject });
      return false;
    }
    const developer = await insertDeveloper(tx, {
      tenantId,
      email,
      name: identity.name,
      status: "active",
      emailVerifiedAt: at,
      provenAt: at,
      createdAt: at,
      updatedAt: at,
    });
    const use = { linkedAt: at, lastUsedAt: at };
    await insertIdentity(tx, { tenantId, provider, subject, email, ...use });
    const actor = developerActor({ tenantId }, client);
    await appendAuditEntry(tx, actor, {
      action: "developer.signed_up",
      subject: { type: "developer", id: tenantId },
      facts: { accepted_terms_version: null, provider },
      occurredAt: at,
    });
    await recordVerification(tx, actor, { developer, occurredAt: at });
    return true;
  });
  return isCreated ? { tenantId, standing: "created" } : undefined;
}
