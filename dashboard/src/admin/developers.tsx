import { Group, Stack } from "@mantine/core";
import type { ListedDeveloper } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatDuration, formatName } from "../ui/format.ts";
import { idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed } from "../ui/values.tsx";
import { ChoiceFilter, SearchBox } from "./filters.tsx";

const KYB_STATUSES = ["unverified", "pending", "verified", "rejected", "revoked", "expired"] as const;

export function Developers() {
  const { values, set } = useFilters("q", "kyb_status");
  const kyb_status = KYB_STATUSES.find((status) => status === values.kyb_status);
  const query = { limit: 50, ...(values.q !== undefined && { q: values.q }), ...(kyb_status && { kyb_status }) };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/admin/developers", { params: { query } }, PAGED));
  return (
    <Page
      title="Developers"
      intro="The accounts of this server, newest first. Each search is recorded, without its text."
    >
      <Group align="end">
        <SearchBox
          label="Search by email or id"
          placeholder="The start of an address or id"
          value={values.q}
          search={(text) => set("q", text)}
        />
        <ChoiceFilter
          label="KYB status"
          value={kyb_status}
          choices={KYB_STATUSES.map((value) => ({ value, label: formatName(value) }))}
          choose={(status) => set("kyb_status", status)}
        />
      </Group>
      <ListTable
        label="Developers"
        list={list}
        rowKey={({ developer_id }) => developer_id}
        columns={COLUMNS}
        empty={<Empty title="No developer matches. Search for the start of an address, or change the filter." />}
      />
    </Page>
  );
}

const DEVELOPER_COLUMN: Column<ListedDeveloper> = {
  title: "Developer",
  csv: ({ email }) => email,
  show: ({ developer_id, email, name, company_name }) => (
    <Stack gap={0}>
      <AppLink to={`/developers/${developer_id}`} size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        {email}
      </AppLink>
      <Dimmed>{[name, company_name].filter((text) => text !== null).join(", ")}</Dimmed>
    </Stack>
  ),
};

const COLUMNS: readonly Column<ListedDeveloper>[] = [
  DEVELOPER_COLUMN,
  idColumn("Id", "developer id", ({ developer_id }) => developer_id),
  statusColumn("KYB", ({ kyb }) => kyb.status),
  statusColumn("Account", ({ status }) => status, { isMinor: true }),
  textColumn("Country", ({ country }) => country, MINOR),
  timeColumn("Created", ({ created_at }) => created_at, MINOR),
];

/** The developers whose business waits for a decision. */
export function KybQueue() {
  const query = { limit: 100, kyb_status: "pending" } as const;
  const list = pagedRows(hooks.useInfiniteQuery("get", "/admin/developers", { params: { query } }, PAGED));
  const sentAt = ({ kyb_submitted_at }: ListedDeveloper) => kyb_submitted_at ?? "";
  const rows = list.rows?.toSorted((one, other) => sentAt(one).localeCompare(sentAt(other)));
  return (
    <Page
      title="KYB queue"
      intro="Businesses that wait for a decision, the longest wait first. Open one to check its data and decide."
    >
      <ListTable
        label="KYB queue"
        list={{ ...list, rows }}
        rowKey={({ developer_id }) => developer_id}
        columns={QUEUE_COLUMNS}
        empty={<Empty title="No business waits. A developer who sends the data of a business appears here." />}
      />
    </Page>
  );
}

const QUEUE_COLUMNS: readonly Column<ListedDeveloper>[] = [
  DEVELOPER_COLUMN,
  {
    title: "Waits for",
    show: ({ kyb_submitted_at: at }) => (at === null ? "–" : formatDuration(Date.now() - Date.parse(at))),
  },
  timeColumn("Sent", ({ kyb_submitted_at }) => kyb_submitted_at, MINOR),
  textColumn("Country", ({ country }) => country, MINOR),
];
