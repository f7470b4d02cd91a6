import { Group, List, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import type { Backtest, Policy, PolicyEvaluation } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { DayChart } from "../ui/charts/day-chart.tsx";
import { CopyText } from "../ui/copy-text.tsx";
import { formatAmount } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { AgentLink, useAgents } from "../ui/names.tsx";
import { AppLink, useGo, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { ScreenTabs } from "../ui/screen-tabs.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { NETWORKS } from "../wallets/wallet-dialogs.tsx";
import { attachedAgents } from "./policies.tsx";
import { type Draft, PolicyEditor, Versions } from "./policy-editor.tsx";
import { OPERATIONS, type PolicyContent, parseContent } from "./policy-form.tsx";

/** One policy: its rules, what they would decide, and its versions. */
export function PolicyPage() {
  const params = { path: { policy_id: useId("policyId") } };
  const query = hooks.useQuery("get", "/policies/{policy_id}", { params });
  const policy = query.data;
  return (
    <Page
      title={policy?.name ?? "Policy"}
      intro={
        policy?.starter
          ? "The starter policy applies to agents without another policy."
          : "It applies to its agents, wallets and projects, together with their other policies."
      }
      back={{ label: "Policies", to: "/policies" }}
      actions={policy && !policy.starter && <DeletePolicy policy={policy} />}
    >
      <Loaded query={query}>{(loaded) => <Details key={loaded.policy_id} policy={loaded} />}</Loaded>
    </Page>
  );
}

function Details({ policy }: { readonly policy: Policy }) {
  const [draft, setDraft] = useState<Draft>();
  useBlocker({
    // The tabs keep the changes.
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname && !confirm("Leave without saving your changes?"),
    disabled: draft === undefined,
  });
  const parsed = draft && parseContent(draft.text);
  const content = typeof parsed === "object" ? parsed : policy;
  return (
    <>
      <PolicyFacts policy={policy} />
      <ScreenTabs
        tabs={{
          rules: ["Rules", <PolicyEditor key="rules" policy={policy} draft={draft} setDraft={setDraft} />],
          try: ["Dry run", <DryRun key="try" content={content} />],
          backtest: ["Back-test", <BacktestTab key="backtest" policyId={policy.policy_id} content={content} />],
          versions: ["Versions", <Versions key="versions" policy={policy} />],
        }}
      />
    </>
  );
}

function PolicyFacts({ policy }: { readonly policy: Policy }) {
  const agents = attachedAgents(policy, useAgents()).map((id) => (
    <div key={id}>
      <AgentLink id={id} />
    </div>
  ));
  return (
    <Paper withBorder p="md">
      <Facts
        facts={[
          ["Agents", agents.length > 0 ? agents : policy.starter ? "All without another policy" : "No agent yet"],
          ["Id", <CopyText key="id" text={policy.policy_id} what="policy id" />],
          ["Version", policy.version],
          ["Changed", <Time key="changed" at={policy.updated_at} />],
        ]}
      />
    </Paper>
  );
}

function DeletePolicy({ policy: { policy_id, name } }: { readonly policy: Policy }) {
  const go = useGo();
  return (
    <ActionDialog
      {...{ title: `Delete ${name}`, button: "Delete", action: "Delete the policy", typeToConfirm: name }}
      run={async () => {
        await api.DELETE("/policies/{policy_id}", { params: { path: { policy_id } } });
        go("/policies");
      }}
      text="Its rules stop applying at once. Agents without another policy follow the starter policy."
    />
  );
}

const SERIES = [
  { name: "allowed", label: "Allowed", color: "teal.7" },
  { name: "asked", label: "A person is asked", color: "orange.6" },
  { name: "refused", label: "Refused", color: "red.7" },
];

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
      {result !== undefined && <BacktestResult result={result} />}
    </Stack>
  );
}

function BacktestResult({ result }: { readonly result: Backtest }) {
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
      <DayChart days={by_day} series={SERIES} withLegend />
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

const FACT_FIELDS = [
  { name: "amount_usd", label: "Amount (USD)", defaultValue: "5.00" },
  {
    ...{ name: "payee", label: "Payee", placeholder: "0x…", pattern: "0x[0-9a-fA-F]{40}" },
    title: "An address: 0x and 40 hex digits",
  },
  { name: "network", label: "Network", input: "clearable", data: NETWORKS },
  { name: "token", label: "Token", input: "clearable", data: ["USDC", "USDT", "PYUSD", "EURC"], defaultValue: "USDC" },
] as const;

const NEW_PAYEE = {
  name: "new_payee",
  label: "The payee of the payment was never paid before",
  input: "check",
} as const;

const ALL = {
  ...{ name: "all", label: "Ask all policies of the agent, with what it has used of their limits" },
  description: "Otherwise this policy as edited is asked, as if nothing had been used.",
};

/** Asks what would be decided about an operation, without doing it. */
export function DryRun({ content: { rules, approvals } }: { readonly content: PolicyContent }) {
  const agents = useAgents();
  const [result, setResult] = useState<PolicyEvaluation>();
  const form = useSubmit(async (fields) => {
    setResult(undefined);
    const agent_id = textOf(fields, "agent");
    const level = agents.find((agent) => agent.agent_id === agent_id)?.kya.level;
    const known = FACT_FIELDS.flatMap(({ name }) =>
      textOf(fields, name) === "" ? [] : [[name, textOf(fields, name)]],
    );
    const operation = textOf(fields, "operation") as "payment";
    const payee = operation === "payment" ? { payee_first_seen: fields.has(NEW_PAYEE.name) } : {};
    const { data } = await api.POST("/policies/evaluate", {
      body: {
        operation,
        facts: { ...Object.fromEntries(known), ...payee, kya_level: level },
        ...(fields.has("all") ? { agent_id } : { policy: { rules, approvals } }),
      },
    });
    setResult(data);
  });
  const operation = { input: "one", data: OPERATIONS, defaultValue: "payment" } as const;
  const agent = { input: "object", data: agents, placeholder: "Any agent" } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <SubmitForm
        {...{ form, action: "Evaluate" }}
        fields={[
          { name: "operation", label: "Operation", ...operation },
          { name: "agent", label: "Agent", ...agent },
          ...FACT_FIELDS,
          NEW_PAYEE,
          { ...ALL, input: "check" },
        ]}
      />
      {result !== undefined && <DryRunResult result={result} />}
    </SimpleGrid>
  );
}

const OUTCOMES = {
  allow: ["ok", "Allowed"],
  require_approval: ["requires_approval", "A person is asked"],
  deny: ["denied", "Refused"],
} as const;

function DryRunResult({ result: { outcome, rule_id, decision, policies } }: { readonly result: PolicyEvaluation }) {
  const [status, text] = OUTCOMES[outcome];
  return (
    <Paper withBorder p="md" aria-live="polite" style={{ alignSelf: "start" }}>
      <Group gap="xs">
        <Status status={status} />
        <Text fw={600}>
          {text}: {rule_id === "default" ? "no rule allows it" : `the rule ${rule_id} decides`}
        </Text>
      </Group>
      {decision !== null && "remaining" in decision && (
        <Dimmed>
          {decision.used} of {decision.limit} used, {decision.remaining} left
        </Dimmed>
      )}
      <List size="sm" mt="md" spacing={4} style={{ overflowWrap: "anywhere" }}>
        {policies.flatMap(({ policy_id, rules }) =>
          rules.map((rule) => (
            <List.Item key={policy_id + rule.rule_id}>
              <strong>{rule.rule_id}</strong> {rule.matched ? "matches" : "does not match"}: {rule.reason}
            </List.Item>
          )),
        )}
      </List>
    </Paper>
  );
}
