import type { Policy, PolicyRuleInput } from "../api/api-types.ts";

interface TemplateInput {
  readonly amount: string;
  readonly payees: readonly string[];
  readonly starter: Policy | undefined;
}

export interface Template {
  readonly label: string;
  readonly description: string;
  readonly needs?: "amount" | "payees";
  readonly rules: (input: TemplateInput) => readonly PolicyRuleInput[];
}

const ALLOW_PAYMENTS: PolicyRuleInput = { id: "allow_payments", effect: "allow", operation: "payment" };

/** The rules that a person can start from. */
export const TEMPLATES = {
  daily: {
    label: "An amount of USDC a day",
    description: "Pays in USDC, and refuses what would exceed the amount in any 24 hours.",
    needs: "amount",
    rules: ({ amount }) => [
      {
        id: "daily_max",
        effect: "limit",
        operation: "payment",
        budget: { max: amount, currency: "usd", period: "rolling_24h" },
      },
      { id: "allow_usdc", effect: "allow", operation: "payment", when: { token: { eq: "USDC" } } },
    ],
  },
  ask: {
    label: "Ask for every new payee",
    description: "A person approves the first payment to each payee. Later ones need no approval.",
    rules: () => [
      { id: "ask_for_new_payees", effect: "require_approval", operation: "payment", when: { payee_first_seen: true } },
      ALLOW_PAYMENTS,
    ],
  },
  payees: {
    label: "Only these payees",
    description: "Refuses payments to anyone else.",
    needs: "payees",
    rules: ({ payees }) => [{ ...ALLOW_PAYMENTS, id: "allow_payees", when: { payee: { in: [...payees] } } }],
  },
  starter: {
    label: "Starter",
    description: "A copy of the policy for agents without a policy of their own. Empty before the first agent.",
    rules: ({ starter }) => starter?.rules ?? [],
  },
  empty: { label: "Empty", description: "Refuses everything until you add rules.", rules: () => [] },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;
