import { formatUsdMicros, usdMicros } from "../../foundation/money/usd-micros.ts";
import type { KyaLevel } from "../../foundation/vocabulary.ts";
import type { Decision } from "../../foundation/wire/problem.ts";
import type { PolicyDecision } from "./rules/decide.ts";
import type { ExceededLimit } from "./rules/evaluate.ts";

/** The evidence that gives each level, as in `missing` of a decision. */
const EVIDENCE = {
  none: [],
  basic: ["public_key"],
  verified: ["developer_kyb"],
  attested: ["external_token"],
} as const satisfies Record<KyaLevel, readonly string[]>;

/**
 * Returns the `decision` of a problem: the level or the limit that refused, or the rule. Null unless the outcome is
 * `deny`. `resetsAt` is when the used amount of the exceeded limit decreases next.
 */
export function presentRefusal(
  { outcome, policyId, policyVersion, ruleId, exceeded, kya }: PolicyDecision,
  resetsAt: Date | null,
): Decision | null {
  if (outcome !== "deny" || ruleId === null) return null;
  if (kya !== undefined) {
    return {
      gate: "kya",
      required_level: kya.requiredLevel,
      actual_level: kya.actualLevel,
      missing: [...EVIDENCE[kya.requiredLevel]],
    };
  }
  return {
    rule_id: ruleId,
    ...(policyId !== null && { policy_id: policyId }),
    ...(policyVersion !== null && { policy_version: policyVersion }),
    ...(exceeded !== undefined && {
      ...numbersOf(exceeded),
      resets_at: resetsAt?.toISOString() ?? null,
    }),
  };
}

function numbersOf({ kind, limit, used, remaining }: ExceededLimit) {
  const format = (value: bigint) => (kind === "count" ? `${value}` : formatUsdMicros(usdMicros(value)));
  return { limit: format(limit), used: format(used), remaining: format(remaining) };
}
