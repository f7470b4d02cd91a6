import { systemActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import { isForeignKeyViolation } from "../db/errors.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { addDataKey } from "./add-data-key.ts";
import { PUBLISHED_MS } from "./open-vault.ts";
import {
  type DataKeyName,
  deleteDataKey,
  listDataKeys,
  listTenantsInRotation,
  listTenantsWithOldDataKeys,
} from "./queries.ts";
import { type ResealAccess, resealValues } from "./reseal-values.ts";
import type { SealedColumn } from "./sealed-column.ts";

/** How many rotations are begun in one go, so that a service that is a year old today does not do them all at once. */
const BEGUN_MAX = 20;

/**
 * For how long after a newer key was published an unused one is kept. A workflow's step may have sealed what its next step
 * stores, and its process may have died between the two.
 */
const KEPT_MS = 24 * 3_600_000;

/**
 * Begins the rotation of the data keys that were made before `madeBefore`: each tenant's next version is made, and used
 * once every process has it.
 *
 * @returns how many rotations were begun
 */
export async function beginDataKeyRotations(
  access: ResealAccess,
  { madeBefore, tenantId }: { readonly madeBefore: Date; readonly tenantId?: TenantId | undefined },
): Promise<number> {
  const due = await listTenantsWithOldDataKeys(access.db, {
    madeBefore,
    tenantId,
    limit: BEGUN_MAX,
  });
  for (const tenant of due) {
    const [newest] = await listTenantKeys(access, tenant);
    if (newest === undefined) continue;
    await addDataKey(access, { tenantId: tenant, version: newest.version + 1 });
  }
  return due.length;
}

/**
 * Carries every rotation on that has begun: seals values anew, and destroys older data keys that nothing is sealed under
 * any more. The database itself keeps a key for as long as anything is. What was done stays done wherever it stops, and one
 * tenant's trouble is not the others'.
 */
export async function continueDataKeyRotations(
  access: ResealAccess,
  columns: readonly SealedColumn[],
): Promise<void> {
  for (const tenantId of await listTenantsInRotation(access.db)) {
    try {
      // In this order, so that between a value's last reading under the older key and its end lies a whole run.
      await destroyUnusedKeys(access, tenantId);
      const resealed = await resealValues(access, columns, tenantId);
      if (resealed > 0) access.log.info({ tenantId, resealed }, "values were sealed anew");
    } catch (error) {
      const message = redactedMessage(error);
      access.log.error({ tenantId, message }, "a rotation of data keys could not go on");
    }
  }
}

async function destroyUnusedKeys(access: ResealAccess, tenantId: TenantId): Promise<void> {
  const replacedBefore = access.clock.now().getTime() - PUBLISHED_MS - KEPT_MS;
  const keys = await listTenantKeys(access, tenantId);
  const newest = keys.find(({ createdAt }) => createdAt.getTime() <= replacedBefore);
  const older = keys.filter(({ version }) => version < (newest?.version ?? 0));
  for (const { version } of older) {
    const isDestroyed = await destroyKey(access, { tenantId, version });
    if (isDestroyed) access.log.info({ tenantId, version }, "a data key was destroyed");
  }
}

/** With its entry: it is what shows that a value of before can be opened by nobody any more. */
async function destroyKey({ db, clock }: ResealAccess, name: DataKeyName): Promise<boolean> {
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
