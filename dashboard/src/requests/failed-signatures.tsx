import { Stack, Text } from "@mantine/core";
import type { AuthFailure } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyIcon } from "../ui/copy-text.tsx";
import { formatCount } from "../ui/format.ts";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { KeyName } from "../ui/names.tsx";
import { Empty } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { diagnose, STEPS } from "./fixes.ts";

/** Requests that were rejected with 401, with what to do about each. The 401 itself never says why. */
export function FailedSignatures() {
  const params = { query: { limit: 50 } };
  return (
    <ListTable
      label="Failed signatures"
      list={pagedRows(hooks.useInfiniteQuery("get", "/developers/me/auth-failures", { params }, PAGED))}
      rowKey={({ key_id, reason, network, first_at }) => [key_id, reason, network, first_at].join()}
      columns={COLUMNS}
      empty={
        <Empty title="No rejected request in the last 30 days">
          <Text size="sm">
            When a request with one of your keys gets a 401, this page says which check failed and how to fix it.
          </Text>
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<AuthFailure>[] = [
  timeColumn("Last seen", ({ occurred_at }) => occurred_at),
  textColumn("Times", ({ count }) => count, { align: "right", isMinor: true }),
  textColumn("What failed, and how to fix it", ({ reason }) => reason, { show: (one) => <Fix failure={one} /> }),
  textColumn("Clock (s)", ({ skew_seconds }) => skew_seconds, { align: "right", isMinor: true }),
  textColumn("Key", ({ key_id }) => key_id, {
    ...MINOR,
    show: ({ key_id, mode }) => (
      <Stack gap={2} align="start">
        {key_id === null ? <Text size="sm">Dashboard session</Text> : <KeyName id={key_id} />}
        <Status status={mode} />
      </Stack>
    ),
  }),
  textColumn("Network", ({ network }) => network, MINOR),
  textColumn("Id", ({ request_id }) => request_id, {
    ...MINOR,
    show: ({ request_id }) => <CopyIcon text={request_id} what="id of the last request" />,
  }),
];

function Fix({ failure }: { failure: AuthFailure }) {
  const [problem, fix] = diagnose(failure);
  return (
    <Stack gap={2} maw={640}>
      <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
        <Time at={failure.occurred_at} />, {formatCount(failure.count, "time")}
      </Text>
      <Text size="sm" fw={600}>
        {problem}
      </Text>
      <Text size="sm">{fix}</Text>
      <Dimmed>{`Step ${failure.step} of 5: ${STEPS[failure.step]}`}</Dimmed>
    </Stack>
  );
}
