import { Text } from "@mantine/core";
import type { Approval, Payment } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatAmount } from "../ui/format.ts";
import { Facts } from "../ui/page.tsx";

/** Other payments go on while a person decides. */
const FRESH = { staleTime: 0, refetchInterval: 5_000 };

/** What is left of the balance, the cap and the budgets before and after the amount is spent. */
export function Effects({
  approval: { agent_id, summary },
  payment,
}: {
  readonly approval: Approval;
  readonly payment: Pick<Payment, "wallet_id" | "project_id" | "token"> | undefined;
}) {
  const wallet = { wallet_id: payment?.wallet_id ?? "" };
  const agent = { agent_id: agent_id ?? "" };
  const ofWallet = { params: { path: wallet } };
  const hasWallet = { ...FRESH, enabled: payment !== undefined };
  const balances = hooks.useQuery("get", "/wallets/{wallet_id}/balance", ofWallet, hasWallet).data?.balances ?? [];
  const ofAgent = { params: { path: agent } };
  const hasAgent = { ...FRESH, enabled: agent_id !== null };
  const budgets = hooks.useQuery("get", "/agents/{agent_id}/budgets", ofAgent, hasAgent).data;
  // A limit of single operations has nothing left over, and a count has no amount.
  const limits = budgets?.limits.filter(({ window, kind }) => window !== "per_tx" && kind === "budget") ?? [];
  const caps = budgets?.caps.filter((cap) => cap.project_id === payment?.project_id && cap.provider === null) ?? [];
  const left: (readonly [label: string, before: string, currency: string])[] = [
    ...balances
      .filter(({ token }) => token === payment?.token)
      .map(({ token, available }) => [`${token} of the wallet`, available, token] as const),
    ...limits.map((limit) => [`${limit.rule_id} of ${limit.policy_name}`, limit.remaining, "USD"] as const),
    ...caps.map((cap) => [`Cap of ${cap.project_name}`, cap.remaining, "USD"] as const),
  ];
  if (left.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        Left before and after
      </Text>
      <Facts
        facts={left.map(([label, before, currency]) => [
          label,
          `${formatAmount(before, currency)} → ${afterText(before, summary.amount ?? "0", currency)}`,
        ])}
      />
    </div>
  );
}

/** What is left, in millionths so that it is exact. */
function afterText(before: string, amount: string, currency: string): string {
  const left = microsOf(before) - microsOf(amount);
  const digits = String(left).replace("-", "").padStart(7, "0");
  const text = `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")}`;
  return `${left < 0n ? "exceeded by " : ""}${formatAmount(text, currency)}`;
}

function microsOf(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(6, "0").slice(0, 6));
}
