import type { AgentStatus } from "../../foundation/vocabulary.ts";
import type { Agent } from "./queries.ts";

/** Returns the agent's status. An agent is expired from the very second of its expiry, before a job writes it down. */
export function statusAt({ status, expiresAt }: Pick<Agent, "status" | "expiresAt">, at: Date): AgentStatus {
  const canExpire = status === "active" || status === "suspended";
  return canExpire && expiresAt !== null && expiresAt <= at ? "expired" : status;
}

/**
 * Returns `active` if the agent and all its ancestors are active. Otherwise returns the status of the first one that is
 * not: an agent cannot act while an ancestor cannot.
 *
 * @param lineage the agent, its parent and so on
 */
export function effectiveStatusAt(lineage: readonly Pick<Agent, "status" | "expiresAt">[], at: Date): AgentStatus {
  return lineage.map((agent) => statusAt(agent, at)).find((status) => status !== "active") ?? "active";
}

/** Returns the earlier of two expiries. Null means that something never expires. */
export function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
