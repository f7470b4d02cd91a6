import { type Insertable, type RawBuilder, sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { setTenantForStatement } from "../../db/transaction.ts";
import { deleteWhere, selectWhere } from "../../db/where.ts";
import { AppError } from "../../foundation/errors.ts";
import { isId, type PolicyId, type TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { normalizeEmail } from "../../foundation/text.ts";
import type { IdentityProviderName, Mode } from "../../foundation/vocabulary.ts";

/**
 * Must be locked with `FOR NO KEY UPDATE`, which still lets other transactions insert rows that refer to the developer.
 * `FOR UPDATE` would block these inserts and could cause a deadlock: an email verification locks the developer and then
 * the password, and a login locks the password and then inserts a session, which refers to the developer.
 */
export const developerRows = tableOf("developers", ["tenantId"]);

/** Row-level security hides the passwords outside the tenant's transactions. */
export const passwordRows = tableOf("developerPasswords", ["tenantId"]);

export type Developer = Row<"developers">;

/** A developer with the account's login methods. */
export interface DeveloperProfile extends Developer {
  /** The password, if set, followed by the identity providers in alphabetical order. */
  readonly authMethods: readonly AuthMethod[];
  readonly mfaEnabled: boolean;
  /** The starter policy of each mode. A mode has none until one is needed. */
  readonly starterPolicyIds: StarterPolicyIds;
}

type StarterPolicyIds = Partial<Readonly<Record<Mode, PolicyId>>>;

export type AuthMethod = "password" | IdentityProviderName;

export async function findDeveloper(db: Db, tenantId: TenantId): Promise<Developer | undefined> {
  const [developer] = await selectDeveloper(db, { tenantId });
  return developer;
}

const selectDeveloper = compileOnce((db, { tenantId }: { readonly tenantId: TenantId }) =>
  db.selectFrom("developers").selectAll().where("tenantId", "=", tenantId),
);

export async function getDeveloper(db: Db, tenantId: TenantId): Promise<Developer> {
  return (await findDeveloper(db, tenantId)) ?? developerNotFound(tenantId);
}

/**
 * Returns the developer's profile. Throws `developer_not_found`. Must run in a transaction of the tenant, because
 * row-level security hides the password row from other tenants.
 */
export async function getDeveloperProfile(tx: Tx, tenantId: TenantId): Promise<DeveloperProfile> {
  const [row] = await selectProfileInTransaction(tx, { tenantId });
  return row === undefined ? developerNotFound(tenantId) : profileOf(row);
}

/** Returns the same as `getDeveloperProfile`, in one statement outside a transaction. */
export async function readProfile(db: Db, tenantId: TenantId): Promise<DeveloperProfile> {
  invariant(!db.isTransaction, "a transaction already has its tenant");
  const [row] = await selectProfileAsTenant(db, { tenantId });
  return row === undefined ? developerNotFound(tenantId) : profileOf(row);
}

const selectProfileInTransaction = profileSelect((tenantId) => sql`${tenantId}::text`);
const selectProfileAsTenant = profileSelect(setTenantForStatement);

/**
 * Builds the query for a profile. `tenantFor` returns an SQL expression for the tenant ID. The expression can also set
 * the tenant for row-level security. The other tables return no rows until the tenant is set, so the expression is in
 * the first table of the join.
 */
function profileSelect(tenantFor: (tenantId: TenantId) => RawBuilder<TenantId>) {
  return compileOnce((db, parameters: { readonly tenantId: TenantId }) =>
    db
      .selectFrom(db.selectNoFrom(tenantFor(parameters.tenantId).as("tenantId")).as("tenant"))
      .innerJoin("developers as developer", "developer.tenantId", "tenant.tenantId")
      .selectAll("developer")
      .select(({ exists, selectFrom }) => [
        exists(
          selectFrom("developerPasswords as password")
            .select("password.tenantId")
            .whereRef("password.tenantId", "=", "developer.tenantId"),
        )
          .$castTo<boolean>()
          .as("hasPassword"),
        exists(
          selectFrom("developerTotp as totp")
            .select("totp.tenantId")
            .whereRef("totp.tenantId", "=", "developer.tenantId")
            .where("totp.confirmedAt", "is not", null),
        )
          .$castTo<boolean>()
          .as("mfaEnabled"),
        sql<IdentityProviderName[]>`array(${selectFrom("developerIdentities as identity")
          .select("identity.provider")
          .whereRef("identity.tenantId", "=", "developer.tenantId")
          .orderBy("identity.provider")})`.as("identityProviders"),
        sql<StarterPolicyIds>`(${selectFrom("policies as policy")
          .select(sql<StarterPolicyIds>`coalesce(jsonb_object_agg(mode, policy_id), '{}')`.as("ids"))
          .whereRef("policy.tenantId", "=", "developer.tenantId")
          .where("policy.isStarter", "=", true)})`.as("starterPolicyIds"),
      ]),
  );
}

interface ProfileRow extends Developer {
  readonly hasPassword: boolean;
  readonly identityProviders: readonly IdentityProviderName[];
  readonly mfaEnabled: boolean;
  readonly starterPolicyIds: StarterPolicyIds;
}

function profileOf({ hasPassword, identityProviders, mfaEnabled, ...developer }: ProfileRow): DeveloperProfile {
  return {
    ...developer,
    authMethods: [...(hasPassword ? (["password"] as const) : []), ...identityProviders],
    mfaEnabled,
  };
}

function developerNotFound(tenantId: TenantId): never {
  throw new AppError("developer_not_found", { internal: `developer ${tenantId} does not exist` });
}

export interface DeveloperSearch extends Page<string> {
  /** The start of a developer ID or of an email address. If undefined, all developers match. */
  readonly text: string | undefined;
  /** The status at the time `at`. */
  readonly kybStatus: Developer["kybStatus"] | undefined;
  readonly at: Date;
}

/** Returns one page of the developers of all tenants that match the search, newest first. For admins only. */
export async function searchDevelopers(
  db: Db,
  { text, kybStatus, at, after, limit }: DeveloperSearch,
): Promise<ListedPage<Developer>> {
  let found = db.selectFrom("developers").selectAll().orderBy("tenantId", "desc");
  if (text !== undefined) {
    const prefix = normalizeEmail(text).replaceAll(/[\\%_]/g, "\\$&");
    found = found.where((developer) => {
      if (isId("dev", text)) return developer("tenantId", "=", text);
      const isEmail = developer("email", "like", `${prefix}%`);
      return text.startsWith("dev_") ? isEmail.or(sql<boolean>`tenant_id like ${`${prefix}%`}`) : isEmail;
    });
  }
  if (kybStatus !== undefined) {
    found = found.where(
      sql<boolean>`case when kyb_status = 'verified' and kyb_expires_at <= ${at} then 'expired'
        else kyb_status end = ${kybStatus}`,
    );
  }
  if (after !== undefined) found = found.where(sql<boolean>`tenant_id < ${after}`);
  return readPage(limit, (max) => found.limit(max).execute());
}

/** Returns undefined if an account already has the email address. */
export async function insertDeveloper(
  tx: Tx,
  developer: Insertable<Schema["developers"]>,
): Promise<Developer | undefined> {
  return tx
    .insertInto("developers")
    .values(developer)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Returns the tenant with this email address, which must be in lowercase. */
export async function findTenantByEmail(db: Db, email: string): Promise<TenantId | undefined> {
  const row = await db.selectFrom("developers").select("tenantId").where("email", "=", email).executeTakeFirst();
  return row?.tenantId;
}

export async function findLiveSession(db: Db, key: LiveSessionKey) {
  const [session] = await selectLiveSession(db, { refreshTokenHash: "", ...key });
  return session;
}

interface LiveSessionKey {
  readonly tenantId: TenantId;
  readonly sessionId: string;
  readonly at: Date;
  /** The refresh token that was issued with the presented access token. */
  readonly refreshTokenHash?: string;
}

const selectLiveSession = compileOnce((db, key: Required<LiveSessionKey>) =>
  db
    .selectFrom("sessions as session")
    .innerJoin("developers as developer", "developer.tenantId", "session.tenantId")
    .leftJoin("refreshTokens as token", (join) =>
      join.on("token.tokenHash", "=", key.refreshTokenHash).onRef("token.sessionId", "=", "session.sessionId"),
    )
    .select(["developer.status", "developer.emailVerifiedAt", "session.createdAt"])
    .select("token.usedAt as refreshTokenUsedAt")
    .where("session.tenantId", "=", key.tenantId)
    .where("session.sessionId", "=", key.sessionId)
    .where("session.revokedAt", "is", null)
    .where("session.expiresAt", ">", key.at)
    .where("developer.status", "not in", ["suspended", "closed"]),
);

/**
 * Returns the tenant's password hash. A login in progress locks it so until its session is committed. Changing or
 * deleting the password therefore waits for the login, whose session can then be ended with the others.
 */
export async function lockPasswordHash(tx: Tx, tenantId: TenantId): Promise<string | undefined> {
  const row = await selectWhere(tx, "developerPasswords", { tenantId }).select("hash").forShare().executeTakeFirst();
  return row?.hash;
}

export function isInactive(status: Developer["status"]): boolean {
  return status === "suspended" || status === "closed";
}

/** Deletes the account's webhooks of both modes, with what waits for them. Returns how many there were. */
export async function deleteWebhooks(tx: Tx, tenantId: TenantId): Promise<number> {
  const { numDeletedRows } = await deleteWhere(tx, "webhooks", { tenantId }).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
