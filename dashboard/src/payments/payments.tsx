import { Stack, Text } from "@mantine/core";
import type { Payment } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { AgentLink, Short, WalletLink } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { PAGED, pagedRows } from "../ui/use-list.ts";
import { Amount, Dimmed, Status, Time } from "../ui/values.tsx";
import { dayStart, PaymentFilters, usePaymentFilters } from "./payment-filters.tsx";
import type { ShownPayment } from "./shown-payment.ts";

export function Payments() {
  const { values } = usePaymentFilters();
  const { status, created_after, created_before, ...rest } = values;
  const query = {
    ...rest,
    limit: 50,
    status: status as Payment["status"] | undefined,
    created_after: dayStart(created_after),
    created_before: dayStart(created_before, 1),
  };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/payments", { params: { query } }, PAGED));
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Page title="Payments" intro="What your agents have paid, asked to pay, or hold for a later capture.">
      <PaymentFilters />
      <ListTable
        label="Payments"
        list={list}
        rowKey={({ payment_id }) => payment_id}
        columns={COLUMNS}
        empty={isFiltered ? <NoMatch /> : <NoPayments />}
      />
    </Page>
  );
}

function NoMatch() {
  return (
    <Empty title="No payment matches these filters">
      <AppLink to="/payments" size="sm">
        Show all payments
      </AppLink>
    </Empty>
  );
}

function NoPayments() {
  return (
    <Empty title="No payments yet">
      <Text size="sm">An agent pays from its wallet. Its policies decide what it may pay.</Text>
      <Snippet code={FIRST_PAYMENT} />
    </Empty>
  );
}

const FIRST_PAYMENT = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
await purser.payments.send({ agent_id: "AGENT_ID", amount: "5.00", to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" });`;

const COLUMNS: readonly Column<ShownPayment>[] = [
  {
    title: "Amount",
    csv: ({ amount }) => amount,
    show: ({ payment_id, amount, token }) => (
      <AppLink to={`/payments/${payment_id}`} size="sm" fw={600}>
        <Amount amount={amount} currency={token} />
      </AppLink>
    ),
  },
  hidden("Token", ({ token }) => token),
  hidden("Paid", ({ paid_amount }) => paid_amount),
  hidden("Refunded", ({ refunded_amount }) => refunded_amount),
  { title: "Payee", csv: ({ to }) => to.address, show: ({ to }) => <Payee to={to} /> },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> },
  {
    title: "Agent",
    isMinor: true,
    csv: ({ agent_id }) => agent_id,
    show: ({ agent_id }) => <AgentLink id={agent_id} />,
  },
  {
    title: "Purpose",
    isMinor: true,
    csv: ({ purpose }) => purpose,
    show: ({ purpose, reference }) => (
      <Stack gap={0}>
        <Text size="sm" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
          {purpose ?? "–"}
        </Text>
        {reference !== null && <Dimmed>{reference}</Dimmed>}
      </Stack>
    ),
  },
  hidden("Reference", ({ reference }) => reference),
  {
    title: "Time",
    isMinor: true,
    csv: ({ created_at }) => created_at,
    show: ({ created_at }) => <Time at={created_at} />,
  },
  hidden("Network", ({ network }) => network),
  hidden("Project", ({ project_id }) => project_id),
  hidden("Payment", ({ payment_id }) => payment_id),
  hidden("Transaction", ({ onchain }) => onchain?.tx_hash),
];

function hidden(title: string, csv: (payment: ShownPayment) => string | null | undefined): Column<ShownPayment> {
  return { title, csv, show: () => null, isHidden: true };
}

/** Whom a payment pays: one of the account's wallets or agents by its name, others by their address. */
export function Payee({ to }: { readonly to: Payment["to"] }) {
  if (to.type === "agent") return <AgentLink id={to.value} />;
  return to.wallet_id === null ? <Short text={to.address} /> : <WalletLink id={to.wallet_id} />;
}
