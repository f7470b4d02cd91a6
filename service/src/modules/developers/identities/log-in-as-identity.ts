import type { App } from "../../../app.ts";
import { type MfaPending, type SessionGrant, startSession } from "../sessions/start-session.ts";
import { type ResolveIdentity, resolveIdentity } from "./resolve-identity.ts";

/** The result of a login with an identity provider. */
export interface IdentityLogin {
  readonly begun: SessionGrant | MfaPending;
  /** True if this login created the account. */
  readonly created: boolean;
  /** True if this login linked the identity to an existing account. */
  readonly linked: boolean;
}

export type IdentityLoginAccess = Pick<
  App,
  | "db"
  | "clock"
  | "log"
  | "settings"
  | "fastState"
  | "accessTokens"
  | "keyEncryptionKey"
  | "vaults"
  | "identityProviders"
>;

/**
 * Logs in the user identified by the provider. If the account has a second factor, a new identity is linked only after
 * the second factor has been checked.
 */
export async function logInAsIdentity(app: IdentityLoginAccess, command: ResolveIdentity): Promise<IdentityLogin> {
  const { provider, identity, client } = command;
  const { tenantId, outcome } = await resolveIdentity(app, command);
  const isNew = outcome === "linkable";
  const begun = await startSession(app, {
    tenantId,
    client,
    method: provider,
    subject: identity.subject,
    linksIdentity: isNew,
  });
  const isLinked = isNew && !("mfaToken" in begun);
  return {
    begun,
    created: outcome === "created",
    linked: isLinked || outcome === "reclaimed",
  };
}
