import type { Insertable, Selectable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import type { TenantId } from "../../../foundation/ids.ts";

type LoginState = Schema["loginStates"];
export type Identity = Selectable<Schema["developerIdentities"]>;

/** Whose identity it is says the provider by its own id of the person, and never the address or the name. */
export type IdentityKey = Pick<Identity, "provider" | "subject">;

/** Keeps a login that was begun. */
export async function insertLoginState(tx: Tx, state: Insertable<LoginState>): Promise<void> {
  await tx.insertInto("loginStates").values(state).execute();
}

/**
 * Uses a begun login up. Undefined where it is unknown, used, over, of another provider or of another browser; of any number
 * that try at once, one gets it.
 */
export async function useLoginState(
  tx: Tx,
  {
    at,
    ...key
  }: Pick<Selectable<LoginState>, "stateHash" | "provider" | "browserHash"> & { readonly at: Date },
): Promise<{ readonly redirectUri: string } | undefined> {
  return tx
    .updateTable("loginStates")
    .set({ usedAt: at })
    .where("stateHash", "=", key.stateHash)
    .where("provider", "=", key.provider)
    .where("browserHash", "=", key.browserHash)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning("redirectUri")
    .executeTakeFirst();
}

export async function deleteExpiredLoginStates(tx: Tx, at: Date): Promise<void> {
  await tx.deleteFrom("loginStates").where("expiresAt", "<=", at).execute();
}

/** The tenant whose identity this is. */
export async function findIdentityOwner(
  db: Db,
  { provider, subject }: IdentityKey,
): Promise<TenantId | undefined> {
  const row = await db
    .selectFrom("identityLookups")
    .select("tenantId")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.tenantId;
}

/** Takes the identity for the tenant. False where it is somebody's already. */
export async function insertIdentityLookup(
  tx: Tx,
  { provider, subject, tenantId }: IdentityKey & Pick<Identity, "tenantId">,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("identityLookups")
    .values({ provider, subject, tenantId })
    .onConflict((conflict) => conflict.doNothing())
    .returning("tenantId")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteIdentityLookup(
  tx: Tx,
  { provider, subject }: IdentityKey,
): Promise<void> {
  await tx
    .deleteFrom("identityLookups")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .execute();
}

/** Gives the account an identity. False where it has one of that provider. */
export async function insertIdentity(tx: Tx, identity: Identity): Promise<boolean> {
  const inserted = await tx
    .insertInto("developerIdentities")
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning("tenantId")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Notes that an identity was used, and which address its provider names by now. */
export async function touchIdentity(
  tx: Tx,
  { tenantId, provider, email, lastUsedAt }: Omit<Identity, "subject" | "linkedAt">,
): Promise<void> {
  await tx
    .updateTable("developerIdentities")
    .set({ email, lastUsedAt })
    .where("tenantId", "=", tenantId)
    .where("provider", "=", provider)
    .execute();
}

/** Takes every identity from the account, or every other one. */
export async function deleteIdentities(
  tx: Tx,
  { tenantId, except }: { readonly tenantId: TenantId; readonly except?: IdentityKey | undefined },
): Promise<void> {
  for (const table of ["developerIdentities", "identityLookups"] as const) {
    let deletion = tx.deleteFrom(table).where("tenantId", "=", tenantId);
    if (except !== undefined) {
      const { provider, subject } = except;
      deletion = deletion.where(({ eb, not, and }) =>
        not(and([eb("provider", "=", provider), eb("subject", "=", subject)])),
      );
    }
    await deletion.execute();
  }
}

/**
 * Whether the identity is still linked to the account, which it then stays until the transaction ends: whoever takes it away
 * waits.
 */
export async function holdIdentity(
  tx: Tx,
  { tenantId, provider, subject }: IdentityKey & Pick<Identity, "tenantId">,
): Promise<boolean> {
  const held = await tx
    .selectFrom("developerIdentities")
    .select("tenantId")
    .where("tenantId", "=", tenantId)
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}

/** The tenant's identities, in the alphabetical order of their providers. */
export async function selectIdentities(db: Db, tenantId: TenantId): Promise<Identity[]> {
  return db
    .selectFrom("developerIdentities")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .orderBy("provider")
    .execute();
}

/** Takes one identity from its account. */
export async function deleteIdentity(
  tx: Tx,
  { tenantId, provider, subject }: IdentityKey & Pick<Identity, "tenantId">,
): Promise<void> {
  await deleteIdentityLookup(tx, { provider, subject });
  await tx
    .deleteFrom("developerIdentities")
    .where("tenantId", "=", tenantId)
    .where("provider", "=", provider)
    .execute();
}
