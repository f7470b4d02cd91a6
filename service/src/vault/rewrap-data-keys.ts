import pLimit from "p-limit";
import type { Logger } from "pino";
import type { Db } from "../db/database.ts";
import type { Position } from "../db/pages.ts";
import { withTransaction } from "../db/transaction.ts";
import { redactedMessage } from "../foundation/redact.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import { type DataKeyName, type DataKeyWrapping, listOldWrappings, replaceWrapping } from "./queries.ts";
import { loadDataKeys } from "./vault.ts";

const BATCH_MAX = 100;
const CONCURRENT_MAX = 4;

export interface RewrapAccess {
  readonly db: Db;
  readonly log: Logger;
  readonly keyEncryptionKey: KeyEncryptionKey;
}

export interface RewrapProgress {
  readonly rewrapped: number;
  /** Number of data keys that could not be re-encrypted. They are unchanged, and the next run tries them again. */
  readonly failed: number;
}

/**
 * Re-encrypts every data key with the current key encryption key while the server runs. The data keys themselves and
 * the values encrypted with them do not change. The work can be interrupted and repeated, and several processes can do
 * it at the same time. Stops early if a whole batch fails, because the key encryption key may be unavailable. The next
 * run with the same `position` continues after that batch.
 *
 * @param report called with the progress after each batch
 */
export async function rewrapDataKeys(
  access: RewrapAccess,
  position: Position<DataKeyWrapping> = {},
  report: (soFar: RewrapProgress) => void = () => {},
): Promise<RewrapProgress> {
  const currentId = access.keyEncryptionKey.id;
  let soFar = { rewrapped: 0, failed: 0 };
  for (;;) {
    const query = { currentId, after: position.after, limit: BATCH_MAX };
    const batch = await listOldWrappings(access.db, query);
    position.after = batch.at(-1);
    if (batch.length === 0) return soFar;
    const rewrapped = await rewrapBatch(access, batch);
    const failed = batch.length - rewrapped;
    soFar = { rewrapped: soFar.rewrapped + rewrapped, failed: soFar.failed + failed };
    report(soFar);
    if (rewrapped === 0) return soFar;
  }
}

async function rewrapBatch(access: RewrapAccess, batch: readonly DataKeyWrapping[]): Promise<number> {
  const limit = pLimit(CONCURRENT_MAX);
  const results = await Promise.all(batch.map((name) => limit(() => isRewrapped(access, name))));
  return results.filter((isDone) => isDone).length;
}

async function isRewrapped(access: RewrapAccess, wrapping: DataKeyWrapping): Promise<boolean> {
  try {
    await rewrap(access, wrapping);
    return true;
  } catch (error) {
    access.log.error({ ...wrapping, message: redactedMessage(error) }, "could not re-encrypt a data key");
    return false;
  }
}

async function rewrap({ db, keyEncryptionKey }: RewrapAccess, { tenantId, version }: DataKeyName) {
  const context = { tenantId, version };
  const stored = await loadDataKeys({ db }, tenantId);
  const key = stored.find((one) => one.version === version);
  // The data key was deleted after it was listed.
  if (key === undefined) return;

  const dataKey = await keyEncryptionKey.unwrap(key.wrapped, key.keyEncryptionKeyId, context);
  const wrapped = await keyEncryptionKey.wrap(dataKey, context);
  // Before `wrapped` is stored, it is decrypted and compared with the data key. If a wrong `wrapped` were stored, all
  // values encrypted with this data key would be unreadable.
  const verified = await keyEncryptionKey.unwrap(wrapped, keyEncryptionKey.id, context);
  if (!verified.equals(dataKey)) throw new Error("The encrypted data key does not decrypt to the original key.");

  const renewed = { keyEncryptionKeyId: keyEncryptionKey.id, wrapped };
  await withTransaction(db, tenantId, (tx) => replaceWrapping(tx, { ...context, wrapped: key.wrapped }, renewed));
}
