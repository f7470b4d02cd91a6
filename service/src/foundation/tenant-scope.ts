import type { TenantId } from "./ids.ts";
import type { Mode } from "./vocabulary.ts";

/** What a credential may read: the rows of one tenant and mode, narrowed by the agents and projects that its key is bound to. */
export interface TenantScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** Agent ids in lower case. Empty: not bound to agents. */
  readonly agentIds: readonly string[];
  /** Empty: not bound to projects. */
  readonly projectIds: readonly string[];
}
