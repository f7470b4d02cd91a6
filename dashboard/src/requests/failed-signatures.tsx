import { Stack, Text } from "@mantine/core";
import type { AuthFailure } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyIcon } from "../ui/copy-text.tsx";
import { type Column, MINOR, textColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Empty } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { diagnose, STEPS } from "./fixes.ts";
import { KeyName } from "./key-name.tsx";

/** Requests that were rejected with 401, with what to do about each. The 401 itself never says why. */
export function FailedSignatures() {
  const params = { query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/developers/me/auth-failures", { params }, PAGED));
  return (
    <ListTable
      label="Failed signatures"
      list={list}
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
  {
    title: "Last seen",
    isMinor: true,
    csv: ({ occurred_at }) => occurred_at,
    show: ({ occurred_at, count }) => (
      <Stack gap={0}>
        <Text size="sm" component="div">
          <Time at={occurred_at} />
        </Text>
        <Dimmed>{count === 1 ? "once" : `${count} times`}</Dimmed>
      </Stack>
    ),
  },
  {
    title: "What failed, and how to fix it",
    csv: ({ reason }) => reason,
    show: (failure) => {
      const { problem, fix } = diagnose(failure);
      return (
        <Stack gap={2} maw={640}>
          <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
            <Time at={failure.occurred_at} />
          </Text>
          <Text size="sm" fw={600}>
            {problem}
          </Text>
          <Text size="sm">{fix}</Text>
          <Dimmed>
            Step {failure.step} of 5: {STEPS[failure.step]}
          </Dimmed>
        </Stack>
      );
    },
  },
  textColumn("Clock (s)", ({ skew_seconds }) => skew_seconds, { align: "right", isMinor: true }),
  {
    title: "Key",
    isMinor: true,
    csv: ({ key_id }) => key_id,
    show: ({ key_id, mode }) => (
      <Stack gap={2} align="start">
        {key_id === null ? <Text size="sm">Dashboard session</Text> : <KeyName keyId={key_id} />}
        <Status status={mode} />
      </Stack>
    ),
  },
  textColumn("Network", ({ network }) => network, MINOR),
  {
    title: "Id",
    isMinor: true,
    csv: ({ request_id }) => request_id,
    show: ({ request_id }) => <CopyIcon text={request_id} what="id of the last request" />,
  },
];
