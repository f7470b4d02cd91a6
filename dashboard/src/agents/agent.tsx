import { Alert, Badge, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Agent, ApiKey, IssuedApiKey, Policy } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { PAYMENT_COLUMNS } from "../payments/payments.tsx";
import { CopyText } from "../ui/copy-text.tsx";
import { formatCount, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { metadataLines } from "../ui/forms/metadata.tsx";
import { PairDialog } from "../ui/forms/once-dialog.tsx";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows, PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, usePolicies } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { CreateWallet } from "../wallets/wallet-dialogs.tsx";
import { WALLET_COLUMNS } from "../wallets/wallets.tsx";
import { AgentBudgets } from "./agent-budgets.tsx";
import { AgentStatus, EditAgent } from "./agent-form.tsx";

interface AgentProps {
  readonly agent: Agent;
}

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
        agent && [<EditAgent key={agent.updated_at} agent={agent} />, <AgentStatus key="status" agent={agent} />]
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

function Details({ agent }: AgentProps) {
  const { agent_id, status } = agent;
  const stopped = STOPPED[status];
  const wallets = hooks.useQuery("get", "/wallets/agent/{agent_id}", { params: { path: { agent_id } } });
  const payments = hooks.useQuery("get", "/payments", { params: { query: { agent_id, limit: 10 } } });
  return (
    <>
      {stopped !== undefined && <Alert color="orange">{stopped}</Alert>}
      <AgentFacts agent={agent} />
      <AgentPolicies agent={agent} />
      <Section title="Budgets">
        <AgentBudgets agentId={agent_id} />
      </Section>
      <Section title="Wallets" actions={status === "active" && <CreateWallet agentId={agent_id} isSmall />}>
        <ListTable
          label="Wallets of the agent"
          list={allRows(wallets)}
          rowKey={({ wallet_id }) => wallet_id}
          columns={WALLET_COLUMNS.filter(({ title }) => title !== "Agent")}
          empty={
            <Empty
              title="No wallet yet"
              code={`await purser.wallets.create({ agent_id: "${agent_id}", network: "base" });`}
            />
          }
        />
      </Section>
      <AgentKeys agent={agent} />
      <Section title="Recent payments" actions={<AppLink to={`/payments?agent_id=${agent_id}`}>All payments</AppLink>}>
        <ListTable
          label="Payments of the agent"
          list={allRows(payments)}
          rowKey={({ payment_id }) => payment_id}
          columns={PAYMENT_COLUMNS.filter(({ title }) => title !== "Agent")}
          empty={<Dimmed>It has made no payments.</Dimmed>}
        />
      </Section>
    </>
  );
}

function AgentFacts({ agent }: AgentProps) {
  const { kya, software, parent_agent_id: parent, expires_at } = agent;
  const evidence = kya.evidence.map(({ type }) => formatName(type)).join(", ");
  const facts: Facts = [
    ["Status", <Status key="status" status={agent.status} />],
    ["Id", <CopyText key="id" text={agent.agent_id} what="agent id" />],
    ["Know your agent", `${formatName(kya.level)}${evidence && ` (${evidence})`}`],
    ["Created", <Time key="created" at={agent.created_at} />],
    ["Expires", expires_at && <Time key="expires" at={expires_at} />],
    ["Software", software && [software.name, software.version, software.model].filter(Boolean).join(" · ")],
    ["Parent", parent && <AgentLink key="parent" id={parent} />],
    ["Metadata", metadataLines(agent.metadata)],
  ];
  return (
    <Section title="Agent">
      <Facts facts={facts.filter(([, value]) => value !== null && value !== "")} />
    </Section>
  );
}

function AgentPolicies({ agent }: AgentProps) {
  return (
    <Section title="Policies">
      <Loaded query={{ data: usePolicies(), error: undefined }} lines={1}>
        {(all) =>
          policiesOf(agent, all).map(({ policy_id, name, rules, starter }) => (
            <Group key={policy_id} gap="xs">
              <AppLink to={`/policies/${policy_id}`} size="sm" fw={600}>
                {name}
              </AppLink>
              {starter && <Badge color="gray">Starter</Badge>}
              <Dimmed>{formatCount(rules.length, "rule")}</Dimmed>
            </Group>
          ))
        }
      </Loaded>
      <Text size="xs" c="dimmed">
        The strictest answer of all policies wins. Those of its parents, wallets and projects apply too.
      </Text>
    </Section>
  );
}

/** The policies that name the agent or that it names; without any, the starter policy. */
function policiesOf(agent: Agent, policies: readonly Policy[]): readonly Policy[] {
  const own = policies.filter(
    ({ policy_id, applies_to }) => policy_id === agent.policy_id || applies_to.agent_ids.includes(agent.agent_id),
  );
  return own.length > 0 ? own : policies.filter(({ starter }) => starter);
}

/** The keys that are bound to an agent, and a dialog that creates one. */
function AgentKeys({ agent: { agent_id, status } }: AgentProps) {
  const [pair, setPair] = useState<IssuedApiKey>();
  const keys = hooks.useInfiniteQuery("get", "/developers/me/keys", { params: { query: { limit: 100 } } }, PAGED);
  const create = (
    <ActionDialog
      {...{ title: "Create a key for this agent", button: "Create key", action: "Create key pair", isSmall: true }}
      text="Who has the key can act as this agent and as no other. It cannot approve what the agent asks."
      fields={[{ name: "name", label: "Name", placeholder: "Production worker", required: true, maxLength: 100 }]}
      run={async (body) => {
        setPair((await api.POST("/agents/{agent_id}/keys", { params: { path: { agent_id } }, body })).data);
      }}
    />
  );
  return (
    <Section title="Keys" actions={status === "active" && create}>
      <ListTable
        label="Keys of the agent"
        list={pagedRows(keys, ({ agent_ids }) => agent_ids.includes(agent_id))}
        rowKey={({ key_id }) => key_id}
        columns={KEY_COLUMNS}
        empty={
          <Dimmed>No key is bound to this agent. With a key of its own, its code can act as this agent only.</Dimmed>
        }
      />
      <PairDialog
        {...{ title: "The agent's new key pair", pair, lines: `PURSER_AGENT_ID=${agent_id}\n` }}
        close={() => setPair(undefined)}
      />
    </Section>
  );
}

const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  textColumn("Name", ({ name }) => name),
  textColumn("Key", ({ key_id }) => key_id, { show: (key) => `${key.key_prefix}${key.key_hint}` }),
  statusColumn(),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, MINOR, "Never"),
];
