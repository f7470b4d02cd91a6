import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { deleteExpiredRows, listExpiredRows, RETENTION, type Retention } from "./queries.ts";

/** The maximum number of rows that one statement deletes, so that the statement ends long before its timeout. */
const ROWS_MAX = 5_000;

/**
 * Deletes the rows that were kept long enough. One transaction can delete the rows of one tenant only, except in global
 * tables. The error of one tenant or table does not affect the others.
 */
export async function purgeExpiredRows({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const now = clock.now().getTime();
  await tryEach(RETENTION, (retention) => purge(db, retention, new Date(now - retention.keepMs)));
}

async function purge(db: App["db"], retention: Retention, before: Date): Promise<void> {
  const left = new Set<TenantId>();
  const failures: unknown[] = [];
  const list = () => listExpiredRows(db, retention, { before, except: left, limit: ROWS_MAX });
  for (let page = await list(); page.length > 0; page = await list()) {
    for (const [tenantId, rows] of Map.groupBy(page, (row) => row.tenantId)) {
      const deleted = await withTransaction(db, tenantId, (tx) =>
        deleteExpiredRows(tx, retention, { before, rows }),
      ).catch((error: unknown) => {
        failures.push(error);
        return 0n;
      });
      // The next run tries again.
      if (deleted === 0n) left.add(tenantId);
    }
  }
  if (failures.length > 0) throw failures[0];
}
