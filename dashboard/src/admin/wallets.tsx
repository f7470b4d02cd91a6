import { Group, Stack, Text } from "@mantine/core";
import type { AdminWallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, MINOR } from "../ui/lists/columns.tsx";
import { FilterBar } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Id, NameLink } from "../ui/names.tsx";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { ChangeFreeze } from "./freeze-wallet.tsx";

const FROZEN = [
  { value: "true", label: "Frozen" },
  { value: "false", label: "Not frozen" },
];

/** The freeze console: finds wallets of all developers, and freezes and unfreezes them. */
export function Wallets() {
  const filters = useFilters("q", "frozen");
  const query = { limit: 50, ...filters.query };
  return (
    <Page
      title="Wallet freezes"
      intro="A freeze in Purser stops payments at once. A freeze on the chain also stops someone who has the wallet's key."
    >
      <FilterBar
        filters={filters}
        path="/wallets"
        fields={{
          q: ["Search by wallet, address or developer", "text", "wal_…, 0x… or dev_…"],
          frozen: ["In Purser", FROZEN],
        }}
      />
      <ListTable
        label="Wallets"
        list={pagedRows(hooks.useInfiniteQuery("get", "/admin/wallets", { params: { query } }, PAGED))}
        rowKey={({ wallet_id }) => wallet_id}
        columns={COLUMNS}
        empty={<Empty title="No wallet matches. Search for a whole id or address, or change the filter." />}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<AdminWallet>[] = [
  {
    title: "Wallet",
    csv: ({ wallet_id }) => wallet_id,
    show: ({ wallet_id, address }) => (
      <Stack gap={2} align="start">
        <CopyText text={wallet_id} what="wallet id" />
        <Id text={address} what="address" />
      </Stack>
    ),
  },
  {
    ...{ title: "Developer", ...MINOR, csv: ({ developer_id }) => developer_id },
    show: ({ developer_id, network, mode }) => (
      <Stack gap={0}>
        <NameLink to="/developers" id={developer_id} />
        <Dimmed>{`${network}, ${mode} mode`}</Dimmed>
      </Stack>
    ),
  },
  { title: "In Purser", csv: ({ status }) => status, show: (wallet) => <FreezeInPurser wallet={wallet} /> },
  {
    ...{ title: "On the chain", ...MINOR, csv: ({ freeze }) => freeze.onchain.status },
    show: ({ freeze: { onchain } }) => (
      <Stack gap={2} align="start">
        <Status status={onchain.status} />
        {onchain.tx_hash !== null && <Id text={onchain.tx_hash} what="transaction hash" />}
      </Stack>
    ),
  },
  { title: "Actions", align: "right", show: (wallet) => <Actions wallet={wallet} /> },
];

/** Who froze the wallet, why and when. */
function FreezeInPurser({ wallet: { status, freeze, freeze_source } }: { readonly wallet: AdminWallet }) {
  const { reason, reference, note } = freeze;
  const texts = [reason && formatName(reason), reference, note].filter((text) => text !== null);
  return (
    <Stack gap={2} align="start">
      <Status status={status} />
      {freeze.database.frozen && (
        <>
          <Text size="sm">{texts.join(" · ")}</Text>
          <Dimmed>
            By {freeze_source === "admin" ? "an admin" : "the developer"}, <Time at={freeze.frozen_at} />
            {freeze.mode === "outgoing_only" && ", outgoing only"}
          </Dimmed>
        </>
      )}
    </Stack>
  );
}

/** The freeze of a developer can be replaced by one that only an admin can lift. */
function Actions({ wallet }: { readonly wallet: AdminWallet }) {
  const canFreeze = wallet.freeze_source !== "admin" && wallet.status !== "closed";
  return (
    <Group gap={4} justify="end">
      {canFreeze && <ChangeFreeze wallet={wallet} isFreeze />}
      {wallet.freeze.database.frozen && <ChangeFreeze wallet={wallet} isFreeze={false} />}
    </Group>
  );
}
