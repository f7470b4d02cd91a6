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
 * Re-encrypts all of the tenant's values that use an older data key than the current one. Works in batches while the
 * server runs. After an interruption, the finished batches remain. A value that cannot be decrypted is logged and not
 * changed.
 *
 * @returns the number of re-encrypted values
 */
export async function resealValues(
  access: ResealAccess,
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
      if (batch.found < BATCH_MAX || batch.resealed === 0) break;
    }
  }
  return resealed;
}

interface ColumnOfTenant {
  readonly column: SealedColumn;
  readonly tenantId: TenantId;
  readonly vault: TenantVault;
}

async function resealBatch({ db, log }: ResealAccess, { column, tenantId, vault }: ColumnOfTenant) {
  const below = vault.sealsUnder;
  return withTransaction(db, tenantId, async (tx) => {
    const values = await lockOlderValues(tx, column, { tenantId, below, limit: BATCH_MAX });
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
