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

export type { AgentSoftware } from "./schema/agents.ts";
export type {
  ApprovalSummary,
  ApprovalVote,
  AskingRule,
} from "./schema/approvals.ts";
export type { AuditActor, AuditSubject } from "./schema/audit.ts";
export type { OperationError } from "./schema/operations.ts";
export type {
  PaymentDecision,
  PaymentFailure,
  PaymentPayee,
} from "./schema/payments.ts";
export type { PaymentMethodSummary } from "./schema/projects.ts";

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

export type AdminTable = Schema["admins"];
export type AgentTable = Schema["agents"];
export type ApprovalTable = Schema["approvals"];
export type DeveloperTable = Schema["developers"];
export type KybDecisionTable = Schema["kybDecisions"];
export type IdempotencyRecordTable = Schema["idempotencyRecords"];
export type RequestSignatureTable = Schema["requestSignatures"];
export type ApiKeyTable = Schema["apiKeys"];
export type DeviceAuthorizationTable = Schema["deviceAuthorizations"];
export type AuthFailureTable = Schema["authFailures"];
export type ProviderKeyTable = Schema["providerKeys"];
export type KillSwitchTable = Schema["killSwitches"];
export type OperationTable = Schema["operations"];
export type OperationStepTable = Schema["operationSteps"];
export type PaymentTable = Schema["payments"];
export type PolicyTable = Schema["policies"];
export type ProjectTable = Schema["projects"];
export type ProviderLinkTable = Schema["providerLinks"];
export type ProjectBillingTable = Schema["projectBilling"];
export type ServiceTable = Schema["services"];
export type ServiceRotationTable = Schema["serviceRotations"];
export type WalletTable = Schema["wallets"];
export type WalletFreezeTable = Schema["walletFreezes"];
