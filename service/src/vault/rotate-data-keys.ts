import { systemActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import { isForeignKeyViolation } from "../db/errors.ts";
import type { Position } from "../db/pages.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { tryEach } from "../foundation/try-each.ts";
import { addDataKey } from "./add-data-key.ts";
import { ACTIVATION_DELAY_MS } from "./open-vault.ts";
import {
  type DataKeyName,
  deleteDataKey,
  listDataKeys,
  listOldDataKeys,
  listTenantsInRotation,
  type OldDataKey,
} from "./queries.ts";
import { type ResealAccess, resealValues } from "./reseal-values.ts";
import type { SealedColumn } from "./sealed-column.ts";

/** Maximum number of rotations started in one run. The limit spreads the load over several runs. */
const BATCH_MAX = 20;

/**
 * How long an unused data key is kept after its successor becomes active. A workflow step may have used the old key to
 * encrypt a value that a later step will store.
 */
const RETENTION_MS = 24 * 3_600_000;

/**
 * Starts the rotation of data keys that were created before `madeBefore`, by creating the next version of each. The new
 * version is used once every process has loaded it. The next run with the same `position` starts the rotation of other
 * data keys, even if this run failed.
 *
 * @returns the number of rotations started
 */
export async function startDataKeyRotations(
  access: ResealAccess,
  {
    madeBefore,
    tenantId,
    position = {},
  }: {
    readonly madeBefore: Date;
    readonly tenantId?: TenantId | undefined;
    readonly position?: Position<OldDataKey>;
  },
): Promise<number> {
  const query = { madeBefore, tenantId, after: position.after, limit: BATCH_MAX };
  const due = await listOldDataKeys(access.db, query);
  position.after = due.length < BATCH_MAX ? undefined : due.at(-1);
  await tryEach(due, (old) => addDataKey(access, { tenantId: old.tenantId, version: old.version + 1 }));
  return due.length;
}

/**
 * Continues all rotations: re-encrypts values with the newest active data key, and deletes older data keys that no
 * value uses. A foreign key prevents the deletion of a data key in use. After an interruption, the finished work
 * remains. An error for one tenant does not affect the others.
 */
export async function continueDataKeyRotations(access: ResealAccess, columns: readonly SealedColumn[]): Promise<void> {
  for (const tenantId of await listTenantsInRotation(access.db)) {
    try {
      // Data keys are deleted before values are re-encrypted. If this run re-encrypts a value, the old data key
      // therefore exists until the next run. A process that read the value before the re-encryption can still decrypt
      // it.
      await deleteUnusedKeys(access, tenantId);
      const resealed = await resealValues(access, columns, tenantId);
      if (resealed > 0) access.log.info({ tenantId, resealed }, "values re-encrypted with the new data key");
    } catch (error) {
      const message = redactedMessage(error);
      access.log.error({ tenantId, message }, "could not rotate data keys");
    }
  }
}

async function deleteUnusedKeys(access: ResealAccess, tenantId: TenantId): Promise<void> {
  const replacedBefore = access.clock.now().getTime() - ACTIVATION_DELAY_MS - RETENTION_MS;
  const keys = await listTenantKeys(access, tenantId);
  const newest = keys.find(({ createdAt }) => createdAt.getTime() <= replacedBefore);
  const older = keys.filter(({ version }) => version < (newest?.version ?? 0));
  for (const { version } of older) {
    const isDeleted = await deleteKey(access, { tenantId, version });
    if (isDeleted) access.log.info({ tenantId, version }, "data key deleted");
  }
}

/** Deletes a data key and writes an audit entry. Returns false if a value still uses the data key. */
async function deleteKey({ db, clock }: ResealAccess, name: DataKeyName): Promise<boolean> {
  const { tenantId, version } = name;
  try {
    await withTransaction(db, tenantId, async (tx) => {
      await deleteDataKey(tx, name);
      await appendAuditEntry(tx, systemActor({ tenantId, mode: "live" }), {
        action: "data_key.destroyed",
        subject: { type: "data_key", id: String(version) },
        facts: {},
        occurredAt: clock.now(),
      });
    });
    return true;
  } catch (error) {
    if (isForeignKeyViolation(error)) return false;
    throw error;
  }
}

function listTenantKeys({ db }: ResealAccess, tenantId: TenantId) {
  return withTransaction(db, tenantId, (tx) => listDataKeys(tx, tenantId));
}
