import type { ListedDeveloper } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatDuration } from "../ui/format.ts";
import {
  type Column,
  idColumn,
  linkColumn,
  MINOR,
  statusColumn,
  textColumn,
  timeColumn,
} from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Empty, Page } from "../ui/page.tsx";

export function Developers() {
  const filters = useListFilters({
    q: ["Search by email or id", "text", "The start of an address or id"],
    kyb_status: ["KYB status", ["unverified", "pending", "verified", "rejected", "revoked", "expired"]],
  });
  return (
    <Page
      title="Developers"
      intro="The accounts of this server, newest first. Each search is recorded, without its text."
    >
      <ListTable
        label="Developers"
        list={pagedRows(
          hooks.useInfiniteQuery("get", "/admin/developers", { params: { query: filters.query } }, PAGED),
        )}
        rowKey={({ developer_id }) => developer_id}
        columns={COLUMNS}
        filters={filters}
        empty={<Empty title="No developer has signed up" />}
      />
    </Page>
  );
}

const DEVELOPER_COLUMN: Column<ListedDeveloper> = linkColumn("Developer", ({ email }) => email, {
  to: ({ developer_id }) => `/developers/${developer_id}`,
  below: ({ name, company_name }) => [name, company_name].filter((text) => text !== null).join(", "),
});

const COLUMNS: readonly Column<ListedDeveloper>[] = [
  DEVELOPER_COLUMN,
  idColumn("Id", ({ developer_id }) => developer_id),
  statusColumn("KYB", ({ kyb }) => kyb.status),
  statusColumn("Account", ({ status }) => status, MINOR),
  textColumn("Country", ({ country }) => country, MINOR),
  timeColumn("Created", ({ created_at }) => created_at),
];

/** The developers whose business waits for a decision. */
export function KybQueue() {
  const query = { limit: 100, kyb_status: "pending" } as const;
  const list = pagedRows(hooks.useInfiniteQuery("get", "/admin/developers", { params: { query } }, PAGED));
  const sentAt = ({ kyb_submitted_at }: ListedDeveloper) => kyb_submitted_at ?? "";
  const rows = list.rows?.toSorted((one, other) => sentAt(one).localeCompare(sentAt(other)));
  const order = list.hasMore ? "Of those that are loaded, the longest wait is first" : "The longest wait is first";
  return (
    <Page
      title="KYB queue"
      intro={`Businesses that wait for a decision. ${order}. Open one to check its data and decide.`}
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
  timeColumn("Sent", ({ kyb_submitted_at }) => kyb_submitted_at),
  textColumn("Country", ({ country }) => country, MINOR),
];
