import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { type AdminId, newId } from "../../foundation/ids.ts";
import type { TenantVault } from "../../vault/open-vault.ts";
import { endEverything, findAdminByEmail, upsertAdmin } from "./queries.ts";
import { totpContext } from "./totp-context.ts";

export interface PutAdmin {
  /** Lower case. */
  readonly email: string;
  readonly passwordHash: string;
  /** Base 32. */
  readonly totpSecret: string;
  readonly at: Date;
  readonly by: Actor;
}

/**
 * Makes an admin, or gives the one who has this address another password and another secret, and ends what was begun with
 * the old ones. In a transaction of the operators'.
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
  if (known !== undefined) await endEverything(tx, { adminId, at });
  await appendAuditEntry(tx, by, {
    action: known === undefined ? "admin.created" : "admin.renewed",
    subject: { type: "admin", id: adminId },
    facts: {},
    occurredAt: at,
  });
  return adminId;
}
