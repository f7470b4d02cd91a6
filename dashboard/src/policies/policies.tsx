import { Badge, Group, Text } from "@mantine/core";
import type { Agent, Policy } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { type Column, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useAgentName, useAgents } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { CreatePolicy } from "./create-policy.tsx";

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
        empty={
          <Empty title="No policies yet">
            <Text size="sm">
              Create one from a template. Your first agent brings the starter policy, for agents without another.
            </Text>
          </Empty>
        }
      />
    </Page>
  );
}

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
      wallet_ids.length > 0 && `${wallet_ids.length} wallets`,
      project_ids.length > 0 && `${project_ids.length} projects`,
      policy.starter && "Agents without another policy",
    ];
    return parts.filter(Boolean).join(", ") || "No one yet";
  };
  return [
    {
      title: "Name",
      csv: ({ name }) => name,
      show: ({ policy_id, name, starter }) => (
        <Group gap="xs">
          <AppLink to={`/policies/${policy_id}`} size="sm" fw={600}>
            {name}
          </AppLink>
          {starter && <Badge color="gray">Starter</Badge>}
        </Group>
      ),
    },
    {
      title: "Id",
      isMinor: true,
      csv: ({ policy_id }) => policy_id,
      show: ({ policy_id }) => <CopyText text={policy_id} shown={`…${policy_id.slice(-6)}`} what="policy id" />,
    },
    {
      title: "Applies to",
      csv: appliesTo,
      show: (policy) => (
        <Text size="sm" lineClamp={2} maw={320}>
          {appliesTo(policy)}
        </Text>
      ),
    },
    textColumn("Rules", ({ rules }) => rules.length),
    textColumn("Version", ({ version }) => version),
    timeColumn("Changed", ({ updated_at }) => updated_at),
  ];
}
