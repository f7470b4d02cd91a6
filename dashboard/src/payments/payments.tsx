import { Stack, Text } from "@mantine/core";
import type { Payment, PolicyVerdict } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatAmount, formatName, shorten } from "../ui/format.ts";
import { type Column, linkColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { FilterBar } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, useAgents, useProjects, useWallets, WalletLink } from "../ui/names.tsx";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed } from "../ui/values.tsx";
import { NoPayments } from "./first-payment.tsx";

/** A payment as the client returns it, which leaves out fields that are always null. */
export type ShownPayment = Omit<Payment, "decision"> & { readonly decision: Omit<PolicyVerdict, "screening"> };

export function Payments() {
  const filters = useFilters(
    ...(["status", "agent_id", "wallet_id", "project_id", "reference", "created_after", "created_before"] as const),
  );
  const { created_after, created_before } = filters.values;
  const days = { created_after: dayStart(created_after), created_before: dayStart(created_before, 1) };
  const query = { ...filters.query, limit: 50, ...days };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/payments", { params: { query } }, PAGED));
  return (
    <Page title="Payments" intro="What your agents have paid, asked to pay, or hold for a later capture.">
      <FilterBar
        filters={filters}
        path="/payments"
        fields={{
          status: ["Status", STATUSES],
          agent_id: ["Agent", useAgents()],
          wallet_id: ["Wallet", useWallets()],
          project_id: ["Project", useProjects()],
          reference: ["Reference", "text"],
          created_after: ["Created from", "date"],
          created_before: ["Created to", "date"],
        }}
      />
      <ListTable
        label="Payments"
        list={list}
        rowKey={({ payment_id }) => payment_id}
        columns={COLUMNS}
        empty={filters.isFiltered ? <Empty title="No payment matches these filters" /> : <NoPayments />}
      />
    </Page>
  );
}

const STATUSES =
  "requires_approval authorized queued signing submitted confirmed captured partially_refunded refunded voided canceled expired denied failed dropped"
    .split(" ")
    .map((value) => ({ value, label: formatName(value) }));

/** Returns when a day begins in the browser's time zone, or a later day. Undefined if the text is no date. */
function dayStart(day = "", laterDays = 0): string | undefined {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + laterDays);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const COLUMNS: readonly Column<ShownPayment>[] = [
  {
    ...linkColumn(
      "Amount",
      ({ payment_id }) => `/payments/${payment_id}`,
      ({ amount, token }) => formatAmount(amount, token),
    ),
    csv: ({ amount }) => amount,
  },
  { title: "Token", csv: ({ token }) => token },
  { title: "Paid", csv: ({ paid_amount }) => paid_amount },
  { title: "Refunded", csv: ({ refunded_amount }) => refunded_amount },
  { title: "Payee", csv: ({ to }) => to.address, show: ({ to }) => <Payee to={to} /> },
  statusColumn(),
  { title: "Agent", ...MINOR, csv: ({ agent_id }) => agent_id, show: ({ agent_id }) => <AgentLink id={agent_id} /> },
  textColumn("Purpose", ({ purpose }) => purpose, { ...MINOR, show: (payment) => <Purpose payment={payment} /> }),
  { title: "Reference", csv: ({ reference }) => reference },
  timeColumn("Time", ({ created_at }) => created_at),
  { title: "Network", csv: ({ network }) => network },
  { title: "Project", csv: ({ project_id }) => project_id },
  { title: "Payment", csv: ({ payment_id }) => payment_id },
  { title: "Transaction", csv: ({ onchain }) => onchain?.tx_hash },
];

/** Whom a payment pays: one of the account's wallets or agents by its name, others by their address. */
export function Payee({ to }: { readonly to: Payment["to"] }) {
  if (to.type === "agent") return <AgentLink id={to.value} />;
  return to.wallet_id === null ? (
    <span title={to.address}>{shorten(to.address)}</span>
  ) : (
    <WalletLink id={to.wallet_id} />
  );
}

function Purpose({ payment: { purpose, reference } }: { readonly payment: ShownPayment }) {
  return (
    <Stack gap={0} style={{ overflowWrap: "anywhere" }}>
      <Text size="sm" lineClamp={2}>
        {purpose ?? "–"}
      </Text>
      {reference !== null && <Dimmed>{reference}</Dimmed>}
    </Stack>
  );
}
