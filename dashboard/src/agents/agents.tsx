import { Select, Stack, Text } from "@mantine/core";
import type { Agent, ApiKey, Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { CreateAgent } from "./agent-form.tsx";
import { statusColumn, textColumn, timeColumn } from "./columns.tsx";
import { lastSeen } from "./use-names.ts";

export function Agents() {
  const { values, set } = useFilters("status");
  // A paged list has another limit than the whole lists of the same path, with which it would share its cache.
  const list = pagedRows(hooks.useInfiniteQuery("get", "/agents", { params: { query: { limit: 50 } } }, PAGED));
  const keys = hooks.useQuery("get", "/developers/me/keys").data?.data ?? [];
  const wallets = hooks.useQuery("get", "/wallets", { params: { query: { limit: 100 } } }).data?.data ?? [];
  const shown = <Row extends Agent>(rows: readonly Row[] = []) =>
    rows.filter(({ status }) => values.status === undefined || status === values.status);
  const loadMore = async () => {
    const next = await list.loadMore();
    return { ...next, rows: shown(next.rows) };
  };
  return (
    <Page
      title="Agents"
      intro="An agent is a program that acts for you. Its policies decide what it may do, and it pays from its own wallets."
      actions={<CreateAgent />}
    >
      <Select
        label="Status"
        placeholder="Any status"
        clearable
        maw={220}
        data={["active", "suspended", "revoked", "expired"].map((value) => ({ value, label: formatName(value) }))}
        value={values.status ?? null}
        onChange={(value) => set("status", value)}
      />
      <ListTable
        label="Agents"
        list={{ ...list, loadMore, rows: list.rows && shown(list.rows) }}
        rowKey={({ agent_id }) => agent_id}
        columns={columns(keys, wallets)}
        empty={
          <Empty title={values.status === undefined ? "No agents yet" : "No agent has this status"}>
            <Text size="sm">Create an agent here, or in code, and give it a wallet:</Text>
            <Snippet code={FIRST_AGENT} />
          </Empty>
        }
      />
    </Page>
  );
}

const FIRST_AGENT = `const { agent_id } = await purser.agents.create({ name: "buyer" });
await purser.wallets.create({ agent_id, network: "base" });`;

function columns(keys: readonly ApiKey[], wallets: readonly Wallet[]): readonly Column<Agent>[] {
  const walletsOf = (agent: Agent) => wallets.filter(({ agent_id }) => agent_id === agent.agent_id).length;
  return [
    {
      title: "Name",
      csv: ({ name }) => name,
      show: ({ agent_id, name, description }) => (
        <Stack gap={0} maw={260}>
          <AppLink to={`/agents/${agent_id}`} size="sm" fw={600}>
            {name}
          </AppLink>
          <Text size="sm" c="dimmed" truncate>
            {description}
          </Text>
        </Stack>
      ),
    },
    {
      title: "Id",
      isMinor: true,
      csv: ({ agent_id }) => agent_id,
      show: ({ agent_id }) => <CopyText text={agent_id} shown={`${agent_id.slice(0, 8)}…`} what="agent id" />,
    },
    statusColumn(),
    textColumn("KYA", ({ kya }) => formatName(kya.level)),
    textColumn("Wallets", walletsOf),
    timeColumn("Last seen", ({ agent_id }) => lastSeen(agent_id, keys), "Never"),
    timeColumn("Created", ({ created_at }) => created_at),
  ];
}
