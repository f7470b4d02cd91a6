import type { Tx } from "../../db/database.ts";
import type { TenantId } from "../../foundation/ids.ts";
import {
  findDeveloper,
  insertDeveloper,
  insertDeveloperEmail,
  putPasswordHash,
  updateDeveloper,
} from "./queries.ts";

export interface VerifiedDeveloper {
  readonly tenantId: TenantId;
  /** Lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/**
 * Makes a developer who needs neither to verify an address nor to register: the local profile's own. Where the tenant is
 * there already, only the password is set.
 */
export async function insertVerifiedDeveloper(
  tx: Tx,
  { tenantId, email, passwordHash, createdAt }: VerifiedDeveloper,
): Promise<void> {
  const standing = {
    status: "active",
    emailVerifiedAt: createdAt,
    provenAt: createdAt,
    registeredAt: createdAt,
    updatedAt: createdAt,
  } as const;
  if ((await findDeveloper(tx, tenantId)) === undefined) {
    await insertDeveloper(tx, { ...standing, tenantId, email, createdAt });
    await insertDeveloperEmail(tx, { tenantId, email });
  } else {
    await updateDeveloper(tx, tenantId, standing);
  }
  await putPasswordHash(tx, { tenantId, hash: passwordHash, updatedAt: createdAt });
}
