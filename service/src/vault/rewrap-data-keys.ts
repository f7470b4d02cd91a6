import type { Logger } from "pino";
import type { Db } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import { redactedMessage } from "../foundation/redact.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";
import {
  type DataKeyName,
  listDataKeys,
  listOldWrappings,
  replaceWrapping,
  type Wrapping,
} from "./queries.ts";

const BATCH_MAX = 100;
const AT_ONCE_MAX = 4;

export interface RewrapAccess {
  readonly db: Db;
  readonly log: Logger;
  readonly keyEncryptionKey: KeyEncryptionKey;
}

export interface Rewrapping {
  readonly rewrapped: number;
  /** Data keys that could not be: they stay as they are, and the next run tries again. */
  readonly failed: number;
}

/**
 * Wraps every data key anew that is not wrapped under the current key encryption key, while the service goes on: the data
 * keys themselves, and all that is sealed under them, stay as they are. What was done stays done wherever it stops, and
 * any number may run at once. Gives up for now when a whole batch fails.
 *
 * @param report told after each batch how far it is
 */
export async function rewrapDataKeys(
  access: RewrapAccess,
  report: (soFar: Rewrapping) => void = () => {},
): Promise<Rewrapping> {
  const currentId = access.keyEncryptionKey.id;
  let soFar = { rewrapped: 0, failed: 0 };
  let after: Wrapping | undefined;
  for (;;) {
    const batch = await listOldWrappings(access.db, { currentId, after, limit: BATCH_MAX });
    if (batch.length === 0) return soFar;
    const rewrapped = await rewrapBatch(access, batch);
    const failed = batch.length - rewrapped;
    soFar = { rewrapped: soFar.rewrapped + rewrapped, failed: soFar.failed + failed };
    report(soFar);
    if (rewrapped === 0) return soFar;
    after = batch.at(-1);
  }
}

async function rewrapBatch(access: RewrapAccess, batch: readonly Wrapping[]): Promise<number> {
  const waiting = [...batch];
  let rewrapped = 0;
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { tenantId, version, keyEncryptionKeyId } = next;
      try {
        await rewrap(access, next);
        rewrapped += 1;
      } catch (error) {
        const message = redactedMessage(error);
        access.log.error(
          { tenantId, version, keyEncryptionKeyId, message },
          "a data key was not rewrapped",
        );
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, work));
  return rewrapped;
}

async function rewrap({ db, keyEncryptionKey }: RewrapAccess, { tenantId, version }: DataKeyName) {
  const context = { tenantId, version };
  const stored = await withTransaction(db, tenantId, (tx) => listDataKeys(tx, tenantId));
  const key = stored.find((one) => one.version === version);
  // Destroyed since it was listed.
  if (key === undefined) return;

  const dataKey = await keyEncryptionKey.unwrap(key.wrapped, key.keyEncryptionKeyId, context);
  const wrapped = await keyEncryptionKey.wrap(dataKey, context);
  // Tried before it replaces the one that opens: a wrapping that does not would cost all that is sealed under it.
  const tried = await keyEncryptionKey.unwrap(wrapped, keyEncryptionKey.id, context);
  if (!tried.equals(dataKey)) throw new Error("The new wrapping opens to another data key.");

  const renewed = { keyEncryptionKeyId: keyEncryptionKey.id, wrapped };
  await withTransaction(db, tenantId, (tx) =>
    replaceWrapping(tx, { ...context, wrapped: key.wrapped }, renewed),
  );
}
