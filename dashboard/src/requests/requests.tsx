import { Badge, Group, Tabs, Text } from "@mantine/core";
import type { LoggedRequest } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { FilterSelect } from "../ui/lists/filter-select.tsx";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
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
  const query = { limit: 50, ...filters.values } as { limit: number } & { method?: "GET" };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/developers/me/requests", { params: { query } }, PAGED));
  const keys = useKeys().map(({ key_id, name, mode }) => ({ value: key_id, label: `${name} (${mode})` }));
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <>
      <Group mb="md">
        <FilterSelect label="Key" name="key_id" any="Any key" data={keys} filters={filters} />
        <FilterSelect label="Method" name="method" any="Any method" data={METHODS} filters={filters} />
        <FilterSelect label="Status" name="status" any="Any status" data={STATUSES} filters={filters} />
        {filters.values.path !== undefined && (
          <AppLink to="/requests" size="sm" mt="lg">
            All endpoints
          </AppLink>
        )}
      </Group>
      <ListTable
        label="Requests"
        list={list}
        rowKey={({ request_id }) => request_id}
        columns={COLUMNS}
        empty={isFiltered ? <Empty title="No request matches the filters" /> : <NoRequests />}
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
  idColumn(
    "Request",
    "request id",
    ({ request_id }) => request_id,
    (id) => `…${id.slice(-6)}`,
  ),
  timeColumn("When", ({ created_at }) => created_at),
];
