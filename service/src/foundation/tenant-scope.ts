import type { TenantId } from "./ids.ts";
import type { Mode } from "./vocabulary.ts";

/**
 * The rows that a credential can read: the rows of one tenant and mode. An API key that is bound to agents or projects
 * can read only the rows of these agents and projects.
 */
export interface TenantScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** Agent ids in lowercase. Empty if the key is not bound to agents. */
  readonly agentIds: readonly string[];
  /** Empty if the key is not bound to projects. */
  readonly projectIds: readonly string[];
}
