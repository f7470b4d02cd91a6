import type { Tx } from "../../db/database.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { developerRows, findDeveloper, insertDeveloper, putPasswordHash } from "./queries.ts";

export interface VerifiedDeveloper {
  readonly tenantId: TenantId;
  /** In lowercase. */
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/**
 * Creates a registered developer with a verified email address, for benchmarks and the local development profile. If
 * the tenant exists, updates its password and status.
 */
export async function insertVerifiedDeveloper(
  tx: Tx,
  { tenantId, email, passwordHash, createdAt }: VerifiedDeveloper,
): Promise<void> {
  const verified = {
    status: "active",
    emailVerifiedAt: createdAt,
    provenAt: createdAt,
    registeredAt: createdAt,
    updatedAt: createdAt,
  } as const;
  if ((await findDeveloper(tx, tenantId)) === undefined) {
    await insertDeveloper(tx, { ...verified, tenantId, email, createdAt });
  } else {
    await developerRows.updateAndGet(tx, { tenantId }, verified);
  }
  await putPasswordHash(tx, { tenantId, hash: passwordHash, updatedAt: createdAt });
}
