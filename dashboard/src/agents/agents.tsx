import { Text } from "@mantine/core";
import type { Agent, ApiKey } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import {
  type Column,
  idColumn,
  linkColumn,
  MINOR,
  statusColumn,
  textColumn,
  timeColumn,
} from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useKeys } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { CreateAgent } from "./agent-form.tsx";

export function Agents() {
  const filters = useListFilters({ status: ["Status", ["active", "suspended", "revoked", "expired"]] });
  const { status = "" } = filters.values;
  const agents = hooks.useInfiniteQuery("get", "/agents", { params: { query: { limit: 50 } } }, PAGED);
  return (
    <Page
      title="Agents"
      intro="An agent is a program that acts for you. Its policies decide what it may do, and it pays from its own wallets."
      actions={<CreateAgent />}
    >
      <ListTable
        label="Agents"
        list={pagedRows(agents, (agent) => status === "" || agent.status === status)}
        rowKey={({ agent_id }) => agent_id}
        columns={columns(useKeys())}
        filters={filters}
        empty={
          <Empty title="No agents yet">
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

function columns(keys: readonly ApiKey[]): readonly Column<Agent>[] {
  return [
    linkColumn("Name", ({ name }) => name, {
      to: ({ agent_id }) => `/agents/${agent_id}`,
      below: ({ description }) => description,
    }),
    idColumn("Id", ({ agent_id }) => agent_id),
    statusColumn(),
    textColumn("KYA", ({ kya }) => formatName(kya.level), MINOR),
    {
      title: "Wallets",
      ...MINOR,
      show: ({ agent_id }) => <AppLink to={`/wallets?agent_id=${agent_id}`}>Open</AppLink>,
    },
    timeColumn("Last seen", ({ agent_id }) => lastSeen(agent_id, keys), MINOR, "Never"),
    timeColumn("Created", ({ created_at }) => created_at),
  ];
}

/** When a key that is bound to the agent was last used. Null if none was. */
function lastSeen(agentId: string, keys: readonly ApiKey[]): string | null {
  const times = keys
    .filter(({ agent_ids }) => agent_ids.includes(agentId))
    .map(({ last_used_at }) => last_used_at ?? "");
  return times.toSorted().at(-1) || null;
}
