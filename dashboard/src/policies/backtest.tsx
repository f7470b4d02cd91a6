import { Stack, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { Backtest } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatAmount } from "../ui/format.ts";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { useAgents } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Bars, Facts } from "../ui/page.tsx";
import { Dimmed } from "../ui/values.tsx";
import type { PolicyContent } from "./content.ts";

const BacktestChart = lazy(() => import("./backtest-chart.tsx").then((module) => ({ default: module.BacktestChart })));

interface BacktestProps {
  readonly policyId: string;
  readonly content: PolicyContent;
}

/** Replays an agent's last 30 days with the policy as it is edited. */
export function BacktestTab({ policyId: policy_id, content: { rules, approvals } }: BacktestProps) {
  const [result, setResult] = useState<Backtest>();
  const form = useSubmit(async (fields) => {
    const body = { agent_id: textOf(fields, "agent"), rules, approvals };
    const { data } = await api.POST("/policies/{policy_id}/backtest", { params: { path: { policy_id } }, body });
    setResult(data);
  });
  const agent = { name: "agent", label: "Agent", input: "object", required: true, data: useAgents() } as const;
  return (
    <Stack>
      <Dimmed>
        What an agent asked to do, decided again by this policy. Unsaved changes count, and limits start empty.
      </Dimmed>
      <SubmitForm form={form} action="Replay 30 days" fields={[agent]} />
      {result !== undefined && <Result result={result} />}
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
