import { Text } from "@mantine/core";
import type { Approval, Payment } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatAmount, subtract } from "../ui/format.ts";
import { Facts } from "../ui/page.tsx";

/** Other payments go on while a person decides. */
const FRESH = { staleTime: 0, refetchInterval: 5_000 };

interface EffectsProps {
  readonly approval: Approval;
  readonly payment: Pick<Payment, "wallet_id" | "project_id" | "token"> | undefined;
}

/** What is left of the balance, the cap and the budgets before and after the amount is spent. */
export function Effects({ approval: { agent_id, summary }, payment }: EffectsProps) {
  const wallet = { params: { path: { wallet_id: payment?.wallet_id ?? "" } } };
  const hasWallet = { ...FRESH, enabled: payment !== undefined };
  const balances = hooks.useQuery("get", "/wallets/{wallet_id}/balance", wallet, hasWallet).data?.balances ?? [];
  const agent = { params: { path: { agent_id: agent_id ?? "" } } };
  const hasAgent = { ...FRESH, enabled: agent_id !== null };
  const budgets = hooks.useQuery("get", "/agents/{agent_id}/budgets", agent, hasAgent).data;
  // A limit of single operations has nothing left over, and a count has no amount.
  const limits = budgets?.limits.filter(({ window, kind }) => window !== "per_tx" && kind === "budget") ?? [];
  const caps = budgets?.caps.filter((cap) => cap.project_id === payment?.project_id && cap.provider === null) ?? [];
  const left = [
    ...balances
      .filter(({ token }) => token === payment?.token)
      .map(({ token, available }) => [`${token} of the wallet`, available, token] as const),
    ...limits.map((limit) => [`${limit.rule_id} of ${limit.policy_name}`, limit.remaining, "USD"] as const),
    ...caps.map((cap) => [`Cap of ${cap.project_name}`, cap.remaining, "USD"] as const),
  ];
  if (left.length === 0) return null;
  const changeOf = (before: string, currency: string) => {
    const after = subtract(before, summary.amount ?? "0");
    const isExceeded = after.startsWith("-");
    const text = formatAmount(after.replace("-", ""), currency);
    return `${formatAmount(before, currency)} → ${isExceeded ? "exceeded by " : ""}${text}`;
  };
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        Left before and after
      </Text>
      <Facts facts={left.map(([label, before, currency]) => [label, changeOf(before, currency)])} />
    </div>
  );
}
