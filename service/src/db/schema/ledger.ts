import type { ColumnType } from "kysely";
import type { LedgerAccountId, LedgerTransferId } from "../../foundation/ids.ts";
import type { Asset } from "../../foundation/money/assets.ts";
import type { FreezeMode, LedgerAccountKind } from "../../foundation/vocabulary.ts";
import type { CreatedOfMode, OfMode, OfTenant, Optional } from "./columns.ts";

export interface LedgerTables {
  readonly ledgerAccounts: CreatedOfMode & {
    readonly accountId: LedgerAccountId;
    readonly kind: LedgerAccountKind;
    readonly subjectType: string;
    readonly subjectId: string;
    readonly asset: Asset;
    /** In base units, like `held`. Only `purser_ledger_move` changes the two. */
    readonly posted: ColumnType<bigint, never, never>;
    readonly held: ColumnType<bigint, never, never>;
    readonly frozen: Optional<FreezeMode | null>;
    readonly stopped: Optional<boolean>;
  };
  /** Only `purser_ledger_move` inserts transfers. */
  readonly ledgerTransfers: CreatedOfMode & {
    readonly transferId: LedgerTransferId;
    readonly asset: Asset;
    readonly debitAccountId: LedgerAccountId;
    readonly creditAccountId: LedgerAccountId;
    readonly amount: bigint;
    readonly kind: "direct" | "hold" | "post" | "void";
    readonly pendingId: LedgerTransferId | null;
    readonly causeType: string;
    readonly causeId: string;
    readonly xid: string;
  };
  readonly moneyChecks: OfTenant & {
    readonly checkedAt: Date;
    /** A `pg_snapshot` as text. */
    readonly countedIn: Optional<string | null>;
  };
  readonly ledgerCheckedSums: OfMode & {
    readonly accountId: LedgerAccountId;
    readonly asset: Asset;
    readonly posted: bigint;
    readonly held: bigint;
  };
}
