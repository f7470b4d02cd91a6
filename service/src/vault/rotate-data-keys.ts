import type { Logger } from "pino";
import { systemActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import { EnvelopeError } from "../crypto/envelope.ts";
import { isForeignKeyViolation } from "../db/errors.ts";
import type { Position } from "../db/pages.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { tryEach } from "../foundation/try-each.ts";
import {
  type DataKeyName,
  deleteDataKey,
  listOldDataKeys,
  listTenantsInRotation,
  lockOlderValues,
  type OldDataKey,
  replaceValue,
} from "./queries.ts";
import type { SealedColumn } from "./sealed-column.ts";
import {
  ACTIVATION_DELAY_MS,
  addDataKey,
  loadDataKeys,
  openVault,
  type TenantVault,
  type VaultAccess,
} from "./vault.ts";

/** Maximum number of rotations started in one run. The limit spreads the load over several runs. */
const BATCH_MAX = 20;

const VALUES_MAX = 100;

/**
 * How long an unused data key is kept after its successor becomes active. A workflow step may have used the old key to
 * encrypt a value that a later step will store.
 */
const RETENTION_MS = 24 * 3_600_000;

type RotationAccess = VaultAccess & { readonly log: Logger };

interface StartDataKeyRotations {
  readonly madeBefore: Date;
  readonly tenantId?: TenantId | undefined;
  readonly position?: Position<OldDataKey>;
}

/**
 * Starts the rotation of data keys that were created before `madeBefore`, by creating the next version of each. The new
 * version is used once every process has loaded it. The next run with the same `position` starts the rotation of other
 * data keys, even if this run failed.
 *
 * @returns the number of rotations started
 */
export async function startDataKeyRotations(
  access: RotationAccess,
  { madeBefore, tenantId, position = {} }: StartDataKeyRotations,
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
export async function continueDataKeyRotations(
  access: RotationAccess,
  columns: readonly SealedColumn[],
): Promise<void> {
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

async function deleteUnusedKeys(access: RotationAccess, tenantId: TenantId): Promise<void> {
  const replacedBefore = access.clock.now().getTime() - ACTIVATION_DELAY_MS - RETENTION_MS;
  const keys = await loadDataKeys(access, tenantId);
  const newest = keys.find(({ createdAt }) => createdAt.getTime() <= replacedBefore);
  const older = keys.filter(({ version }) => version < (newest?.version ?? 0));
  for (const { version } of older) {
    const isDeleted = await deleteKey(access, { tenantId, version });
    if (isDeleted) access.log.info({ tenantId, version }, "data key deleted");
  }
}

/** Deletes a data key and writes an audit entry. Returns false if a value still uses the data key. */
async function deleteKey({ db, clock }: RotationAccess, name: DataKeyName): Promise<boolean> {
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

/**
 * Re-encrypts all of the tenant's values that use an older data key than the current one. Works in batches while the
 * server runs. After an interruption, the finished batches remain. A value that cannot be decrypted is logged and not
 * changed.
 *
 * @returns the number of re-encrypted values
 */
async function resealValues(
  access: RotationAccess,
  columns: readonly SealedColumn[],
  tenantId: TenantId,
): Promise<number> {
  // The vault is opened again, because a cached vault may still encrypt with an older data key.
  access.vaults.delete(tenantId);
  const vault = await openVault(access, tenantId);
  let resealed = 0;
  for (const column of columns) {
    for (;;) {
      const batch = await resealBatch(access, { column, tenantId, vault });
      resealed += batch.resealed;
      if (batch.found < VALUES_MAX || batch.resealed === 0) break;
    }
  }
  return resealed;
}

interface ColumnOfTenant {
  readonly column: SealedColumn;
  readonly tenantId: TenantId;
  readonly vault: TenantVault;
}

async function resealBatch({ db, log }: RotationAccess, { column, tenantId, vault }: ColumnOfTenant) {
  const below = vault.sealsUnder;
  return withTransaction(db, tenantId, async (tx) => {
    const values = await lockOlderValues(tx, column, { tenantId, below, limit: VALUES_MAX });
    let resealed = 0;
    for (const { row, sealed } of values) {
      const renewed = reseal(vault, column.contextOf(row), sealed);
      if (renewed === undefined) {
        const { table, column: name } = column;
        log.error({ tenantId, table, column: name }, "could not decrypt a stored value");
      } else {
        await replaceValue(tx, column, { tenantId, row, sealed: renewed });
        resealed += 1;
      }
    }
    return { found: values.length, resealed };
  });
}

function reseal(
  vault: TenantVault,
  context: ReturnType<SealedColumn["contextOf"]>,
  sealed: Buffer,
): Buffer | undefined {
  try {
    return vault.seal(context, vault.open(context, sealed));
  } catch (error) {
    if (error instanceof EnvelopeError) return undefined;
    throw error;
  }
}
