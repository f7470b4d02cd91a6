import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { Backtest } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatAmount } from "../ui/format.ts";
import { useAgents } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Bars, Facts } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Dimmed } from "../ui/values.tsx";
import type { PolicyContent } from "./content.ts";

const BacktestChart = lazy(() => import("./backtest-chart.tsx").then((module) => ({ default: module.BacktestChart })));

/** Replays an agent's last 30 days with the policy as it is edited. */
export function BacktestTab({ policyId, content }: { readonly policyId: string; readonly content: PolicyContent }) {
  const agents = useAgents();
  const [agent, setAgent] = useState<string | null>(null);
  const { mutate, data, error, isPending } = hooks.useMutation("post", "/policies/{policy_id}/backtest");
  const run = (agent_id: string) => {
    const { rules, approvals } = content;
    mutate({ params: { path: { policy_id: policyId } }, body: { agent_id, rules, approvals } });
  };
  return (
    <Stack>
      <Dimmed>
        What an agent asked to do, decided again by this policy. Unsaved changes count, and limits start empty.
      </Dimmed>
      <Group align="end">
        <Select label="Agent" searchable data={agents} value={agent} onChange={setAgent} />
        <Button disabled={agent === null} loading={isPending} onClick={() => agent !== null && run(agent)}>
          Replay 30 days
        </Button>
      </Group>
      <ProblemAlert error={error} />
      {data !== undefined && <Result result={data} />}
    </Stack>
  );
}

function Result({ result }: { readonly result: Backtest }) {
  const { totals, by_day, by_rule, decisions, truncated, agent_id } = result;
  if (decisions === 0) return <Text>The agent asked for nothing in these 30 days.</Text>;
  const total = (count: number, amount: string) => `${count} (${formatAmount(amount, "USD")})`;
  const changed = by_rule.filter(({ refused, asked }) => refused + asked > 0);
  return (
    <>
      <Facts
        facts={[
          ["Operations", truncated ? `the newest ${decisions}` : decisions],
          ["Allowed", total(totals.allowed, totals.allowed_usd)],
          ["A person is asked", total(totals.asked, totals.asked_usd)],
          ["Refused", total(totals.refused, totals.refused_usd)],
        ]}
      />
      <Suspense fallback={<Bars lines={6} />}>
        <BacktestChart days={by_day} />
      </Suspense>
      {changed.length > 0 && <Text fw={600}>Rules that would refuse or ask</Text>}
      <Facts
        facts={changed.map(({ rule_id, refused, asked, amount_usd }) => [
          rule_id,
          `refuses ${refused}, asks for ${asked} (${formatAmount(amount_usd, "USD")})`,
        ])}
      />
      <AppLink to={`/payments?agent_id=${agent_id}`} size="sm">
        The agent's payments
      </AppLink>
    </>
  );
}
