import { Text } from "@mantine/core";
import type { Wallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatAmount, formatNetwork } from "../ui/format.ts";
import { type Column, idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, useAgents, WalletLink } from "../ui/names.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { CreateWallet } from "./wallet-dialogs.tsx";

const STATUSES = ["active", "freezing", "frozen", "unfreezing", "closed"];

export function Wallets() {
  const filters = useListFilters({ agent_id: ["Agent", useAgents()], status: ["Status", STATUSES] });
  return (
    <Page
      title="Wallets"
      intro="Each agent has at most one wallet on each network. It pays from there, under its policies."
      actions={<CreateWallet />}
    >
      <ListTable
        label="Wallets"
        list={pagedRows(hooks.useInfiniteQuery("get", "/wallets", { params: { query: filters.query } }, PAGED))}
        rowKey={({ wallet_id }) => wallet_id}
        columns={WALLET_COLUMNS}
        filters={filters}
        empty={
          <Empty title="No wallets yet">
            <Text size="sm">Create one here, or with the SDK:</Text>
            <Snippet code={FIRST_WALLET} />
          </Empty>
        }
      />
    </Page>
  );
}

const FIRST_WALLET = `const { wallet_id } = await purser.wallets.create({ agent_id: "AGENT_ID", network: "base" });
await purser.wallets.fund(wallet_id, { amount: "100.00" }); // test tokens`;

export const WALLET_COLUMNS: readonly Column<Wallet>[] = [
  { title: "Wallet", csv: ({ wallet_id }) => wallet_id, show: ({ wallet_id }) => <WalletLink id={wallet_id} /> },
  { title: "Agent", ...MINOR, csv: ({ agent_id }) => agent_id, show: ({ agent_id }) => <AgentLink id={agent_id} /> },
  textColumn("Network", ({ network }) => network, { ...MINOR, show: ({ network }) => formatNetwork(network) }),
  idColumn("Address", ({ address }) => address),
  textColumn("Balance", (wallet) => amountsOf(wallet).join(", "), { align: "right" }),
  statusColumn(),
  timeColumn("Created", ({ created_at }) => created_at),
];

/** The tokens that are there, or zero of the first. */
function amountsOf({ balances }: Wallet): string[] {
  const held = balances.filter(({ base_units }) => base_units !== "0");
  return (held.length > 0 ? held : balances.slice(0, 1)).map(({ total, token }) => formatAmount(total, token));
}
