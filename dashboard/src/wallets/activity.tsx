import { Stack, Text, Title } from "@mantine/core";
import type { Wallet, WalletActivity } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatAmount, formatName } from "../ui/format.ts";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Id } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty } from "../ui/page.tsx";
import { Status, Time } from "../ui/values.tsx";

export function WalletActivityList({ wallet: { wallet_id, mode } }: { readonly wallet: Wallet }) {
  const params = { path: { wallet_id }, query: { limit: 20 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/wallets/{wallet_id}/activity", { params }, PAGED));
  const first = mode === "test" ? "Add test tokens with “Fund wallet”." : "Send USDC to the address above.";
  return (
    <Stack component="section" gap="sm" aria-label="Activity">
      <Title order={2} size="h4">
        Activity
      </Title>
      <ListTable
        label="Wallet activity"
        list={list}
        rowKey={({ activity_id, type }) => `${type} ${activity_id}`}
        columns={mode === "live" ? COLUMNS : COLUMNS.filter(({ title }) => title !== "Transaction")}
        empty={<Empty title="Nothing has happened yet">{first}</Empty>}
      />
    </Stack>
  );
}

const COLUMNS: readonly Column<WalletActivity>[] = [
  { title: "What", csv: ({ type }) => type, show: (activity) => <What activity={activity} /> },
  { title: "Amount", align: "right", csv: (row) => row.signed_amount, show: (row) => <SignedAmount activity={row} /> },
  { title: "Token", csv: ({ token }) => token },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => status && <Status status={status} /> },
  {
    ...{ title: "Transaction", isMinor: true, csv: ({ tx_hash }) => tx_hash },
    show: ({ tx_hash }) => tx_hash && <Id text={tx_hash} what="transaction" />,
  },
  { title: "Payment", csv: ({ payment_id }) => payment_id },
  { title: "Time", isMinor: true, csv: (row) => row.created_at, show: (row) => <Time at={row.created_at} /> },
];

function What({ activity: { type, payment_id, freeze, direction } }: { readonly activity: WalletActivity }) {
  if (freeze !== null) {
    const why = freeze.reason === null ? "" : ` (${formatName(freeze.reason).toLowerCase()})`;
    return `${formatName(type)} by ${freeze.source === "admin" ? "an admin" : "you"}${why}`;
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
    <Text span size="sm" className="amount" {...(!hasMoved && { c: "dimmed" })}>
      {hasMoved && !moved.startsWith("-") && "+"}
      {formatAmount(hasMoved ? moved : amount, token)}
    </Text>
  );
}
