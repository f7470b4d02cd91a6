import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { pagesOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { PolicyId } from "../../foundation/ids.ts";
import { formatUsdMicros, usdMicros } from "../../foundation/money.ts";
import { Count, DecimalOut, Flag, ListOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { getPolicy, type PolicyKey } from "../policies/queries.ts";
import { type BacktestResult, type BacktestTotals, startBacktest } from "../policies/rules/backtest.ts";
import { compilePolicy } from "../policies/rules/compiled-policy.ts";
import { factsOf } from "../policies/rules/facts.ts";
import type { PolicyApprovals, PolicyRule } from "../policies/rules/rule-schema.ts";
import { listDecisions, type StoredDecision, tryLockBacktest } from "./queries.ts";

const Refused = Count("Number of operations that would be refused.");
const Asked = Count("Number of operations that would need an approval.");
const Allowed = Count("Number of operations that would be allowed.");
const Amount = {
  ...DecimalOut,
  description: "Total amount of the operations that would be refused or need an approval.",
};

export const BacktestResource = Type.Object(
  {
    object: Type.Literal("backtest"),
    policy_id: Type.String(),
    agent_id: Type.String(),
    from: Timestamp,
    to: Timestamp,
    decisions: Count("Number of operations of the agent in the period."),
    truncated: Flag(
      "Whether the agent has more than 100,000 operations in the period. Only the oldest 100,000 are counted.",
    ),
    totals: Type.Object({
      allowed: Allowed,
      refused: Refused,
      asked: Asked,
      allowed_usd: DecimalOut,
      refused_usd: DecimalOut,
      asked_usd: DecimalOut,
    }),
    by_rule: ListOf(
      Type.Object({
        rule_id: Text("A rule's id, `default` if no rule permits, or `threshold`."),
        refused: Refused,
        asked: Asked,
        amount_usd: Amount,
      }),
      "The rules that would refuse an operation or ask for an approval.",
    ),
    by_day: ListOf(
      Type.Object({
        date: Text("A day in UTC, `YYYY-MM-DD`."),
        allowed: Allowed,
        refused: Refused,
        asked: Asked,
        amount_usd: Amount,
      }),
      "The days with operations, oldest first.",
    ),
  },
  {
    $id: "Backtest",
    description: "What a policy would have decided about the past operations of an agent.",
  },
);

export function presentBacktest(backtest: Backtest): Static<typeof BacktestResource> {
  const { totals } = backtest;
  return toWire(BacktestResource, backtest, {
    totals: {
      ...countsOf(totals),
      allowed_usd: formatUsdMicros(totals.allowed.amountUsd),
      refused_usd: formatUsdMicros(totals.refused.amountUsd),
      asked_usd: formatUsdMicros(totals.asked.amountUsd),
    },
    by_rule: backtest.byRule
      .filter(({ refused, asked }) => refused.operations + asked.operations > 0)
      .map(({ ruleId, ...rule }) => ({
        rule_id: ruleId,
        refused: rule.refused.operations,
        asked: rule.asked.operations,
        amount_usd: notAllowedUsd(rule),
      })),
    by_day: backtest.byDay.map(({ day, ...counted }) => ({
      date: day,
      ...countsOf(counted),
      amount_usd: notAllowedUsd(counted),
    })),
  });
}

function countsOf({ allowed, refused, asked }: BacktestTotals) {
  return {
    allowed: allowed.operations,
    refused: refused.operations,
    asked: asked.operations,
  };
}

function notAllowedUsd({ refused, asked }: BacktestTotals): string {
  return formatUsdMicros(usdMicros(refused.amountUsd + asked.amountUsd));
}

const PERIOD_MS = 30 * 24 * 3_600_000;
const DECISIONS_MAX = QUOTAS.backtestDecisions.max;
/** Small, because other requests wait while the decisions of a page are replayed. */
const PAGE_SIZE = 200;

export interface BacktestPolicy {
  readonly key: PolicyKey;
  /** A UUID in lowercase. */
  readonly agentId: string;
  /** Replace those of the policy. Undefined: those of the policy. */
  readonly rules: readonly PolicyRule[] | undefined;
  readonly approvals: PolicyApprovals | undefined;
}

export interface Backtest extends BacktestResult {
  readonly policyId: PolicyId;
  readonly agentId: string;
  readonly from: Date;
  readonly to: Date;
  /** The number of decisions that were replayed. */
  readonly decisions: number;
  /** Whether the agent has more decisions in the period. */
  readonly truncated: boolean;
}

/**
 * Replays the agent's decisions of the last 30 days with the rules, oldest first. Throws `policy_not_found`, and
 * `conflict` while another back-test of the tenant and mode runs.
 */
export async function backtestPolicy(
  app: Pick<App, "db" | "clock">,
  { key, agentId, rules, approvals }: BacktestPolicy,
): Promise<Backtest> {
  const to = app.clock.now();
  const from = new Date(to.getTime() - PERIOD_MS);
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const policy = await getPolicy(tx, key);
    if (!(await tryLockBacktest(tx, key))) {
      throw new AppError("conflict", {
        detail: "Another back-test of this account is running. Repeat the request when it ends.",
      });
    }
    const draft = compilePolicy({
      rules: rules ?? policy.rules,
      approvals: approvals ?? policy.approvals,
    });
    const replay = startBacktest(draft);
    const replayed = await forEachDecision(tx, { key, agentId, from }, (decision) => {
      const { operation, facts, outcome, decidedAt } = decision;
      replay.add({ agentId, facts: factsOf(operation, decidedAt, facts), outcome });
    });
    return { ...replay.result(), ...replayed, policyId: policy.policyId, agentId, from, to };
  });
}

/** Reads up to `DECISIONS_MAX` decisions page by page. */
async function forEachDecision(
  tx: Tx,
  { key, agentId, from }: { readonly key: PolicyKey; readonly agentId: string; readonly from: Date },
  callback: (decision: StoredDecision) => void,
): Promise<Pick<Backtest, "decisions" | "truncated">> {
  let decisions = 0;
  const pages = pagesOf<StoredDecision>(
    (after) => listDecisions(tx, { ...key, agentId, from, after, limit: PAGE_SIZE }),
    PAGE_SIZE,
  );
  for await (const page of pages) {
    if (decisions === DECISIONS_MAX) return { decisions, truncated: true };
    for (const decision of page) callback(decision);
    decisions += page.length;
  }
  return { decisions, truncated: false };
}
