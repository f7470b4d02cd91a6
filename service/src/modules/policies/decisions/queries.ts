import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import { isAfter, type Page } from "../../../db/pages.ts";
import type { Schema } from "../../../db/schema.ts";
import type { PolicyOwner } from "../queries.ts";
import type { StoredFacts } from "../rules/facts.ts";

type DecisionRow = Selectable<Schema["policyDecisions"]>;

export interface StoredDecision extends Pick<DecisionRow, "decisionId" | "operation" | "outcome" | "decidedAt"> {
  readonly facts: StoredFacts;
}

/** Returns decisions about the agent since `from`, oldest first. */
export async function listDecisions(
  db: Db,
  {
    tenantId,
    mode,
    agentId,
    from,
    after,
    limit,
  }: PolicyOwner & Page<StoredDecision> & { readonly agentId: string; readonly from: Date },
): Promise<StoredDecision[]> {
  return db
    .selectFrom("policyDecisions")
    .select(["decisionId", "operation", "facts", "outcome", "decidedAt"])
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("agentId", "=", agentId)
    .where("decidedAt", ">=", from)
    .where(isAfter(after, ["decidedAt", "decisionId"]))
    .orderBy("decidedAt")
    .orderBy("decisionId")
    .limit(limit)
    .$castTo<StoredDecision>()
    .execute();
}

/**
 * Returns true if no other back-test of the tenant and mode is running. Other calls return false until the transaction
 * ends.
 */
export async function tryLockBacktest(tx: Tx, { tenantId, mode }: PolicyOwner): Promise<boolean> {
  const name = `backtest ${tenantId} ${mode}`;
  const { rows } = await sql<{
    readonly locked: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(tx);
  return rows[0]?.locked === true;
}
