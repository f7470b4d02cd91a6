import { Anchor, Badge, Stack, Text } from "@mantine/core";
import type { LoggedRequest } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { type Column, idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, KeyName, useKeys } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { ScreenTabs } from "../ui/screen-tabs.tsx";
import { FailedSignatures } from "./failed-signatures.tsx";

/** The requests with the developer's keys, and those that were rejected because of their signature. */
export function Requests() {
  return (
    <Page
      title="Request log"
      intro="What your code has called, and why calls were rejected. Bodies and query strings are never stored."
    >
      <ScreenTabs
        tabs={{
          all: ["Requests", <RequestTable key="all" />],
          failed: ["Failed signatures", <FailedSignatures key="failed" />],
        }}
      />
    </Page>
  );
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const STATUSES = [
  { value: "2xx", label: "Succeeded (2xx)" },
  { value: "4xx", label: "Refused (4xx)" },
  { value: "5xx", label: "Server errors (5xx)" },
  ...["401", "403", "404", "409", "422", "429"],
];

function RequestTable() {
  const keys = useKeys().map(({ key_id, name, mode }) => ({ value: key_id, label: `${name} (${mode})` }));
  const filters = useListFilters({
    key_id: ["Key", keys],
    method: ["Method", METHODS],
    status: ["Status", STATUSES],
    path: ["Path", "text", "/api/v1/svc/payments/send"],
  });
  return (
    <ListTable
      label="Requests"
      list={pagedRows(
        hooks.useInfiniteQuery("get", "/developers/me/requests", { params: { query: filters.query } }, PAGED),
      )}
      rowKey={({ request_id }) => request_id}
      columns={COLUMNS}
      filters={filters}
      empty={<NoRequests />}
    />
  );
}

function NoRequests() {
  return (
    <Empty title="No requests yet">
      <Text size="sm">Each call that your code signs with a key appears here about a second later:</Text>
      <Snippet code={FIRST_CALL} />
      <Text size="sm">Do you get 401? Then look at the failed signatures.</Text>
    </Empty>
  );
}

const FIRST_CALL = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
console.log(await purser.developers.me());`;

function StatusCode({ status }: { status: number }) {
  const color = ["gray", "gray", "teal", "gray", "orange"][Math.floor(status / 100)] ?? "red";
  return (
    <Badge variant="light" color={color}>
      {status}
    </Badge>
  );
}

const COLUMNS: readonly Column<LoggedRequest>[] = [
  textColumn("Status", ({ status, error_code }) => `${status} ${error_code ?? ""}`, {
    show: ({ status, error_code }) => (
      <Stack gap={2} align="start">
        <StatusCode status={status} />
        {error_code && (
          <Anchor href={`/errors/${error_code}`} size="xs" target="_blank">
            {error_code}
          </Anchor>
        )}
      </Stack>
    ),
  }),
  textColumn("Call", ({ method, path }) => `${method} ${path}`, {
    show: ({ method, path }) => (
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        <strong>{method}</strong>{" "}
        <AppLink to={`/requests?${new URLSearchParams({ path })}`}>{path.replace("/api/v1/svc", "")}</AppLink>
      </Text>
    ),
  }),
  textColumn("Duration (ms)", ({ duration_ms }) => duration_ms, { align: "right", isMinor: true }),
  textColumn("Key", ({ key_id }) => key_id, { ...MINOR, show: ({ key_id }) => <KeyName id={key_id} /> }),
  statusColumn("Mode", ({ mode }) => mode, MINOR),
  textColumn("Agent", ({ agent_id: id }) => id, {
    ...MINOR,
    show: ({ agent_id: id }) => (id === null ? "–" : <AgentLink id={id} />),
  }),
  idColumn("Request", ({ request_id }) => request_id),
  timeColumn("When", ({ created_at }) => created_at, {}),
];
