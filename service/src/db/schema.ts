import type { Selectable } from "kysely";
import type { DB } from "./schema.generated.ts";

export type * from "./column-types.ts";

/** All tables that `db/migrations` creates, with the types of their columns. */
export type Schema = Readonly<DB>;

/** A row as returned by a query. */
export type Row<Table extends keyof Schema> = Readonly<Selectable<Schema[Table]>>;

export type AdminTable = Schema["admins"];
export type AgentTable = Schema["agents"];
export type ApprovalTable = Schema["approvals"];
export type DeveloperTable = Schema["developers"];
export type KybDecisionTable = Schema["kybDecisions"];
export type IdempotencyRecordTable = Schema["idempotencyRecords"];
export type ApiKeyTable = Schema["apiKeys"];
export type AuthFailureTable = Schema["authFailures"];
export type DeviceAuthorizationTable = Schema["deviceAuthorizations"];
export type ProviderKeyTable = Schema["providerKeys"];
export type KillSwitchTable = Schema["killSwitches"];
export type OperationStepTable = Schema["operationSteps"];
export type OperationTable = Schema["operations"];
export type PaymentTable = Schema["payments"];
export type PolicyTable = Schema["policies"];
export type ProjectBillingTable = Schema["projectBilling"];
export type ProjectTable = Schema["projects"];
export type ProviderLinkTable = Schema["providerLinks"];
export type ServiceRotationTable = Schema["serviceRotations"];
export type ServiceTable = Schema["services"];
export type WalletFreezeTable = Schema["walletFreezes"];
export type WalletTable = Schema["wallets"];
