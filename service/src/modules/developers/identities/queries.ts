import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { rowsWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import type { TenantId } from "../../../foundation/ids.ts";

export const identityRows = tableOf("developerIdentities", ["tenantId", "provider"]);
/** An identity is linked to one account at most. */
export const identityRowsBySubject = tableOf("developerIdentities", ["provider", "subject"]);

export const loginStateRows = tableOf("loginStates", ["stateHash"]);

type LoginState = Schema["loginStates"];
export type Identity = Selectable<Schema["developerIdentities"]>;

/**
 * Identifies an identity by the provider's own user ID. Email addresses and names can pass to another user and are
 * therefore not part of the key.
 */
export type IdentityKey = Pick<Identity, "provider" | "subject">;

/**
 * Marks a login's OAuth `state` as used and returns the redirect URI. Returns undefined if the `state` is unknown, used
 * or expired, or belongs to a different provider or browser. Only one of several concurrent calls succeeds.
 */
export async function useLoginState(
  tx: Tx,
  { at, ...key }: Pick<Selectable<LoginState>, "stateHash" | "provider" | "browserHash"> & { readonly at: Date },
): Promise<{ readonly redirectUri: string } | undefined> {
  return updateWhere(tx, "loginStates", {
    stateHash: key.stateHash,
    provider: key.provider,
    browserHash: key.browserHash,
  })
    .set({ usedAt: at })
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning("redirectUri")
    .executeTakeFirst();
}

/** Deletes the account's identities. If `except` is given, that identity stays linked. */
export async function deleteIdentities(
  tx: Tx,
  { tenantId, except }: { readonly tenantId: TenantId; readonly except?: IdentityKey | undefined },
): Promise<void> {
  let deletion = tx.deleteFrom("developerIdentities").where("tenantId", "=", tenantId);
  if (except !== undefined) {
    const { provider, subject } = except;
    deletion = deletion.where(({ eb, not, and }) =>
      not(and([eb("provider", "=", provider), eb("subject", "=", subject)])),
    );
  }
  await deletion.execute();
}

/**
 * Returns true if the identity is linked to the account. Locks the row, so the identity cannot be unlinked until the
 * transaction ends.
 */
export async function lockIdentity(
  tx: Tx,
  { tenantId, provider, subject }: IdentityKey & Pick<Identity, "tenantId">,
): Promise<boolean> {
  const locked = await selectWhere(tx, "developerIdentities", { tenantId, provider, subject })
    .select("tenantId")
    .forShare()
    .executeTakeFirst();
  return locked !== undefined;
}

export async function listIdentities(db: Db, tenantId: TenantId): Promise<Identity[]> {
  return rowsWhere(db, "developerIdentities", { tenantId }).orderBy("provider").execute();
}
