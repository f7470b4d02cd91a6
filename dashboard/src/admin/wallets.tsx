import { Group, Stack, Text } from "@mantine/core";
import type { AdminWallet, WalletFreezeRequest } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { filledIn } from "../ui/forms/fields.tsx";
import { type Column, MINOR } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Id, NameLink } from "../ui/names.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { FREEZE_FIELDS, freezeOf, WHY_FIELDS } from "../wallets/freeze-actions.tsx";

const FROZEN = [
  { value: "true", label: "Frozen" },
  { value: "false", label: "Not frozen" },
];

/** The freeze console: finds wallets of all developers, and freezes and unfreezes them. */
export function Wallets() {
  const filters = useListFilters({
    q: ["Search by wallet, address or developer", "text", "wal_…, 0x… or dev_…"],
    frozen: ["In Purser", FROZEN],
  });
  return (
    <Page
      title="Wallet freezes"
      intro="A freeze in Purser stops payments at once. A freeze on the chain also stops someone who has the wallet's key."
    >
      <ListTable
        label="Wallets"
        list={pagedRows(hooks.useInfiniteQuery("get", "/admin/wallets", { params: { query: filters.query } }, PAGED))}
        rowKey={({ wallet_id }) => wallet_id}
        columns={COLUMNS}
        filters={filters}
        empty={<Empty title="No developer has a wallet" />}
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
        <Id text={wallet_id} what="wallet id" />
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
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {texts.join(" · ")}
          </Text>
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

const FREEZE_TEXT =
  "From now on, no payment leaves this wallet. Payments that wait are canceled. The developer sees the reason, and only an admin can unfreeze it.";
const UNFROZEN = "Payments work again. Those that were canceled stay canceled.";
const UNFROZEN_ON_CHAIN =
  " The account is unfrozen on its chain first. If that takes longer than 20 seconds, you see an error, and Purser goes on: look again in a minute.";

/** Freezes or unfreezes a wallet. The last characters of its address must be typed, so that it is not another one. */
function ChangeFreeze({ wallet, isFreeze }: { wallet: AdminWallet; isFreeze: boolean }) {
  const { wallet_id, address, freeze } = wallet;
  const params = { path: { wallet_id } };
  const verb = isFreeze ? "Freeze" : "Unfreeze";
  const common = { title: `${verb} ${wallet_id}`, button: verb, action: `${verb} the wallet`, isSmall: true };
  const confirmed = { ...common, isDangerous: isFreeze, typeToConfirm: address.slice(-6) };
  if (isFreeze) {
    return (
      <ActionDialog
        {...{ ...confirmed, text: FREEZE_TEXT, fields: FREEZE_FIELDS }}
        run={(values) => api.POST("/admin/wallets/{wallet_id}/freeze", { params, body: freezeOf(values) })}
      />
    );
  }
  const isOnChain = !["not_frozen", "simulated"].includes(freeze.onchain.status);
  return (
    <ActionDialog
      {...{ ...confirmed, text: UNFROZEN + (isOnChain ? UNFROZEN_ON_CHAIN : ""), fields: WHY_FIELDS }}
      run={(values) => {
        const body = filledIn(values) as Pick<WalletFreezeRequest, "reason">;
        return api.POST("/admin/wallets/{wallet_id}/unfreeze", { params, body });
      }}
    />
  );
}
