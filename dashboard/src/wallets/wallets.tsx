import { Group, Text } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { FilterSelect } from "../ui/lists/filters.tsx";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, formatNetwork, Id, shorten, useAgents } from "../ui/names.tsx";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Amount, Status, Time } from "../ui/values.tsx";
import { CreateWallet } from "./wallet-dialogs.tsx";

const STATUSES = ["active", "freezing", "frozen", "unfreezing", "closed"].map((value) => {
  return { value, label: formatName(value) };
});

export function Wallets() {
  const filters = useFilters("agent_id", "status");
  const { agent_id, status } = filters.values;
  const query = { limit: 50, agent_id, status: status as Wallet["status"] | undefined };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/wallets", { params: { query } }, PAGED));
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <Page
      title="Wallets"
      intro="Each agent has at most one wallet on each network. It pays from there, under its policies."
      actions={<CreateWallet />}
    >
      <Group gap="xs" grow maw={420}>
        <FilterSelect label="Agent" name="agent_id" filters={filters} options={useAgents()} />
        <FilterSelect label="Status" name="status" filters={filters} options={STATUSES} />
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
  { title: "Wallet", csv: ({ wallet_id }) => wallet_id, show: (wallet) => <WalletName wallet={wallet} /> },
  { title: "Agent", isMinor: true, csv: (row) => row.agent_id, show: (row) => <AgentLink id={row.agent_id} /> },
  { title: "Network", isMinor: true, csv: ({ network }) => network, show: ({ network }) => formatNetwork(network) },
  {
    title: "Address",
    isMinor: true,
    csv: (row) => row.address,
    show: (row) => <Id text={row.address} what="address" />,
  },
  {
    title: "Balance",
    align: "right",
    csv: (row) => amountsOf(row).join(", "),
    show: (row) => <Balance wallet={row} />,
  },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> },
  { title: "Created", isMinor: true, csv: (row) => row.created_at, show: (row) => <Time at={row.created_at} /> },
];

function WalletName({ wallet: { wallet_id, name } }: { readonly wallet: Wallet }) {
  return (
    <AppLink to={`/wallets/${wallet_id}`} size="sm" fw={600}>
      {name ?? shorten(wallet_id)}
    </AppLink>
  );
}

/** The tokens that are there, or zero of the first. */
function balancesOf({ balances }: Wallet): Wallet["balances"] {
  const held = balances.filter(({ base_units }) => base_units !== "0");
  return held.length > 0 ? held : balances.slice(0, 1);
}

function amountsOf(wallet: Wallet): string[] {
  return balancesOf(wallet).map(({ total, token }) => `${total} ${token}`);
}

function Balance({ wallet }: { readonly wallet: Wallet }) {
  return balancesOf(wallet).map(({ token, total }) => (
    <div key={token}>
      <Amount amount={total} currency={token} />
    </div>
  ));
}
