import { Radio, Stack } from "@mantine/core";
import { useState } from "react";
import type { Agent, Policy, PolicyRuleInput } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatCount } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { type Column, idColumn, linkColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useAgentName, useAgents, usePolicies } from "../ui/names.tsx";
import { useGo } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";

export function Policies() {
  const agents = useAgents();
  const nameOf = useAgentName();
  const query = { limit: 50 };
  return (
    <Page
      title="Policies"
      intro="A policy decides what agents may do: what is allowed, what is refused, and when a person is asked."
      actions={<CreatePolicy />}
    >
      <ListTable
        label="Policies"
        list={pagedRows(hooks.useInfiniteQuery("get", "/policies", { params: { query } }, PAGED))}
        rowKey={({ policy_id }) => policy_id}
        columns={columns((policy) => attachedAgents(policy, agents).map(nameOf))}
        empty={<Empty title="No policies yet" text={NO_POLICIES} />}
      />
    </Page>
  );
}

const NO_POLICIES =
  "Create one from a template. Your first agent brings the starter policy, for agents without another.";

/** The agents that the policy names, and those that name it. */
export function attachedAgents({ policy_id, applies_to }: Policy, agents: readonly Agent[]): string[] {
  const naming = agents.filter((agent) => agent.policy_id === policy_id).map(({ agent_id }) => agent_id);
  return [...new Set([...applies_to.agent_ids, ...naming])];
}

function columns(namesOf: (policy: Policy) => string[]): readonly Column<Policy>[] {
  const appliesTo = (policy: Policy) => {
    const { wallet_ids, project_ids } = policy.applies_to;
    const parts = [
      ...namesOf(policy),
      wallet_ids.length > 0 && formatCount(wallet_ids.length, "wallet"),
      project_ids.length > 0 && formatCount(project_ids.length, "project"),
      policy.starter && "Agents without another policy",
    ];
    return parts.filter(Boolean).join(", ") || "No one yet";
  };
  return [
    linkColumn("Name", ({ name }) => name, {
      to: ({ policy_id }) => `/policies/${policy_id}`,
      below: ({ starter }) => starter && "Starter",
    }),
    idColumn("Id", ({ policy_id }) => policy_id),
    textColumn("Applies to", appliesTo),
    textColumn("Rules", ({ rules }) => rules.length),
    textColumn("Version", ({ version }) => version),
    timeColumn("Changed", ({ updated_at }) => updated_at),
  ];
}

interface Template {
  readonly label: string;
  readonly description: string;
  /** What the rules are made from. */
  readonly field?: Field<"from">;
  readonly rules: (from: string) => PolicyRuleInput[];
}

const PAYMENT = { effect: "allow", operation: "payment" } as const;

/** The rules that a person can start from. */
const TEMPLATES: Readonly<Record<string, Template>> = {
  daily: {
    label: "An amount of USDC a day",
    description: "Pays in USDC, and refuses what would exceed the amount in any 24 hours.",
    field: { name: "from", label: "USDC a day", required: true, defaultValue: "10.00", inputMode: "decimal" },
    rules: (max) => [
      { ...PAYMENT, id: "daily_max", effect: "limit", budget: { max, currency: "usd", period: "rolling_24h" } },
      { ...PAYMENT, id: "allow_usdc", when: { token: { eq: "USDC" } } },
    ],
  },
  ask: {
    label: "Ask for every new payee",
    description: "A person approves the first payment to each payee. Later ones need no approval.",
    rules: () => [
      { ...PAYMENT, id: "ask_for_new_payees", effect: "require_approval", when: { payee_first_seen: true } },
      { ...PAYMENT, id: "allow_payments" },
    ],
  },
  payees: {
    label: "Only these payees",
    description: "Refuses payments to anyone else.",
    field: { name: "from", label: "Payees", description: "Addresses. Press Enter after each.", input: "tags" },
    rules: (payees) => [{ ...PAYMENT, id: "allow_payees", when: { payee: { in: listOf(payees) } } }],
  },
  starter: {
    label: "Starter",
    description: "A copy of the policy for agents without a policy of their own. Empty before the first agent.",
    rules: () => [],
  },
  empty: { label: "Empty", description: "Refuses everything until you add rules.", rules: () => [] },
};

/** Makes a policy from a template, and opens it. */
function CreatePolicy() {
  const go = useGo();
  const agents = useAgents();
  const [chosen, setChosen] = useState("daily");
  const starter = usePolicies()?.find((policy) => policy.starter);
  const template = TEMPLATES[chosen];
  const applies = "The policy applies to them from their next operation on.";
  return (
    <ActionDialog
      {...{ title: "Create a policy", button: "Create policy", action: "Create the policy", size: "lg" }}
      fields={[
        ...(template?.field ? [template.field] : []),
        { name: "name", label: "Name", placeholder: "Buyers", required: true, maxLength: 100 },
        { name: "agents", label: "Agents", description: applies, input: "objects", data: agents },
      ]}
      run={async ({ from, name, agents: ids }) => {
        const rules = chosen === "starter" ? starter?.rules : template?.rules(from);
        const body = { name, rules: [...(rules ?? [])], applies_to: { agent_ids: listOf(ids) } };
        const { data } = await api.POST("/policies", { body });
        if (data !== undefined) go(`/policies/${data.policy_id}`);
      }}
    >
      <Radio.Group label="Template" value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {Object.entries(TEMPLATES).map(([value, { label, description }]) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </ActionDialog>
  );
}
