import { Stack, Text, TextInput } from "@mantine/core";
import type { Charge, Invoice } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import {
  amountColumn,
  type Column,
  idColumn,
  MINOR,
  statusColumn,
  textColumn,
  timeColumn,
} from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Dimmed, Status } from "../ui/values.tsx";
import { Section } from "./parts.tsx";

/** What the project costs, month by month. The month is in the URL. */
export function Charges({ projectId }: { readonly projectId: string }) {
  const { values, set } = useFilters("tab", "month");
  const query = { limit: 50, ...(values.month !== undefined && { period: values.month }) };
  const params = { path: { project_id: projectId }, query };
  return (
    <Section
      title="Charges"
      intro="What services and payments cost, also what the providers bill themselves."
      actions={
        <TextInput
          label="Month"
          type="month"
          size="xs"
          value={values.month ?? ""}
          onChange={({ currentTarget }) => set("month", currentTarget.value)}
        />
      }
    >
      <ListTable
        label="Charges"
        list={pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/charges", { params }, PAGED))}
        rowKey={({ charge_id, type }) => `${charge_id}/${type}`}
        columns={CHARGES}
        empty={<Text size="sm">No charges{values.month !== undefined && " in this month"}.</Text>}
      />
    </Section>
  );
}

const CHARGES: readonly Column<Charge>[] = [
  {
    title: "Description",
    csv: ({ description }) => description,
    show: ({ description, type, estimated }) => (
      <Stack gap={0} maw={320}>
        <Text size="sm">{description}</Text>
        <Dimmed>{`${formatName(type)}${estimated ? ", estimated" : ""}`}</Dimmed>
      </Stack>
    ),
  },
  statusColumn(),
  textColumn("Billed by", ({ billed_by, provider }) => (billed_by === "purser" ? "Purser" : (provider ?? "–")), MINOR),
  timeColumn("When", ({ occurred_at }) => occurred_at),
  idColumn("Charge", ({ charge_id }) => charge_id),
  amountColumn(),
];

/** What Purser has billed for the project: one invoice a month. */
export function Invoices({ projectId }: { readonly projectId: string }) {
  const params = { path: { project_id: projectId }, query: { limit: 50 } };
  return (
    <Section title="Invoices" intro="What Purser bills is paid from the card once a month.">
      <ListTable
        label="Invoices"
        list={pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/invoices", { params }, PAGED))}
        rowKey={({ invoice_id }) => invoice_id}
        columns={INVOICES}
        empty={
          <Text size="sm">No invoices. The first comes when a month with a plan that Purser bills has ended.</Text>
        }
      />
    </Section>
  );
}

const INVOICES: readonly Column<Invoice>[] = [
  textColumn("Month", ({ period }) => period),
  {
    title: "Status",
    csv: ({ status, past_due }) => (past_due ? "past_due" : status),
    show: ({ status, past_due }) => <Status status={past_due ? "past_due" : status} />,
  },
  {
    title: "For",
    isMinor: true,
    csv: ({ charges }) => charges.map(({ description, amount }) => `${description} ${amount}`).join("; "),
    show: ({ charges, has_more_charges }) => (
      <Stack gap={0}>
        {charges.map(({ charge_id, description, amount }) => (
          <Text size="sm" key={charge_id}>{`${description}: ${amount} USD`}</Text>
        ))}
        {has_more_charges && <Dimmed>and more</Dimmed>}
      </Stack>
    ),
  },
  idColumn("Invoice", ({ invoice_id }) => invoice_id),
  timeColumn("Paid", ({ paid_at }) => paid_at),
  amountColumn(),
];
