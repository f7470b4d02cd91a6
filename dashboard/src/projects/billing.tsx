import { Alert, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { Charge, Invoice, ProjectOverview } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CapBar } from "../ui/charts/cap-bar.tsx";
import { formatName } from "../ui/format.ts";
import {
  amountColumn,
  type Column,
  idColumn,
  linesColumn,
  MINOR,
  statusColumn,
  textColumn,
  timeColumn,
} from "../ui/lists/columns.tsx";
import { ListTable, type RowList } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Facts, Loaded } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Amount, Time } from "../ui/values.tsx";
import type { TabProps } from "./parts.tsx";
import { AT_CAP, EditCaps } from "./parts.tsx";
import { Card } from "./payment-card.tsx";

export function Billing({ project }: TabProps) {
  const { project_id } = project;
  const overview = hooks.useQuery("get", "/projects/{project_id}/status", { params: { path: { project_id } } });
  const intro = "What the project can cost in a calendar month.";
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: "start" }}>
        <Section title="Monthly cap" intro={intro} actions={<EditCaps project={project} />}>
          <Loaded query={overview}>{(data) => <Cap overview={data} />}</Loaded>
        </Section>
        <Card project={project} />
      </SimpleGrid>
      <Charges projectId={project_id} />
      <Invoices projectId={project_id} />
    </Stack>
  );
}

const WARNINGS: Readonly<Record<ProjectOverview["warnings"][number], string>> = {
  cap_reached: "The cap is reached. Raise it to add more.",
  cap_nearly_reached: "The cap is nearly reached.",
  forecast_over_cap: "At this rate, the month will cost more than the cap.",
};

function Cap({ overview: { cap, by_provider, warnings } }: { readonly overview: ProjectOverview }) {
  return (
    <>
      {warnings.map((warning) => (
        <Alert key={warning} color="orange" py="xs">
          {WARNINGS[warning]}
        </Alert>
      ))}
      <CapBar {...cap} cap={cap.monthly_cap} label="Spent of the monthly cap" />
      <Facts
        facts={[
          ["Left", <Amount key="left" amount={cap.remaining} currency="USD" />],
          ["Expected by the end of the month", <Amount key="forecast" amount={cap.forecast} currency="USD" />],
          ["At the cap", AT_CAP[cap.behavior]],
          ["Starts again", <Time key="end" at={cap.period_end} />],
          ...by_provider.map(({ provider, ...used }) => {
            return [provider, <CapBar key={provider} {...used} label={`Spent at ${provider}`} />] as const;
          }),
        ]}
      />
    </>
  );
}

/** What the project costs, month by month. The month is in the URL. */
function Charges({ projectId }: { readonly projectId: string }) {
  const { values, set } = useFilters("tab", "month");
  const params = { path: { project_id: projectId }, query: { limit: 50, period: values.month } };
  const month = (
    <TextInput
      {...{ label: "Month", type: "month", size: "xs", value: values.month ?? "" }}
      onChange={({ currentTarget }) => set("month", currentTarget.value)}
    />
  );
  const intro = "What services and payments cost, also what the providers bill themselves.";
  return (
    <Section title="Charges" intro={intro} actions={month}>
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
  linesColumn("Description", ({ description }) => description, {
    below: ({ type, estimated }) => `${formatName(type)}${estimated ? ", estimated" : ""}`,
  }),
  statusColumn(),
  textColumn("Billed by", ({ billed_by, provider }) => (billed_by === "purser" ? "Purser" : (provider ?? "–")), MINOR),
  timeColumn("When", ({ occurred_at }) => occurred_at),
  idColumn("Charge", ({ charge_id }) => charge_id),
  amountColumn(),
];

/** What Purser has billed for the project: one invoice a month. */
function Invoices({ projectId }: { readonly projectId: string }) {
  const params = { path: { project_id: projectId }, query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/invoices", { params }, PAGED));
  return <InvoiceTable list={list} columns={INVOICES} />;
}

/** The invoices of all projects, also of those that are deleted. Nothing before the first. */
export function AllInvoices() {
  const params = { query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/invoices", { params }, PAGED));
  const columns = [textColumn("Project", ({ project_name }: Invoice) => project_name), ...INVOICES];
  return list.rows?.length === 0 ? null : <InvoiceTable list={list} columns={columns} />;
}

function InvoiceTable({
  list,
  columns,
}: {
  readonly list: RowList<Invoice>;
  readonly columns: readonly Column<Invoice>[];
}) {
  return (
    <Section title="Invoices" intro="What Purser bills is paid from the card once a month.">
      <ListTable
        label="Invoices"
        list={list}
        rowKey={({ invoice_id }) => invoice_id}
        columns={columns}
        empty={<Text size="sm">No invoices. The first comes after a month with a plan that Purser bills.</Text>}
      />
    </Section>
  );
}

const INVOICES: readonly Column<Invoice>[] = [
  textColumn("Month", ({ period }) => period),
  statusColumn("Status", ({ status, past_due }) => (past_due ? "past_due" : status)),
  textColumn(
    "For",
    ({ charges, has_more_charges }) => {
      const parts = charges.map(({ description, amount }) => `${description} ${amount} USD`);
      return [...parts, ...(has_more_charges ? ["and more"] : [])].join("; ");
    },
    MINOR,
  ),
  idColumn("Invoice", ({ invoice_id }) => invoice_id),
  timeColumn("Paid", ({ paid_at }) => paid_at),
  amountColumn(),
];
