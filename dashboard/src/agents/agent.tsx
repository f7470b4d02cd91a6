import { Alert, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Agent, ApiKey, IssuedApiKey, Policy, Wallet } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { formatAmount, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { PairDialog } from "../ui/forms/once-dialog.tsx";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows, PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useAgentName, usePolicies } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Amount, Dimmed, Status, Time } from "../ui/values.tsx";
import { AgentBudgets } from "./agent-budgets.tsx";
import { AgentStatus, EditAgent } from "./agent-form.tsx";

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

function amountsOf(balances: Wallet["balances"]): string {
  const held = balances.filter(({ available }) => Number(available) > 0);
  return held.map(({ token, available }) => formatAmount(available, token)).join(", ") || "Nothing";
}

interface OfAgent {
  readonly agentId: string;
}

function AgentWallets({ agentId }: OfAgent) {
  const params = { path: { agent_id: agentId } };
  return (
    <ListTable
      label="Wallets of the agent"
      list={allRows(hooks.useQuery("get", "/wallets/agent/{agent_id}", { params }))}
      rowKey={({ wallet_id }) => wallet_id}
      columns={[
        {
          title: "Wallet",
          csv: ({ wallet_id }) => wallet_id,
          show: ({ wallet_id, name, network }) => (
            <AppLink to={`/wallets/${wallet_id}`} size="sm">
              {name ?? formatName(network)}
            </AppLink>
          ),
        },
        textColumn("Network", ({ network }: Wallet) => network),
        statusColumn(),
        {
          title: "Available",
          align: "right",
          show: ({ balances }) => amountsOf(balances),
        },
      ]}
      empty={<Snippet code={`await purser.wallets.create({ agent_id: "${agentId}", network: "base" });`} />}
    />
  );
}

function AgentPayments({ agentId }: OfAgent) {
  const query = { agent_id: agentId, limit: 10 };
  return (
    <>
      <ListTable
        label="Payments of the agent"
        list={allRows(hooks.useQuery("get", "/payments", { params: { query } }))}
        rowKey={({ payment_id }) => payment_id}
        columns={[
          {
            title: "Payment",
            csv: ({ payment_id }) => payment_id,
            show: ({ payment_id, purpose, to }) => (
              <AppLink to={`/payments/${payment_id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
                {purpose ?? to.value}
              </AppLink>
            ),
          },
          {
            title: "Amount",
            align: "right",
            csv: ({ amount }) => amount,
            show: ({ amount, token }) => <Amount amount={amount} currency={token} />,
          },
          statusColumn(),
          timeColumn("Sent", ({ created_at }: { readonly created_at: string }) => created_at),
        ]}
        empty={<Dimmed>It has made no payments.</Dimmed>}
      />
      <AppLink to={`/payments?agent_id=${agentId}`} size="sm">
        All payments
      </AppLink>
    </>
  );
}

/** The keys that are bound to an agent, and a dialog that creates one. */
function AgentKeys({ agent: { agent_id, status } }: { agent: Agent }) {
  const [pair, setPair] = useState<IssuedApiKey>();
  const keys = hooks.useInfiniteQuery("get", "/developers/me/keys", { params: { query: { limit: 100 } } }, PAGED);
  return (
    <>
      <ListTable
        label="Keys of the agent"
        list={pagedRows(keys, ({ agent_ids }) => agent_ids.includes(agent_id))}
        rowKey={({ key_id }) => key_id}
        columns={COLUMNS}
        empty={
          <Dimmed>No key is bound to this agent. With a key of its own, its code can act as this agent only.</Dimmed>
        }
      />
      {status === "active" && (
        <ActionDialog
          {...{ title: "Create a key for this agent", button: "Create key", action: "Create key pair" }}
          buttonProps={{ variant: "light", style: { alignSelf: "start" } }}
          text="Who has the key can act as this agent and as no other. It cannot approve what the agent asks."
          fields={[{ name: "name", label: "Name", placeholder: "Production worker", required: true, maxLength: 100 }]}
          run={async (body) => {
            setPair((await api.POST("/agents/{agent_id}/keys", { params: { path: { agent_id } }, body })).data);
          }}
        />
      )}
      <PairDialog
        {...{ title: "The agent's new key pair", pair, lines: `PURSER_AGENT_ID=${agent_id}\n` }}
        close={() => setPair(undefined)}
      />
    </>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  textColumn("Name", ({ name }) => name),
  textColumn("Key", ({ key_id }) => key_id, { show: (key) => `${key.key_prefix}${key.key_hint}` }),
  statusColumn(),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, MINOR, "Never"),
];
