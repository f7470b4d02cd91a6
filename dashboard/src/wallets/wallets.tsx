import { Group, Select, Stack, Text } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyIcon, Snippet } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { AgentLink, Short, shorten, useAgents } from "../ui/names.tsx";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { PAGED, pagedRows } from "../ui/use-list.ts";
import { Amount, Status, Time } from "../ui/values.tsx";
import { CreateWallet } from "./create-wallet.tsx";

const STATUSES = ["active", "freezing", "frozen", "unfreezing", "closed"] as const;

export function Wallets() {
  const { values, set } = useFilters("agent_id", "status");
  const query = { limit: 50, agent_id: values.agent_id, status: values.status as Wallet["status"] | undefined };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/wallets", { params: { query } }, PAGED));
  const agents = useAgents().map(({ agent_id, name }) => ({ value: agent_id, label: name }));
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Page
      title="Wallets"
      intro="Each agent has at most one wallet on each network. It pays from there, under its policies."
      actions={<CreateWallet />}
    >
      <Group gap="xs">
        <Select
          {...{ label: "Agent", size: "xs", placeholder: "Any", clearable: true, searchable: true, data: agents }}
          clearButtonProps={{ "aria-label": "Clear agent" }}
          value={values.agent_id ?? null}
          onChange={(value) => set("agent_id", value)}
        />
        <Select
          {...{ label: "Status", size: "xs", placeholder: "Any", clearable: true }}
          clearButtonProps={{ "aria-label": "Clear status" }}
          data={STATUSES.map((status) => ({ value: status, label: formatName(status) }))}
          value={values.status ?? null}
          onChange={(value) => set("status", value)}
        />
      </Group>
      <ListTable
        label="Wallets"
        list={list}
        rowKey={({ wallet_id }) => wallet_id}
        columns={COLUMNS}
        empty={isFiltered ? <Empty title="No wallet matches these filters" /> : <NoWallets />}
      />
    </Page>
  );
}

function NoWallets() {
  return (
    <Empty title="No wallets yet">
      <Text size="sm">Create one here, or with the SDK:</Text>
      <Snippet code={FIRST_WALLET} />
    </Empty>
  );
}

const FIRST_WALLET = `const { wallet_id } = await purser.wallets.create({ agent_id: "AGENT_ID", network: "base" });
await purser.wallets.fund(wallet_id, { amount: "100.00" }); // test tokens`;

const COLUMNS: readonly Column<Wallet>[] = [
  {
    title: "Wallet",
    csv: ({ wallet_id }) => wallet_id,
    show: ({ wallet_id, name }) => (
      <AppLink to={`/wallets/${wallet_id}`} size="sm" fw={600}>
        {name ?? shorten(wallet_id)}
      </AppLink>
    ),
  },
  { title: "Agent", csv: ({ agent_id }) => agent_id, show: ({ agent_id }) => <AgentLink id={agent_id} /> },
  {
    title: "Network",
    isMinor: true,
    csv: ({ network }) => network,
    show: ({ network }) => formatName(network.replace("-", " ")),
  },
  {
    title: "Address",
    isMinor: true,
    csv: ({ address }) => address,
    show: ({ address }) => (
      <Group gap={4} wrap="nowrap">
        <Short text={address} />
        <CopyIcon text={address} what="address" />
      </Group>
    ),
  },
  {
    title: "Balance",
    align: "right",
    csv: ({ balances }) => balances.map(({ total, token }) => `${total} ${token}`).join(" "),
    show: (wallet) => <Balance wallet={wallet} />,
  },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> },
  {
    title: "Created",
    isMinor: true,
    csv: ({ created_at }) => created_at,
    show: ({ created_at }) => <Time at={created_at} />,
  },
];

/** The tokens that are there, or zero of the first. */
function Balance({ wallet: { balances } }: { readonly wallet: Wallet }) {
  const held = balances.filter(({ base_units }) => base_units !== "0");
  return (
    <Stack gap={0}>
      {(held.length > 0 ? held : balances.slice(0, 1)).map(({ token, total }) => (
        <Amount key={token} amount={total} currency={token} />
      ))}
    </Stack>
  );
}
