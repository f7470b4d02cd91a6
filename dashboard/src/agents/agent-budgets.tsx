import { Group, SimpleGrid, Text } from "@mantine/core";
import type { AgentCap, AgentLimit } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { ShareBar } from "../ui/charts/cap-bar.tsx";
import { formatAmount, formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Loaded } from "../ui/page.tsx";
import { Dimmed, Time } from "../ui/values.tsx";

export const WINDOWS: Readonly<Record<AgentLimit["window"], string>> = {
  per_tx: "each operation",
  calendar_day: "a day (UTC)",
  calendar_month: "a month (UTC)",
  rolling_1h: "any hour",
  rolling_24h: "any 24 hours",
  rolling_7d: "any 7 days",
  rolling_30d: "any 30 days",
};

/** Every budget that limits the agent now, with what is left of it. */
export function AgentBudgets({ agentId }: { agentId: string }) {
  const params = { path: { agent_id: agentId } };
  return (
    <Loaded query={hooks.useQuery("get", "/agents/{agent_id}/budgets", { params })} lines={2}>
      {({ limits, caps }) => (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {limits.length + caps.length === 0 && <Dimmed>No policy has a limit for this agent.</Dimmed>}
          {limits.map((limit) => (
            <Budget
              key={[limit.policy_id, limit.rule_id, limit.wallet_id, limit.project_id].join()}
              {...{ budget: limit, to: `/policies/${limit.policy_id}`, name: limit.policy_name, note: noteOf(limit) }}
            />
          ))}
          {caps.map((cap) => (
            <Budget
              key={cap.project_id + cap.provider}
              {...{ budget: cap, to: `/projects/${cap.project_id}`, name: cap.project_name }}
              note={cap.provider ?? "all providers"}
            />
          ))}
        </SimpleGrid>
      )}
    </Loaded>
  );
}

function noteOf({ operation, conditional, shared, wallet_id, project_id }: AgentLimit): string {
  const parts = [
    operation === null ? "every operation" : formatName(operation).toLowerCase(),
    conditional && "only what its conditions match",
    shared && "all agents of the policy together",
    wallet_id !== null && "one wallet",
    project_id !== null && "one project",
  ];
  return parts.filter(Boolean).join(", ");
}

interface BudgetProps {
  readonly budget: AgentLimit | AgentCap;
  readonly to: string;
  readonly name: string;
  readonly note: string;
}

function Budget({ budget, to, name, note }: BudgetProps) {
  const { rule_id, limit, spent, reserved, remaining, window, currency, resets_at } = budget;
  const show = (amount: string) => formatAmount(amount, currency?.toUpperCase());
  const isEach = window === "per_tx";
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {rule_id} · <AppLink to={to}>{name}</AppLink>
        </Text>
        <Text size="sm" className="amount">
          {isEach ? `up to ${show(limit)}` : `${show(remaining)} left`}
        </Text>
      </Group>
      {!isEach && <ShareBar {...{ spent, reserved, limit, label: `Spent of ${rule_id}` }} />}
      <Text size="xs" c="dimmed" component="div">
        {show(limit)} for {WINDOWS[window]} · {note}
        {Number(spent) > 0 && ` · ${show(spent)} spent`}
        {Number(reserved) > 0 && ` · ${show(reserved)} reserved`}
        {Number(spent) > 0 && resets_at && [" · more from ", <Time key="at" at={resets_at} />]}
      </Text>
    </div>
  );
}
