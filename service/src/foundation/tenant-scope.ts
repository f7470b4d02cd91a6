import type { TenantId } from "./ids.ts";
import type { Mode } from "./vocabulary.ts";

/**
 * The rows that a credential can read: one tenant and mode, limited to the agents and projects that its key is bound
 * to.
 */
export interface TenantScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** Agent ids in lowercase. Empty if the key is not bound to agents. */
  readonly agentIds: readonly string[];
  /** Empty if the key is not bound to projects. */
  readonly projectIds: readonly string[];
}
