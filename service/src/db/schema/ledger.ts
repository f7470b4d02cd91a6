import type { ColumnType } from "kysely";
import type { LedgerAccountId, LedgerTransferId, TenantId } from "../../foundation/ids.ts";
import type { Asset } from "../../foundation/money/assets.ts";
import type { FreezeMode, LedgerAccountKind, Mode } from "../../foundation/vocabulary.ts";
import type { Optional } from "./columns.ts";

interface LedgerAccountTable {
  readonly tenantId: TenantId;
  readonly accountId: LedgerAccountId;
  readonly mode: Mode;
  readonly kind: LedgerAccountKind;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly asset: Asset;
  /** In base units, like `held`. Only `purser_ledger_move` changes the two. */
  readonly posted: ColumnType<bigint, never, never>;
  readonly held: ColumnType<bigint, never, never>;
  readonly frozen: Optional<FreezeMode | null>;
  readonly stopped: Optional<boolean>;
  readonly createdAt: Date;
}

/** Only `purser_ledger_move` inserts transfers. */
interface LedgerTransferTable {
  readonly tenantId: TenantId;
  readonly transferId: LedgerTransferId;
  readonly mode: Mode;
  readonly asset: Asset;
  readonly debitAccountId: LedgerAccountId;
  readonly creditAccountId: LedgerAccountId;
  readonly amount: bigint;
  readonly kind: "direct" | "hold" | "post" | "void";
  readonly pendingId: LedgerTransferId | null;
  readonly causeType: string;
  readonly causeId: string;
  readonly createdAt: Date;
  readonly xid: string;
}

interface MoneyCheckTable {
  readonly tenantId: TenantId;
  readonly checkedAt: Date;
  /** A `pg_snapshot` as text. */
  readonly countedIn: Optional<string | null>;
}

interface LedgerCheckedSumTable {
  readonly tenantId: TenantId;
  readonly accountId: LedgerAccountId;
  readonly mode: Mode;
  readonly asset: Asset;
  readonly posted: bigint;
  readonly held: bigint;
}

export interface LedgerTables {
  readonly ledgerAccounts: LedgerAccountTable;
  readonly ledgerTransfers: LedgerTransferTable;
  readonly moneyChecks: MoneyCheckTable;
  readonly ledgerCheckedSums: LedgerCheckedSumTable;
}
