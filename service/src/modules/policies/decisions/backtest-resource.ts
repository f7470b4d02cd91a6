import { type Static, Type } from "typebox";
import { formatUsdMicros, usdMicros } from "../../../foundation/money/usd-micros.ts";
import { DecimalOut } from "../../../foundation/wire/amounts.ts";
import { Timestamp } from "../../../foundation/wire/fields.ts";
import type { BacktestTotals } from "../rules/backtest.ts";
import type { Backtest } from "./backtest-policy.ts";

const Refused = Type.Integer({ description: "Number of operations that would be refused." });
const Asked = Type.Integer({ description: "Number of operations that would need an approval." });
const Allowed = Type.Integer({ description: "Number of operations that would be allowed." });
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
    decisions: Type.Integer({ description: "Number of operations of the agent in the period." }),
    truncated: Type.Boolean({
      description:
        "Whether the agent has more than 100,000 operations in the period. Only the oldest 100,000 are counted.",
    }),
    totals: Type.Object({
      allowed: Allowed,
      refused: Refused,
      asked: Asked,
      allowed_usd: DecimalOut,
      refused_usd: DecimalOut,
      asked_usd: DecimalOut,
    }),
    by_rule: Type.Array(
      Type.Object({
        rule_id: Type.String({
          description: "A rule's id, `default` if no rule permits, or `threshold`.",
        }),
        refused: Refused,
        asked: Asked,
        amount_usd: Amount,
      }),
      { description: "The rules that would refuse an operation or ask for an approval." },
    ),
    by_day: Type.Array(
      Type.Object({
        date: Type.String({ description: "A day in UTC, `YYYY-MM-DD`." }),
        allowed: Allowed,
        refused: Refused,
        asked: Asked,
        amount_usd: Amount,
      }),
      { description: "The days with operations, oldest first." },
    ),
  },
  {
    $id: "Backtest",
    description: "What a policy would have decided about the past operations of an agent.",
  },
);

export function presentBacktest(backtest: Backtest): Static<typeof BacktestResource> {
  const { totals } = backtest;
  return {
    object: "backtest",
    policy_id: backtest.policyId,
    agent_id: backtest.agentId,
    from: backtest.from.toISOString(),
    to: backtest.to.toISOString(),
    decisions: backtest.decisions,
    truncated: backtest.truncated,
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
  };
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
