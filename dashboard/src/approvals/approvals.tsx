import { Text } from "@mantine/core";
import type { Approval } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatDuration, formatName, shortenAddresses } from "../ui/format.ts";
import { type Column, linkColumn, MINOR, statusColumn, textColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useAgentName, useAgents } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Amount } from "../ui/values.tsx";

const STATUSES = ["pending", "approved", "denied", "expired", "canceled"];

/** What waits for a person, and what people have decided. */
export function Approvals() {
  const filters = useListFilters({ status: ["Status", STATUSES], agent_id: ["Agent", useAgents()] });
  const list = pagedRows(
    hooks.useInfiniteQuery(
      "get",
      "/approvals",
      { params: { query: filters.query } },
      { ...PAGED, refetchInterval: 10_000 },
    ),
  );
  const isPending = (approval: Approval) => approval.status === "pending";
  const rows = list.rows?.toSorted((left, right) => Number(isPending(right)) - Number(isPending(left)));
  return (
    <Page title="Approvals" intro="What your agents may do only if a person agrees. Nothing is reserved before you do.">
      <ListTable
        label="Approvals"
        list={{ ...list, rows }}
        rowKey={({ approval_id }) => approval_id}
        columns={columns(useAgentName())}
        filters={filters}
        empty={
          <Empty title="Nothing has needed an approval">
            <Text size="sm">
              Add a rule that asks a person to one of your{" "}
              <AppLink to="/policies" underline="always">
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
  return [
    linkColumn("Request", ({ summary }) => shortenAddresses(summary.title), {
      to: ({ approval_id }) => `/approvals/${approval_id}`,
    }),
    textColumn("Amount", ({ summary }) => summary.amount, {
      align: "right",
      show: ({ summary }) => <Amount amount={summary.amount} currency={summary.currency?.toUpperCase()} />,
    }),
    textColumn("Payee", ({ summary }) => shortenAddresses(summary.payee ?? "–"), MINOR),
    textColumn("Agent", ({ agent_id }) => (agent_id === null ? "You" : nameOf(agent_id)), MINOR),
    textColumn("Why", whyText, MINOR),
    statusColumn(),
    textColumn(
      "Expires in",
      ({ status, expires_at }) => (status === "pending" ? formatDuration(Date.parse(expires_at) - Date.now()) : null),
      MINOR,
    ),
  ];
}

function whyText({ rules, summary }: Approval): string {
  const names = [...rules.map(({ rule_id }) => rule_id), ...summary.risk_flags];
  return [...new Set(names)].map(formatName).join(", ");
}
