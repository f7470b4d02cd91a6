import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { Payment, PolicyVerdict } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { FilterInput, FilterSelect } from "../ui/lists/filters.tsx";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, shorten, useAgents, useProjects, useWallets, WalletLink } from "../ui/names.tsx";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Amount, Dimmed, Status, Time } from "../ui/values.tsx";
import { NoPayments } from "./first-payment.tsx";

/** A payment as the client returns it, which leaves out fields that are always null. */
export type ShownPayment = Omit<Payment, "decision"> & { readonly decision: Omit<PolicyVerdict, "screening"> };

const REFERENCES = ["agent_id", "wallet_id", "project_id", "reference"] as const;

export function Payments() {
  const filters = useFilters("status", "created_after", "created_before", ...REFERENCES);
  const { status, created_after, created_before, ...rest } = filters.values;
  const query = {
    ...{ ...rest, limit: 50, status: status as Payment["status"] | undefined },
    ...{ created_after: dayStart(created_after), created_before: dayStart(created_before, 1) },
  };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/payments", { params: { query } }, PAGED));
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <Page title="Payments" intro="What your agents have paid, asked to pay, or hold for a later capture.">
      <SimpleGrid component="search" aria-label="Filters" cols={{ base: 2, md: 4 }} spacing="xs" verticalSpacing="xs">
        <FilterSelect label="Status" name="status" filters={filters} options={STATUSES} />
        <FilterSelect label="Agent" name="agent_id" filters={filters} options={useAgents()} />
        <FilterSelect label="Wallet" name="wallet_id" filters={filters} options={useWallets()} />
        <FilterSelect label="Project" name="project_id" filters={filters} options={useProjects()} />
        <FilterInput label="Reference" name="reference" filters={filters} type="search" />
        <FilterInput label="Created from" name="created_after" filters={filters} type="date" />
        <FilterInput label="Created to" name="created_before" filters={filters} type="date" />
        {isFiltered && (
          <AppLink to="/payments" size="sm" mt="auto" pb={6}>
            Clear filters
          </AppLink>
        )}
      </SimpleGrid>
      <ListTable
        label="Payments"
        list={list}
        rowKey={({ payment_id }) => payment_id}
        columns={COLUMNS}
        empty={isFiltered ? <Empty title="No payment matches these filters" /> : <NoPayments />}
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
  { title: "Amount", csv: ({ amount }) => amount, show: (payment) => <AmountLink payment={payment} /> },
  hidden("Token", ({ token }) => token),
  hidden("Paid", ({ paid_amount }) => paid_amount),
  hidden("Refunded", ({ refunded_amount }) => refunded_amount),
  { title: "Payee", csv: ({ to }) => to.address, show: ({ to }) => <Payee to={to} /> },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> },
  { title: "Agent", isMinor: true, csv: (row) => row.agent_id, show: (row) => <AgentLink id={row.agent_id} /> },
  { title: "Purpose", isMinor: true, csv: ({ purpose }) => purpose, show: (row) => <Purpose payment={row} /> },
  hidden("Reference", ({ reference }) => reference),
  { title: "Time", isMinor: true, csv: (row) => row.created_at, show: (row) => <Time at={row.created_at} /> },
  hidden("Network", ({ network }) => network),
  hidden("Project", ({ project_id }) => project_id),
  hidden("Payment", ({ payment_id }) => payment_id),
  hidden("Transaction", ({ onchain }) => onchain?.tx_hash),
];

function hidden(title: string, csv: (payment: ShownPayment) => string | null | undefined): Column<ShownPayment> {
  return { title, csv, show: () => null, isHidden: true };
}

function AmountLink({ payment: { payment_id, amount, token } }: { readonly payment: ShownPayment }) {
  return (
    <AppLink to={`/payments/${payment_id}`} size="sm" fw={600}>
      <Amount amount={amount} currency={token} />
    </AppLink>
  );
}

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
