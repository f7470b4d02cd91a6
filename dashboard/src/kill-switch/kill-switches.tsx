import { Stack, Title } from "@mantine/core";
import type { KillSwitchSummary } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, ProjectLink } from "../ui/names.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Status, Time } from "../ui/values.tsx";
import { TriggerForm } from "./trigger-form.tsx";

export function KillSwitches() {
  const params = { query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/kill-switch", { params }, PAGED));
  return (
    <Page
      title="Kill switch"
      intro="Stops an agent, a project or everything at once, when you no longer trust what acts there."
    >
      <TriggerForm />
      <Stack component="section" gap="sm" aria-label="History">
        <Title order={2} size="h4">
          History
        </Title>
        <ListTable
          label="Kill switches"
          list={list}
          rowKey={({ kill_switch_id }) => kill_switch_id}
          columns={COLUMNS}
          empty={<Empty title="No kill switch has been triggered" />}
        />
      </Stack>
    </Page>
  );
}

const COLUMNS: readonly Column<KillSwitchSummary>[] = [
  { title: "Reason", csv: ({ reason }) => reason, show: (row) => <Reason killSwitch={row} /> },
  { title: "Target", csv: ({ scope, id }) => `${scope} ${id}`, show: (row) => <Target killSwitch={row} /> },
  { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> },
  { title: "Stopped", isMinor: true, align: "right", csv: numberStopped, show: numberStopped },
  { title: "Time", isMinor: true, csv: (row) => row.created_at, show: (row) => <Time at={row.created_at} /> },
];

function Reason({ killSwitch: { kill_switch_id, reason } }: { readonly killSwitch: KillSwitchSummary }) {
  return (
    <AppLink to={`/kill-switch/${kill_switch_id}`} size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
      {reason}
    </AppLink>
  );
}

function numberStopped({ counts }: KillSwitchSummary): number {
  return counts.reduce((sum, { killed, already_dead }) => sum + killed + already_dead, 0);
}

/** What was stopped: an agent, a project or everything. */
export function Target({
  killSwitch: { scope, id },
}: {
  readonly killSwitch: Pick<KillSwitchSummary, "scope" | "id">;
}) {
  if (scope === "developer") return "Everything";
  return scope === "agent" ? <AgentLink id={id} /> : <ProjectLink id={id} />;
}
