import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { adminActor, commandLineActor } from "../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { newTotpSecret, totpUrl } from "../../crypto/totp.ts";
import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import { type AdminId, newId, OPERATOR_TENANT } from "../../foundation/ids.ts";
import { normalizeEmail } from "../../foundation/text.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { adminRowsByEmail, disableIfActive, endSessionsAndLogins, selectAdmins, upsertAdmin } from "./queries.ts";
import { totpContext } from "./sealed-columns.ts";

/**
 * Runs a transaction in the operators' tenant, which owns the rows of all admins. Row-level security hides these rows
 * from transactions of other tenants.
 */
export function withOperatorTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withTransaction(db, OPERATOR_TENANT, work);
}

const tenantId = OPERATOR_TENANT;

const PASSWORD_LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 128;
const PASSWORD_BYTES = 18;

interface CreateAdmin {
  /** A valid email address. It is converted to lowercase. */
  readonly email: string;
  /** A random password is generated if this is undefined. */
  readonly password: string | undefined;
}

/** The credentials of a new admin, shown once. Only the password's hash and the encrypted TOTP secret are stored. */
export interface NewAdmin {
  readonly adminId: AdminId;
  readonly email: string;
  readonly password: string;
  /** Base32-encoded. */
  readonly totpSecret: string;
  readonly totpUrl: string;
}

/**
 * Creates an admin, or re-enables a disabled one with a new password and a new TOTP secret. Only the CLI calls this;
 * there is no API route for it.
 */
export async function createAdmin(
  app: Pick<App, "db" | "clock" | "passwords" | "keyEncryptionKey" | "vaults">,
  command: CreateAdmin,
): Promise<NewAdmin> {
  const email = normalizeEmail(command.email);
  const password = command.password ?? randomBytes(PASSWORD_BYTES).toString("base64url");
  const { length } = [...password.normalize("NFC")];
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    const detail = `The password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`;
    throw new AppError("validation_error", { detail });
  }

  const totpSecret = newTotpSecret();
  const passwordHash = await app.passwords.hash(password);
  const vault = await openVault(app, OPERATOR_TENANT);
  const adminId = await withOperatorTransaction(app.db, async (tx) => {
    const known = await adminRowsByEmail.find(tx, { tenantId, email });
    if (known !== undefined && known.disabledAt === null) {
      throw new AppError("already_exists", {
        detail: "An active admin has this address. To create new credentials, disable the admin first.",
      });
    }
    const at = app.clock.now();
    return putAdmin(tx, vault, {
      email,
      passwordHash,
      totpSecret,
      at,
      by: commandLineActor(),
    });
  });
  const url = totpUrl({ secret: totpSecret, account: email, issuer: "Purser admin" });
  return { adminId, email, password, totpSecret, totpUrl: url };
}

interface PutAdmin {
  /** In lowercase. */
  readonly email: string;
  readonly passwordHash: string;
  /** Base32-encoded. */
  readonly totpSecret: string;
  readonly at: Date;
  readonly by: Actor;
}

/**
 * Creates an admin. If an admin with this email address exists, replaces their password and TOTP secret and ends their
 * sessions. Must be called in a transaction of the operators' tenant (`withOperatorTransaction`).
 */
export async function putAdmin(
  tx: Tx,
  vault: TenantVault,
  { email, passwordHash, totpSecret, at, by }: PutAdmin,
): Promise<AdminId> {
  const known = await adminRowsByEmail.find(tx, { tenantId, email });
  const adminId = known?.adminId ?? newId("adm");
  await upsertAdmin(tx, {
    adminId,
    email,
    passwordHash,
    totpSecretSealed: vault.seal(totpContext(adminId), totpSecret),
    createdAt: at,
    updatedAt: at,
  });
  if (known !== undefined) await endSessionsAndLogins(tx, adminId, at);
  await appendAuditEntry(tx, by, {
    action: known === undefined ? "admin.created" : "admin.renewed",
    subject: { type: "admin", id: adminId },
    facts: {},
    occurredAt: at,
  });
  return adminId;
}

/** Disables an admin and ends their sessions. Returns false if there is no active admin with this email address. */
export async function disableAdmin(
  app: Pick<App, "db" | "clock">,
  command: { readonly email: string },
): Promise<boolean> {
  const at = app.clock.now();
  return withOperatorTransaction(app.db, async (tx) => {
    const admin = await adminRowsByEmail.find(tx, { tenantId, email: normalizeEmail(command.email) });
    // A login in progress locks the admin's row, so this update waits until the login is committed. The login's session
    // is then ended below.
    if (admin === undefined || !(await disableIfActive(tx, admin.adminId, at))) {
      return false;
    }
    await endSessionsAndLogins(tx, admin.adminId, at);
    await appendAuditEntry(tx, commandLineActor(), {
      action: "admin.disabled",
      subject: { type: "admin", id: admin.adminId },
      facts: {},
      occurredAt: at,
    });
    return true;
  });
}

/** Returns all admins without their credentials, sorted by email address. */
export function listAdmins(app: Pick<App, "db">) {
  return withOperatorTransaction(app.db, selectAdmins);
}

interface AdminSecrets {
  /** In lowercase. */
  readonly email: string;
  readonly password: string;
  /** Base32-encoded. */
  readonly totpSecret: string;
}

/**
 * Returns true if there is an active admin with these credentials. The local development profile stores an admin's
 * credentials in a file and calls this to find out whether they still work.
 */
export async function isWorkingAdmin(
  app: Pick<App, "db" | "clock" | "passwords" | "keyEncryptionKey" | "vaults">,
  { email, password, totpSecret }: AdminSecrets,
): Promise<boolean> {
  const admin = await withOperatorTransaction(app.db, (tx) => adminRowsByEmail.find(tx, { tenantId, email }));
  if (admin === undefined || admin.disabledAt !== null) return false;
  const vault = await openVault(app, OPERATOR_TENANT);
  const secret = vault.open(totpContext(admin.adminId), admin.totpSecretSealed);
  return secret.equals(Buffer.from(totpSecret)) && app.passwords.verify(admin.passwordHash, password);
}

interface RecordAdminAccess {
  readonly adminId: AdminId;
  readonly network: string;
  readonly requestId: string;
  readonly action:
    | "developers.listed"
    | "developer.shown"
    | "operations.listed"
    | "audit.listed"
    | "health.read"
    | "wallets.listed";
  /** The developer whose data was read, or the admin themselves if the data belongs to no developer or to several. */
  readonly subject: { readonly type: "developer" | "admin"; readonly id: string };
  readonly facts: Readonly<Record<string, Json>>;
}

/** Records in the operators' audit log what an admin read. Call it before returning the data. */
export async function recordAdminAccess(
  { db, clock }: Pick<App, "db" | "clock">,
  { adminId, network, requestId, action, subject, facts }: RecordAdminAccess,
): Promise<void> {
  const occurredAt = clock.now();
  await withOperatorTransaction(db, (tx) =>
    appendAuditEntry(tx, adminActor(adminId, { network, requestId }), {
      action,
      subject,
      facts,
      occurredAt,
    }),
  );
}
