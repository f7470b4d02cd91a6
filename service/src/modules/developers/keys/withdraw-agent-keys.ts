import type { Tx } from "../../../db/database.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { KeyChange } from "./change-keys.ts";
import { type ApiKey, listUsableKeys } from "./queries.ts";
import { withdrawKey } from "./withdraw-key.ts";

interface AgentKeys {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** A UUID in lowercase. */
  readonly agentId: string;
}

/** Returns the valid keys that are bound to the agent, perhaps beside other agents. */
export async function listAgentKeys(
  tx: Tx,
  { tenantId, mode, agentId, at }: AgentKeys & { readonly at: Date },
): Promise<ApiKey[]> {
  const usable = await listUsableKeys(tx, { tenantId, at });
  return usable.filter((key) => key.mode === mode && agentIdsOf(key).includes(agentId));
}

/** Revokes those of the keys that are bound only to revoked agents. */
export async function withdrawAgentKeys(
  change: KeyChange,
  keys: readonly ApiKey[],
  { revokedAgentIds }: { readonly revokedAgentIds: readonly string[] },
): Promise<void> {
  const ending = keys.filter((key) => agentIdsOf(key).every((agentId) => revokedAgentIds.includes(agentId)));
  for (const key of ending) await withdrawKey(change, key, { reason: "agent_revoked" });
}

function agentIdsOf({ agentIds }: ApiKey): string[] {
  return agentIds.map((agentId) => agentId.toLowerCase());
}
