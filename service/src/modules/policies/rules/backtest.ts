import { type UsdMicros, usdMicros } from "../../../foundation/money.ts";
import type { BudgetPeriod, PolicyOutcome } from "../../../foundation/vocabulary.ts";
import type { CompiledPolicyRules, WindowLimit } from "./compiled-policy.ts";
import { outcomeOf } from "./decide.ts";
import { evaluate } from "./evaluate.ts";
import { type PolicyFacts, spendingOf } from "./facts.ts";

/** A decision about an operation of an agent. */
export interface PastDecision {
  readonly agentId: string;
  readonly facts: PolicyFacts;
  readonly outcome: PolicyOutcome;
}

export interface OperationTotal {
  readonly operations: number;
  readonly amountUsd: UsdMicros;
}

/** What the draft would have decided. */
export interface BacktestTotals {
  readonly allowed: OperationTotal;
  readonly refused: OperationTotal;
  readonly asked: OperationTotal;
}

export interface BacktestResult {
  readonly totals: BacktestTotals;
  /** For each rule that decided, in the order of its first decision. */
  readonly byRule: readonly ({ readonly ruleId: string } & BacktestTotals)[];
  /** For each day in UTC with decisions, `YYYY-MM-DD`, in their order. */
  readonly byDay: readonly ({ readonly day: string } & BacktestTotals)[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The length of a rolling window and of its parts, as in `purser_budget_bucket` and
 * `purser_budget_window_length` of the migration `0009_budgets.sql`.
 */
const ROLLING = {
  rolling_1h: { partMs: MINUTE_MS, windowMs: HOUR_MS },
  rolling_24h: { partMs: HOUR_MS, windowMs: 24 * HOUR_MS },
  rolling_7d: { partMs: HOUR_MS, windowMs: 168 * HOUR_MS },
  rolling_30d: { partMs: HOUR_MS, windowMs: 720 * HOUR_MS },
} as const;

/**
 * Replays past decisions with a draft policy. Call `add` for each decision in the order of their times, then `result`.
 * Limits start empty. Only operations that were allowed, and that the draft allows too, count in them.
 */
export function startBacktest(draft: CompiledPolicyRules) {
  const totals = newTotals();
  const byRule = new Map<string, MutableTotals>();
  const byDay = new Map<string, MutableTotals>();
  const windows = new Map<string, SlidingSum>();

  function windowOf({ ruleId, period, isShared }: WindowLimit, agentId: string): SlidingSum {
    return emplace(windows, isShared ? ruleId : `${ruleId} ${agentId}`, () => newSum(period));
  }

  return {
    add({ agentId, facts, outcome }: PastDecision): void {
      const evaluation = evaluate(draft, facts, {
        used: (limit) => windowOf(limit, agentId).at(facts.at),
        satisfied: new Set(),
      });
      const drafted = outcomeOf(evaluation);
      const spending = spendingOf(facts) ?? usdMicros(0n);
      const day = facts.at.toISOString().slice(0, 10);
      addTo(totals, drafted, spending);
      addTo(emplace(byRule, evaluation.ruleId, newTotals), drafted, spending);
      addTo(emplace(byDay, day, newTotals), drafted, spending);
      if (drafted !== "allow" || outcome !== "allow") return;
      for (const limit of evaluation.windowLimits) {
        windowOf(limit, agentId).add(facts.at, limit.kind === "count" ? 1n : spending);
      }
    },
    result(): BacktestResult {
      return {
        totals,
        byRule: [...byRule].map(([ruleId, counted]) => ({ ruleId, ...counted })),
        byDay: [...byDay].map(([day, counted]) => ({ day, ...counted })),
      };
    },
  };
}

type MutableTotals = { -readonly [Name in keyof BacktestTotals]: BacktestTotals[Name] };

function newTotals(): MutableTotals {
  const none = { operations: 0, amountUsd: usdMicros(0n) };
  return { allowed: none, refused: none, asked: none };
}

const TOTAL_NAMES = { allow: "allowed", deny: "refused", require_approval: "asked" } as const;

function addTo(totals: MutableTotals, outcome: PolicyOutcome, amount: UsdMicros): void {
  const name = TOTAL_NAMES[outcome];
  const { operations, amountUsd } = totals[name];
  totals[name] = { operations: operations + 1, amountUsd: usdMicros(amountUsd + amount) };
}

/** The sum of one calendar period, or of the parts of a rolling window. Times never decrease. */
interface SlidingSum {
  readonly at: (at: Date) => bigint;
  readonly add: (at: Date, amount: bigint) => void;
}

function newSum(period: BudgetPeriod): SlidingSum {
  const parts: { readonly startMs: number; amount: bigint }[] = [];
  let sum = 0n;

  function leaveOut(at: Date): void {
    const oldestMs = windowStartMs(period, at);
    while (parts[0] !== undefined && parts[0].startMs < oldestMs) {
      sum -= parts.shift()?.amount ?? 0n;
    }
  }

  return {
    at(at) {
      leaveOut(at);
      return sum;
    },
    add(at, amount) {
      leaveOut(at);
      const startMs = partStartMs(period, at);
      const last = parts.at(-1);
      if (last?.startMs === startMs) last.amount += amount;
      else parts.push({ startMs, amount });
      sum += amount;
    },
  };
}

/** Returns when the period, or the part of the rolling window, starts that contains the time. */
function partStartMs(period: BudgetPeriod, at: Date): number {
  switch (period) {
    case "calendar_day":
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
    case "calendar_month":
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
    default: {
      const { partMs } = ROLLING[period];
      return Math.floor(at.getTime() / partMs) * partMs;
    }
  }
}

/** Returns when the first part starts that counts with the time. */
function windowStartMs(period: BudgetPeriod, at: Date): number {
  const startMs = partStartMs(period, at);
  return period === "calendar_day" || period === "calendar_month" ? startMs : startMs - ROLLING[period].windowMs;
}

function emplace<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const created = create();
  map.set(key, created);
  return created;
}
