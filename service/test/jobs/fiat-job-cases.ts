import { LRUCache } from "lru-cache";
import type { TenantId } from "../../src/foundation/ids.ts";
import { bankRecordKey } from "../../src/pii/bank-records.ts";
import type { KeyEncryptionKey } from "../../src/ports/key-encryption-key.ts";
import { openVault, type TenantVault } from "../../src/vault/vault.ts";
import { conversionsOf } from "../fiat/conversions.ts";
import type { useHarness } from "../harness.ts";

/** The values of a row as SQL, by column. */
type Row = Readonly<Record<string, string>>;

/** The functions of `jobs.test.ts` that insert rows and look for them. */
interface Rows {
  at(seconds: number): string;
  row(table: string, values: Row): Promise<unknown>;
  rows(count: number, table: string, values: Row): string;
  dueWork(tenant: string, kind: string, subject: string, dueAt: string): Row;
  finds(text: string): Promise<boolean>;
  readonly oldKey: KeyEncryptionKey;
}

/** The cases of the jobs for bank accounts and conversions. */
export function fiatJobCases(harness: ReturnType<typeof useHarness>, { at, row, rows, dueWork, finds, oldKey }: Rows) {
  const conversions = conversionsOf(harness);
  const hasNoWork = async (tenantId: TenantId) =>
    !(await finds(`select from due_work where tenant_id = '${tenantId}'`));
  const vaultOf = (tenantId: TenantId) => bankRecordKey({ tenantId, mode: "test" }, "").vaultId;
  return {
    // Conversions and accounts that no longer exist need no more work.
    "advance-conversions": {
      seed: (tenantId: TenantId) =>
        row("due_work", dueWork(`'${tenantId}'`, "advance-conversions", "'conv_none'", at(0))),
      isDone: hasNoWork,
    },
    "advance-fiat-accounts": {
      seed: (tenantId: TenantId) =>
        row("due_work", dueWork(`'${tenantId}'`, "advance-fiat-accounts", "'test ba_none'", at(0))),
      isDone: hasNoWork,
      crowd: () => rows(1_001, "due_work", dueWork("crowd", "advance-fiat-accounts", "'test ba_' || n", at(-1))),
    },
    "cancel-frozen-conversions": {
      seed: async (tenantId: TenantId) => {
        const { tenant, walletId, offRamp } = await conversions.seed({ funds: "50.00", tenantId });
        harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "error_applied", times: 1 });
        await offRamp("40.00");
        await tenant.post(`/wallets/${walletId}/freeze`, { reason: "anomaly" });
      },
      isDone: (tenantId: TenantId) =>
        finds(`select from conversions where tenant_id = '${tenantId}' and status = 'canceled'`),
    },
    "rewrap-pii-keys": {
      seed: (tenantId: TenantId) => {
        const vaults = new LRUCache<TenantId, TenantVault>({ max: 1 });
        const { piiDb } = harness.app;
        if (piiDb === null) throw new Error("The harness has no database for personal data.");
        return openVault({ ...harness.app, db: piiDb, keyEncryptionKey: oldKey, vaults }, vaultOf(tenantId));
      },
      isDone: (tenantId: TenantId) =>
        finds(
          `select from pii.data_key_wrappings where tenant_id = '${vaultOf(tenantId)}'
             and key_encryption_key_id = '${harness.app.keyEncryptionKey.id}'`,
        ),
    },
  };
}
