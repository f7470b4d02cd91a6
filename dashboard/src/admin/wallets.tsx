import { Group, Stack, Text } from "@mantine/core";
import type { AdminWallet } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { ChoiceFilter, SearchBox } from "./filters.tsx";
import { ChangeFreeze } from "./freeze-wallet.tsx";
import { DeveloperLink } from "./parts.tsx";

/** The freeze console: finds wallets of all developers, and freezes and unfreezes them. */
export function Wallets() {
  const { values, set } = useFilters("q", "frozen");
  const frozen = values.frozen === "true" || values.frozen === "false" ? values.frozen === "true" : undefined;
  const query = { limit: 50, ...(values.q !== undefined && { q: values.q }), ...(frozen !== undefined && { frozen }) };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/admin/wallets", { params: { query } }, PAGED));
  return (
    <Page
      title="Wallet freezes"
      intro="A freeze in Purser stops payments at once. A freeze on the chain also stops someone who has the wallet's key."
    >
      <Group align="end">
        <SearchBox
          label="Search by wallet, address or developer"
          placeholder="wal_…, 0x… or dev_…"
          value={values.q}
          search={(text) => set("q", text)}
        />
        <ChoiceFilter
          label="In Purser"
          value={frozen === undefined ? "" : String(frozen)}
          choices={[
            { value: "true", label: "Frozen" },
            { value: "false", label: "Not frozen" },
          ]}
          choose={(value) => set("frozen", value)}
        />
      </Group>
      <ListTable
        label="Wallets"
        list={list}
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
        <CopyText text={address} what="address" shown={`${address.slice(0, 8)}…${address.slice(-6)}`} />
      </Stack>
    ),
  },
  {
    title: "Developer",
    isMinor: true,
    csv: ({ developer_id }) => developer_id,
    show: ({ developer_id, network, mode }) => (
      <Stack gap={0}>
        <DeveloperLink id={developer_id} />
        <Dimmed>
          {network}, {mode} mode
        </Dimmed>
      </Stack>
    ),
  },
  { title: "In Purser", csv: ({ status }) => status, show: (wallet) => <FreezeInPurser wallet={wallet} /> },
  {
    title: "On the chain",
    isMinor: true,
    csv: ({ freeze }) => freeze.onchain.status,
    show: ({ freeze: { onchain } }) => (
      <Stack gap={2} align="start">
        <Status status={onchain.status} />
        {onchain.tx_hash !== null && (
          <CopyText text={onchain.tx_hash} what="transaction hash" shown={`${onchain.tx_hash.slice(0, 10)}…`} />
        )}
      </Stack>
    ),
  },
  { title: "Actions", align: "right", show: (wallet) => <Actions wallet={wallet} /> },
];

/** Who froze the wallet, why and when. */
function FreezeInPurser({ wallet: { status, freeze, freeze_source } }: { readonly wallet: AdminWallet }) {
  const { reason, reference, note } = freeze;
  const texts = [reason === null ? null : formatName(reason), reference, note].filter((text) => text !== null);
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
