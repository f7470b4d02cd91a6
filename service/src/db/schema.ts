import type { Selectable } from "kysely";
import type { AdminTables } from "./schema/admins.ts";
import type { AgentTables } from "./schema/agents.ts";
import type { ApprovalTables } from "./schema/approvals.ts";
import type { AuditTables } from "./schema/audit.ts";
import type { BudgetTables } from "./schema/budgets.ts";
import type { DeveloperTables } from "./schema/developers.ts";
import type { DueWorkTables } from "./schema/due-work.ts";
import type { FoundationTables } from "./schema/foundation.ts";
import type { KeyTables } from "./schema/keys.ts";
import type { KillSwitchTables } from "./schema/kill-switches.ts";
import type { LedgerTables } from "./schema/ledger.ts";
import type { OperationTables } from "./schema/operations.ts";
import type { OutboxTables } from "./schema/outbox.ts";
import type { PaymentTables } from "./schema/payments.ts";
import type { PolicyTables } from "./schema/policies.ts";
import type { ProjectTables } from "./schema/projects.ts";
import type { VendorEventTables } from "./schema/vendor-events.ts";
import type { WalletTables } from "./schema/wallets.ts";

export type { AdminTable } from "./schema/admins.ts";
export type { AgentSoftware, AgentTable } from "./schema/agents.ts";
export type {
  ApprovalSummary,
  ApprovalTable,
  ApprovalVote,
  AskingRule,
} from "./schema/approvals.ts";
export type { AuditActor, AuditSubject } from "./schema/audit.ts";
export type { DeveloperTable, KybDecisionTable } from "./schema/developers.ts";
export type { IdempotencyRecordTable, RequestSignatureTable } from "./schema/foundation.ts";
export type { ApiKeyTable, AuthFailureTable, DeviceAuthorizationTable, ProviderKeyTable } from "./schema/keys.ts";
export type { KillSwitchTable } from "./schema/kill-switches.ts";
export type { OperationError, OperationStepTable, OperationTable } from "./schema/operations.ts";
export type {
  PaymentDecision,
  PaymentFailure,
  PaymentPayee,
  PaymentTable,
} from "./schema/payments.ts";
export type { PolicyTable } from "./schema/policies.ts";
export type {
  PaymentMethodSummary,
  ProjectBillingTable,
  ProjectTable,
  ProviderLinkTable,
  ServiceRotationTable,
  ServiceTable,
} from "./schema/projects.ts";
export type { WalletFreezeTable, WalletTable } from "./schema/wallets.ts";

/** All tables that `db/migrations` creates. A test compares them with the database catalog. */
export interface Schema
  extends DeveloperTables,
    KeyTables,
    AuditTables,
    BudgetTables,
    OutboxTables,
    FoundationTables,
    ProjectTables,
    AgentTables,
    PolicyTables,
    ApprovalTables,
    OperationTables,
    DueWorkTables,
    LedgerTables,
    WalletTables,
    PaymentTables,
    KillSwitchTables,
    VendorEventTables,
    AdminTables {}

/** A row as returned by a query. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
