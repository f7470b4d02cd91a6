import type { App } from "../../../app.ts";
import { beginSession, type MfaPending } from "../sessions/begin-session.ts";
import type { SessionGrant } from "../sessions/open-session.ts";
import { type ResolveIdentity, resolveIdentity } from "./resolve-identity.ts";

/** How a login with somebody else's word for who it is has ended. */
export interface IdentityLogin {
  readonly begun: SessionGrant | MfaPending;
  /** The account was made by this login. */
  readonly created: boolean;
  /** The identity became a way into an account that was there before. */
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

/** Logs in whom a provider vouches for. An account with a second factor gets the identity linked once that has passed. */
export async function logInAsIdentity(
  app: IdentityLoginAccess,
  command: ResolveIdentity,
): Promise<IdentityLogin> {
  const { provider, identity, client } = command;
  const { tenantId, standing } = await resolveIdentity(app, command);
  const isNew = standing === "linkable";
  const begun = await beginSession(app, {
    tenantId,
    client,
    method: provider,
    subject: identity.subject,
    linksIdentity: isNew,
  });
  const isLinked = isNew && !("mfaToken" in begun);
  return {
    begun,
    created: standing === "created",
    linked: isLinked || standing === "reclaimed",
  };
}
