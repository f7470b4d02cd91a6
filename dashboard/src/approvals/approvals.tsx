import { Select, Text } from "@mantine/core";
import { statusColumn, textColumn } from "../agents/columns.tsx";
import { shortenAddresses, useAgentName } from "../agents/use-names.ts";
import type { Approval } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatDuration, formatName } from "../ui/format.ts";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Amount } from "../ui/values.tsx";

const STATUSES = ["pending", "approved", "denied", "expired", "canceled"] as const;

/** What waits for a person, and what people have decided. */
export function Approvals() {
  const { values, set } = useFilters("status", "agent_id");
  const nameOf = useAgentName();
  const status = STATUSES.find((each) => each === values.status);
  const query = { limit: 50, status, agent_id: values.agent_id };
  const list = pagedRows(
    hooks.useInfiniteQuery("get", "/approvals", { params: { query } }, { ...PAGED, refetchInterval: 10_000 }),
  );
  const isPending = (approval: Approval) => approval.status === "pending";
  const rows = list.rows?.toSorted((left, right) => Number(isPending(right)) - Number(isPending(left)));
  return (
    <Page title="Approvals" intro="What your agents may do only if a person agrees. Nothing is reserved before you do.">
      <Select
        label="Status"
        placeholder="Any status, pending first"
        clearable
        maw={260}
        data={STATUSES.map((value) => ({ value, label: formatName(value) }))}
        value={status ?? null}
        onChange={(next) => set("status", next)}
      />
      <ListTable
        label="Approvals"
        list={{ ...list, rows }}
        rowKey={({ approval_id }) => approval_id}
        columns={columns(nameOf)}
        empty={
          <Empty title={status === undefined ? "Nothing has needed an approval" : "No approval has this status"}>
            <Text size="sm">
              Add a rule that asks a person to one of your{" "}
              <AppLink to="/policies" inherit underline="always">
                policies
              </AppLink>
              . Requests then wait here, and you get an email.
            </Text>
          </Empty>
        }
      />
    </Page>
  );
}

function columns(nameOf: (agentId: string) => string): readonly Column<Approval>[] {
  const agentOf = ({ agent_id }: Approval) => (agent_id === null ? "You" : nameOf(agent_id));
  return [
    {
      title: "Request",
      csv: ({ summary }) => summary.title,
      show: ({ approval_id, summary }) => (
        <AppLink to={`/approvals/${approval_id}`} size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {shortenAddresses(summary.title)}
        </AppLink>
      ),
    },
    {
      title: "Amount",
      align: "right",
      csv: ({ summary }) => summary.amount,
      show: ({ summary }) => <Amount amount={summary.amount} currency={summary.currency?.toUpperCase()} />,
    },
    textColumn("Payee", ({ summary }) => shortenAddresses(summary.payee ?? "–")),
    textColumn("Agent", agentOf),
    textColumn("Why", ({ rules, summary }) => {
      const names = [...rules.map(({ rule_id }) => rule_id), ...summary.risk_flags];
      return [...new Set(names)].map(formatName).join(", ");
    }),
    statusColumn(),
    textColumn("Expires in", ({ status, expires_at }) =>
      status === "pending" ? formatDuration(Date.parse(expires_at) - Date.now()) : "–",
    ),
  ];
}
