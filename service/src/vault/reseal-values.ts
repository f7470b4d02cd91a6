import type { Logger } from "pino";
import { EnvelopeError } from "../crypto/envelope.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { openVault, type TenantVault, type VaultAccess } from "./open-vault.ts";
import { lockOlderValues, replaceValue } from "./queries.ts";
import type { SealedColumn } from "./sealed-column.ts";

const BATCH_MAX = 100;

export type ResealAccess = VaultAccess & { readonly log: Logger };

/**
 * Seals every value of the tenant's anew that is sealed under an older data key than new ones are, batch by batch, while
 * the service goes on. What was done stays done wherever it stops. A value that does not open is left as it is, and logged.
 *
 * @returns how many values were sealed anew
 */
export async function resealValues(
  access: ResealAccess,
  columns: readonly SealedColumn[],
  tenantId: TenantId,
): Promise<number> {
  // A vault that was opened before the newest key was published seals under an older one.
  access.vaults.delete(tenantId);
  const vault = await openVault(access, tenantId);
  let resealed = 0;
  for (const column of columns) {
    for (;;) {
      const batch = await resealBatch(access, { column, tenantId, vault });
      resealed += batch.resealed;
      if (batch.found < BATCH_MAX || batch.resealed === 0) break;
    }
  }
  return resealed;
}

interface Stretch {
  readonly column: SealedColumn;
  readonly tenantId: TenantId;
  readonly vault: TenantVault;
}

async function resealBatch({ db, log }: ResealAccess, { column, tenantId, vault }: Stretch) {
  const below = vault.sealsUnder;
  return withTransaction(db, tenantId, async (tx) => {
    const values = await lockOlderValues(tx, column, { tenantId, below, limit: BATCH_MAX });
    let resealed = 0;
    for (const { row, sealed } of values) {
      const renewed = reseal(vault, column.contextOf(row), sealed);
      if (renewed === undefined) {
        const { table, column: name } = column;
        log.error({ tenantId, table, column: name }, "a sealed value does not open");
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
