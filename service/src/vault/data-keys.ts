import { randomBytes } from "node:crypto";
import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { AppError } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { type DataKeyName, insertDataKey, listDataKeys } from "./queries.ts";

const DATA_KEY_BYTES = 32;

/** Creates a version of the tenant's data key. Does nothing if the version exists. */
export async function addDataKey(
  access: { readonly db: Db; readonly clock: Clock; readonly keyEncryptionKey: KeyEncryptionKey },
  name: DataKeyName,
): Promise<void> {
  const { db, clock, keyEncryptionKey } = access;
  const wrapped = await callKeyEncryptionKey(keyEncryptionKey.wrap(randomBytes(DATA_KEY_BYTES), name));
  const key = { ...name, keyEncryptionKeyId: keyEncryptionKey.id, wrapped, createdAt: clock.now() };
  await withTransaction(db, name.tenantId, (tx) => insertDataKey(tx, key));
}

/** Waits for a call that uses the key encryption key, such as a KMS call. Throws `service_unavailable` if it fails. */
export function callKeyEncryptionKey<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((cause: unknown) => {
    const internal = "the key encryption key is unavailable, or cannot decrypt a data key";
    throw new AppError("service_unavailable", { internal, cause });
  });
}

/** Returns the tenant's data keys, newest first. */
export function loadDataKeys({ db }: { readonly db: Db }, tenantId: TenantId) {
  return withTransaction(db, tenantId, (tx) => listDataKeys(tx, tenantId));
}
