import type { Mode } from "../../foundation/vocabulary.ts";
import type { PolicyRule } from "./rules/rule-schema.ts";

const PERMITTED: readonly PolicyRule[] = [
  { id: "allow_payments", effect: "allow", operation: "payment" },
  { id: "allow_wallets", effect: "allow", operation: "wallet.create" },
  { id: "allow_env_pulls", effect: "allow", operation: "env.pull" },
];

/** The rules of a new starter policy (docs/api.md, section 19). */
export const STARTER_RULES = {
  test: [paymentMax("1000.00"), dailyMax("10000.00"), ...PERMITTED],
  live: [
    {
      id: "known_agents_only",
      effect: "deny",
      operation: "payment",
      when: { kya_level: { eq: "none" } },
    },
    paymentMax("25.00"),
    dailyMax("50.00"),
    {
      id: "ask_for_new_payees",
      effect: "require_approval",
      operation: "payment",
      when: { payee_first_seen: true },
    },
    ...PERMITTED,
  ],
} as const satisfies Record<Mode, readonly PolicyRule[]>;

function paymentMax(amount: string): PolicyRule {
  return {
    id: "payment_max",
    effect: "deny",
    operation: "payment",
    when: { amount_usd: { gt: amount } },
  };
}

function dailyMax(max: string): PolicyRule {
  return {
    id: "daily_max",
    effect: "limit",
    operation: "payment",
    budget: { max, currency: "usd", period: "rolling_24h" },
  };
}
