import { developerActor } from "../../../audit/actors.ts";
import { undoUnless, withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, authenticationFailed } from "../../../foundation/errors.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import type { ExternalIdentity } from "../../../ports/identity-provider.ts";
import { recordVerification } from "../confirm-ownership.ts";
import { recordAccountChange } from "../developers.ts";
import { findTenantByEmail, getDeveloper, insertDeveloper } from "../queries.ts";
import { assertAccountActive } from "../sessions/start-session.ts";

import { identityRows, identityRowsBySubject } from "./queries.ts";
import { reclaimAccount } from "./reclaim-account.ts";

const ATTEMPTS_MAX = 3;

export interface ResolveIdentity {
  readonly provider: IdentityProviderName;
  readonly identity: ExternalIdentity;
  readonly client: ClientInfo;
}

/**
 * The account that an identity logs in to.
 *
 * - `known`: the identity was already linked.
 * - `created`: no account had the email address, so one was created.
 * - `reclaimed`: the ownership of the account with this email address was unconfirmed (see `reclaimAccount`).
 * - `linkable`: the ownership of the account with this email address is confirmed. The identity is linked when the
 * login completes, after the second factor if there is one.
 */
export interface ResolvedIdentity {
  readonly tenantId: TenantId;
  readonly outcome: "known" | "created" | "reclaimed" | "linkable";
}

type Access = Parameters<typeof reclaimAccount>[0];

/** Finds or creates the account for a user identified by a provider. */
export async function resolveIdentity(app: Access, command: ResolveIdentity): Promise<ResolvedIdentity> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const resolved = await tryResolve(app, command);
    if (resolved !== undefined) return resolved;
  }
  throw new AppError("service_unavailable", {
    internal: `could not find or create the account of an identity in ${ATTEMPTS_MAX} attempts`,
  });
}

/**
 * Returns undefined if a concurrent call took the identity or the email address, or confirmed the account's ownership.
 */
async function tryResolve(app: Access, command: ResolveIdentity): Promise<ResolvedIdentity | undefined> {
  const { provider, identity } = command;
  const { subject, email, emailVerified } = identity;
  const owner = (await identityRowsBySubject.find(app.db, { provider, subject }))?.tenantId;
  if (owner !== undefined) return logInKnownIdentity(app, command, owner);
  if (!emailVerified) throw authenticationFailed("the address of a new identity is not verified");

  const tenantId = await findTenantByEmail(app.db, email);
  if (tenantId === undefined) return createAccount(app, command);
  const developer = await getDeveloper(app.db, tenantId);
  assertAccountActive(developer);
  if (developer.provenAt !== null) return { tenantId, outcome: "linkable" };
  return (await reclaim(app, command, tenantId)) ? { tenantId, outcome: "reclaimed" } : undefined;
}

function reclaim(
  app: Access,
  { provider, identity: { subject, name }, client }: ResolveIdentity,
  tenantId: TenantId,
): Promise<boolean> {
  return reclaimAccount(app, { tenantId, identity: { provider, subject, name }, client });
}

async function logInKnownIdentity(
  app: Access,
  command: ResolveIdentity,
  tenantId: TenantId,
): Promise<ResolvedIdentity> {
  const { provider, identity } = command;
  await withTransaction(app.db, tenantId, async (tx) => {
    assertAccountActive(await getDeveloper(tx, tenantId));
    await identityRows.update(tx, { tenantId, provider }, { email: identity.email, lastUsedAt: app.clock.now() });
  });
  return { tenantId, outcome: "known" };
}

async function createAccount(
  app: Access,
  { provider, identity, client }: ResolveIdentity,
): Promise<ResolvedIdentity | undefined> {
  const { subject, email } = identity;
  const tenantId = newId("dev");
  const at = app.clock.now();
  // A concurrent login may have linked the identity to another new account.
  const isKept = (isNew: boolean) => isNew;
  const isCreated = await withTransaction(app.db, tenantId, (tx) =>
    undoUnless(tx, isKept, async () => {
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
      if (developer === undefined) return false;
      const use = { linkedAt: at, lastUsedAt: at };
      if (!(await identityRows.insertIfNew(tx, { tenantId, provider, subject, email, ...use }))) return false;
      const actor = developerActor({ tenantId }, client);
      await recordAccountChange(tx, actor, {
        action: "developer.signed_up",
        facts: { accepted_terms_version: null, provider },
        at,
      });
      await recordVerification(tx, actor, { developer, occurredAt: at });
      return true;
    }),
  );
  return isCreated ? { tenantId, outcome: "created" } : undefined;
}
