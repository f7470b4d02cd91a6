import type { App } from "../app.ts";
import { systemActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { withSnapshot } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { tryEach } from "../foundation/try-each.ts";
import { checkBalances } from "../ledger/check/check-balances.ts";
import {
  type BalanceDifference,
  claimCheck,
  type DueCheck,
  listDueChecks,
} from "../ledger/check/queries.ts";

const INTERVAL_MS = 3_600_000;
const TENANTS_MAX = 100;

/**
 * Checks the balances of each tenant that was last checked an hour ago or earlier. The tenant that has waited for
 * longest comes first. A tenant that cannot be checked does not block the others.
 */
export async function checkLedger(app: Pick<App, "db" | "clock" | "log">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - INTERVAL_MS);
  let previous: DueCheck | undefined;
  let failure: unknown;
  do {
    const page = await listDueChecks(app.db, { before, previous, limit: TENANTS_MAX });
    await tryEach(page, ({ tenantId }) => checkTenant(app, { tenantId, before })).catch(
      (error: unknown) => {
        failure ??= error;
      },
    );
    previous = page.at(-1);
  } while (previous !== undefined);
  if (failure !== undefined) throw failure;
}

async function checkTenant(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  { tenantId, before }: { readonly tenantId: TenantId; readonly before: Date },
): Promise<void> {
  const at = clock.now();
  const differences = await withSnapshot(db, tenantId, async (tx) => {
    if (!(await claimCheck(tx, { tenantId, before, at }))) return [];
    const found = await checkBalances(tx, { tenantId, isWhole: false });
    for (const difference of found) await recordDifference(tx, { tenantId, difference, at });
    return found;
  });
  for (const { accountId, asset, number, expected, found } of differences) {
    log.error(
      {
        tenant: tenantId,
        account: accountId,
        asset,
        number,
        expected: `${expected}`,
        found: `${found}`,
      },
      "a balance differs from the sum of its transfers: operator action required",
    );
  }
}

async function recordDifference(
  tx: Tx,
  {
    tenantId,
    difference: { accountId, mode, asset, number, expected, found },
    at,
  }: {
    readonly tenantId: TenantId;
    readonly difference: BalanceDifference;
    readonly at: Date;
  },
): Promise<void> {
  await appendAuditEntry(tx, systemActor({ tenantId, mode }), {
    action: "ledger.difference_found",
    subject:
      accountId === null
        ? { type: "developer", id: tenantId }
        : { type: "ledger_account", id: accountId },
    facts: { asset, number, expected: `${expected}`, found: found === null ? null : `${found}` },
    occurredAt: at,
  });
}
