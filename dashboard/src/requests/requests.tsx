import { Badge, Tabs, Text } from "@mantine/core";
import type { LoggedRequest } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { type Column, idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { FilterBar } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink, useFilters, useGo } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { FailedSignatures } from "./failed-signatures.tsx";
import { KeyName, useKeys } from "./key-name.tsx";

/** The requests with the developer's keys, and those that were rejected because of their signature. */
export function Requests() {
  const go = useGo();
  const { values } = useFilters("tab");
  return (
    <Page
      title="Request log"
      intro="What your code has called, and why calls were rejected. Bodies and query strings are never stored."
    >
      <Tabs
        value={values.tab ?? "all"}
        onChange={(tab) => go(tab === "failed" ? "/requests?tab=failed" : "/requests")}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="all">Requests</Tabs.Tab>
          <Tabs.Tab value="failed">Failed signatures</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="all">
          <RequestTable />
        </Tabs.Panel>
        <Tabs.Panel value="failed">
          <FailedSignatures />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const STATUSES = [
  { value: "2xx", label: "Succeeded (2xx)" },
  { value: "4xx", label: "Refused (4xx)" },
  { value: "5xx", label: "Server errors (5xx)" },
  ...["401", "403", "404", "409", "422", "429"].map((status) => ({ value: status, label: status })),
];

function RequestTable() {
  const filters = useFilters("key_id", "method", "status", "path");
  const query = { limit: 50, ...filters.query };
  const keys = useKeys().map(({ key_id, name, mode }) => ({ value: key_id, label: `${name} (${mode})` }));
  return (
    <>
      <FilterBar
        filters={filters}
        path="/requests"
        fields={{
          key_id: ["Key", keys],
          method: ["Method", METHODS],
          status: ["Status", STATUSES],
          path: ["Path", "text", "/api/v1/svc/payments/send"],
        }}
      />
      <ListTable
        label="Requests"
        list={pagedRows(hooks.useInfiniteQuery("get", "/developers/me/requests", { params: { query } }, PAGED))}
        rowKey={({ request_id }) => request_id}
        columns={COLUMNS}
        empty={filters.isFiltered ? <Empty title="No request matches these filters" /> : <NoRequests />}
      />
    </>
  );
}

function NoRequests() {
  return (
    <Empty title="No requests yet">
      <Text size="sm">Each call that your code signs with a key appears here about a second later:</Text>
      <Snippet code={FIRST_CALL} />
      <Text size="sm">
        Do you get 401? Then look at the <AppLink to="/requests?tab=failed">failed signatures</AppLink>.
      </Text>
    </Empty>
  );
}

const FIRST_CALL = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
console.log(await purser.developers.me());`;

function colorOf(status: number): string {
  if (status < 300) return "teal";
  if (status < 500) return status < 400 ? "gray" : "orange";
  return "red";
}

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    title: "Status",
    csv: ({ status }) => status,
    show: ({ status }) => (
      <Badge variant="light" color={colorOf(status)}>
        {status}
      </Badge>
    ),
  },
  {
    title: "Call",
    csv: ({ method, path }) => `${method} ${path}`,
    show: ({ method, path }) => (
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        <strong>{method}</strong>{" "}
        <AppLink to={`/requests?${new URLSearchParams({ path })}`} size="sm">
          {path.replace("/api/v1/svc", "")}
        </AppLink>
      </Text>
    ),
  },
  textColumn("Duration (ms)", ({ duration_ms }) => duration_ms, { align: "right", isMinor: true }),
  { title: "Key", isMinor: true, csv: ({ key_id }) => key_id, show: ({ key_id }) => <KeyName keyId={key_id} /> },
  statusColumn("Mode", ({ mode }) => mode, MINOR),
  {
    title: "Agent",
    isMinor: true,
    csv: ({ agent_id }) => agent_id,
    show: ({ agent_id }) =>
      agent_id === null ? "–" : <AppLink to={`/agents/${agent_id}`}>{agent_id.slice(0, 8)}</AppLink>,
  },
  idColumn("Request", ({ request_id }) => request_id),
  timeColumn("When", ({ created_at }) => created_at, {}),
];
