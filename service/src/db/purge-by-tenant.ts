import type { TenantId } from "../foundation/ids.ts";
import { tryEach } from "../foundation/try-each.ts";
import type { Db, Tx } from "./database.ts";
import { PURGED_AT_ONCE_MAX } from "./delete-in-batches.ts";
import { itemsByTenant, type Page } from "./pages.ts";
import { withTransaction } from "./transaction.ts";

/**
 * Deletes rows of tables with row-level security, which one transaction can delete for one tenant only. Each transaction
 * deletes up to `PURGED_AT_ONCE_MAX` rows. One tenant's error does not affect the others.
 */
export async function purgeByTenant<Row extends { readonly tenantId: TenantId }>(
  db: Db,
  list: (page: Page<Row>) => Promise<readonly Row[]>,
  remove: (tx: Tx, tenantId: TenantId, rows: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  const rows = itemsByTenant<Row>((after) => list({ after, limit: PURGED_AT_ONCE_MAX }));
  await tryEach(rows, async ([tenantId, ofTenant]) => {
    await withTransaction(db, tenantId, (tx) => remove(tx, tenantId, ofTenant));
  });
}
