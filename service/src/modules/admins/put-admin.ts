import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { type AdminId, newId } from "../../foundation/ids.ts";
import type { TenantVault } from "../../vault/open-vault.ts";
import { endSessionsAndLogins, findAdminByEmail, upsertAdmin } from "./queries.ts";
import { totpContext } from "./totp-context.ts";

export interface PutAdmin {
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
  const known = await findAdminByEmail(tx, email);
  const adminId = known?.adminId ?? newId("adm");
  await upsertAdmin(tx, {
    adminId,
    email,
    passwordHash,
    totpSecretSealed: vault.seal(totpContext(adminId), totpSecret),
    createdAt: at,
    updatedAt: at,
  });
  if (known !== undefined) await endSessionsAndLogins(tx, { adminId, at });
  await appendAuditEntry(tx, by, {
    action: known === undefined ? "admin.created" : "admin.renewed",
    subject: { type: "admin", id: adminId },
    facts: {},
    occurredAt: at,
  });
  return adminId;
}
