import { Group, Text, Title } from "@mantine/core";
import type { Wallet, WalletActivity } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyIcon } from "../ui/copy-text.tsx";
import { formatAmount, formatName } from "../ui/format.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { Short } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty } from "../ui/page.tsx";
import { PAGED, pagedRows } from "../ui/use-list.ts";
import { Status, Time } from "../ui/values.tsx";

export function WalletActivityList({ wallet: { wallet_id, mode } }: { readonly wallet: Wallet }) {
  const params = { path: { wallet_id }, query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/wallets/{wallet_id}/activity", { params }, PAGED));
  return (
    <section aria-label="Activity">
      <Title order={2} size="h4" mb="sm">
        Activity
      </Title>
      <ListTable
        label="Wallet activity"
        list={list}
        rowKey={({ activity_id, type }) => `${type} ${activity_id}`}
        columns={COLUMNS}
        empty={
          <Empty title="Nothing has happened yet">
            <Text size="sm">{mode === "test" ? "Add test tokens with “Fund”." : "Send USDC to the address above."}</Text>
          </Empty>
        }
      />
    </section>
  );
}

const COLUMNS: readonly Column<WalletActivity>[] = [
  { title: "What", csv: ({ type }) => type, show: (activity) => <What activity={activity} /> },
  {
    title: "Amount",
    align: "right",
    csv: ({ signed_amount }) => signed_amount,
    show: (activity) => <SignedAmount activity={activity} />,
  },
  { title: "Token", isHidden: true, csv: ({ token }) => token, show: () => null },
  {
    title: "Status",
    csv: ({ status }) => status,
    show: ({ status }) => (status === null ? "–" : <Status status={status} />),
  },
  {
    title: "Transaction",
    isMinor: true,
    csv: ({ tx_hash }) => tx_hash,
    show: ({ tx_hash }) =>
      tx_hash === null ? (
        "–"
      ) : (
        <Group gap={4} wrap="nowrap">
          <Short text={tx_hash} />
          <CopyIcon text={tx_hash} what="transaction" />
        </Group>
      ),
  },
  { title: "Payment", isHidden: true, csv: ({ payment_id }) => payment_id, show: () => null },
  { title: "Time", csv: ({ created_at }) => created_at, show: ({ created_at }) => <Time at={created_at} /> },
];

function What({ activity: { type, payment_id, freeze, direction } }: { readonly activity: WalletActivity }) {
  if (freeze !== null) {
    const { reason, source } = freeze;
    const why = reason === null ? "" : ` (${formatName(reason).toLowerCase()})`;
    return `${formatName(type)} by ${source === "admin" ? "an admin" : "you"}${why}`;
  }
  const label = type === "refund" ? `Refund ${direction === "in" ? "received" : "given"}` : formatName(type);
  if (payment_id === null) return label;
  return (
    <AppLink to={`/payments/${payment_id}`} size="sm">
      {label}
    </AppLink>
  );
}

/** What has moved. An amount that has not moved, such as one that is held, has no sign and is dimmed. */
function SignedAmount({ activity }: { readonly activity: WalletActivity }) {
  const { amount, signed_amount: moved, token } = activity;
  if (amount === null || moved === null || token === null) return "–";
  const hasMoved = /[1-9]/.test(moved);
  return (
    <Text span size="sm" className="amount" c={hasMoved ? undefined : "dimmed"}>
      {hasMoved && !moved.startsWith("-") && "+"}
      {formatAmount(hasMoved ? moved : amount, token)}
    </Text>
  );
}
