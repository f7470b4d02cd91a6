import { Alert, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Agent, Policy } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { useAgentName, usePolicies } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { AgentBudgets } from "./agent-budgets.tsx";
import { EditAgent } from "./agent-form.tsx";
import { AgentKeys } from "./agent-keys.tsx";
import { AgentPayments, AgentWallets } from "./agent-lists.tsx";
import { AgentStatus } from "./agent-status.tsx";

/** One agent: whether it may act, what limits it, and what it has done. */
export function AgentPage() {
  const params = { path: { agent_id: useId("agentId") } };
  const query = hooks.useQuery("get", "/agents/{agent_id}", { params });
  const agent = query.data;
  return (
    <Page
      title={agent?.name ?? "Agent"}
      intro={agent?.description}
      back={{ label: "Agents", to: "/agents" }}
      actions={
        agent && (
          <>
            <EditAgent key={agent.updated_at} agent={agent} />
            <AgentStatus agent={agent} />
          </>
        )
      }
    >
      <Loaded query={query}>{(loaded) => <Details agent={loaded} />}</Loaded>
    </Page>
  );
}

const STOPPED: Readonly<Record<string, string>> = {
  suspended: "Suspended: it and its descendants cannot act until you resume it.",
  revoked: "Revoked for good: it cannot act, and its wallets are frozen.",
  expired: "Expired: it cannot act any more.",
};

function Details({ agent }: { readonly agent: Agent }) {
  const { agent_id: agentId, status } = agent;
  const stopped = STOPPED[status];
  const sections: readonly (readonly [title: string, content: ReactNode])[] = [
    ["Policies", <AgentPolicies key="policies" agent={agent} />],
    ["Budgets", <AgentBudgets key="budgets" agentId={agentId} />],
    ["Wallets", <AgentWallets key="wallets" agentId={agentId} />],
    ["Keys", <AgentKeys key="keys" agent={agent} />],
    ["Recent payments", <AgentPayments key="payments" agentId={agentId} />],
  ];
  return (
    <>
      {stopped !== undefined && <Alert color="orange">{stopped}</Alert>}
      <AgentFacts agent={agent} />
      {sections.map(([title, content]) => (
        <Stack key={title} gap="xs" component="section">
          <Title order={2} size="h4">
            {title}
          </Title>
          {content}
        </Stack>
      ))}
    </>
  );
}

function AgentFacts({ agent }: { readonly agent: Agent }) {
  const nameOf = useAgentName();
  const { kya, software, parent_agent_id: parent, expires_at } = agent;
  const evidence = kya.evidence.map(({ type }) => formatName(type)).join(", ");
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Status", <Status key="status" status={agent.status} />],
    ["Id", <CopyText key="id" text={agent.agent_id} what="agent id" />],
    ["Know your agent", `${formatName(kya.level)}${evidence && ` (${evidence})`}`],
    ["Created", <Time key="created" at={agent.created_at} />],
    ["Expires", expires_at && <Time key="expires" at={expires_at} />],
    ["Software", software && [software.name, software.version, software.model].filter(Boolean).join(" · ")],
    [
      "Parent",
      parent && (
        <AppLink to={`/agents/${parent}`} inherit>
          {nameOf(parent)}
        </AppLink>
      ),
    ],
    ...Object.entries(agent.metadata),
  ];
  return (
    <Paper withBorder p="md">
      <Facts facts={facts.filter(([, value]) => value !== null && value !== "")} />
    </Paper>
  );
}

function AgentPolicies({ agent }: { readonly agent: Agent }) {
  return (
    <Loaded query={{ data: usePolicies(), error: undefined }} lines={1}>
      {(all) => (
        <Paper withBorder p="md">
          {policiesOf(agent, all).map(({ policy_id, name, rules, starter }) => (
            <Group key={policy_id} gap="xs">
              <AppLink to={`/policies/${policy_id}`} size="sm" fw={600}>
                {name}
              </AppLink>
              {starter && <Badge color="gray">Starter</Badge>}
              <Dimmed>{rules.length} rules</Dimmed>
            </Group>
          ))}
          <Text size="xs" c="dimmed" mt="xs">
            The strictest answer of all policies wins. Those of its parents, wallets and projects apply too.
          </Text>
        </Paper>
      )}
    </Loaded>
  );
}
/** The policies that name the agent or that it names; without any, the starter policy. */
function policiesOf(agent: Agent, policies: readonly Policy[]): readonly Policy[] {
  const own = policies.filter(
    ({ policy_id, applies_to }) => policy_id === agent.policy_id || applies_to.agent_ids.includes(agent.agent_id),
  );
  return own.length > 0 ? own : policies.filter(({ starter }) => starter);
}
