import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { type AgentKey, expiredAgents } from "../../modules/agents/queries.ts";
import { changeAgentStatus } from "./change-agent-status.ts";

/**
 * Sets the status of expired agents to `expired` and sends an event for each. Every reader sees the status `expired` even
 * before this job runs (see `statusAt`).
 */
export async function expireAgents({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await tryEach(expiredAgents(db, clock), (agent) => expireAgent({ db }, agent, clock.now()));
}

async function expireAgent({ db }: Pick<App, "db">, { tenantId, mode, agentId }: AgentKey, at: Date): Promise<void> {
  const key = { tenantId, mode, agentId };
  const actor = systemActor(key);
  await withTransaction(db, tenantId, (tx) =>
    changeAgentStatus(tx, { actor, key, transition: "expire", reason: null, at }),
  ).catch((thrown: unknown) => {
    // The agent was revoked, deleted or given more time since it was listed.
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.code !== "conflict" && thrown.code !== "agent_not_found") throw thrown;
  });
}
