import type { TenantId } from "../../foundation/ids.ts";
import type { AgentStatus, Mode } from "../../foundation/vocabulary.ts";

export interface AgentTable {
  readonly tenantId: TenantId;
  readonly agentId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly status: AgentStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface AgentTables {
  readonly agents: AgentTable;
}
