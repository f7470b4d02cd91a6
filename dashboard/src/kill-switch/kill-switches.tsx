import { List, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { KillSwitchRequest, KillSwitchSummary } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { ObjectSelect } from "../ui/forms/fields.tsx";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, ProjectLink, useAgents, useProjects } from "../ui/names.tsx";
import { AppLink, useGo, useMode } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

export function KillSwitches() {
  const params = { query: { limit: 50 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/kill-switch", { params }, PAGED));
  const intro = "Stops an agent, a project or everything at once, when you no longer trust what acts there.";
  return (
    <Page title="Kill switch" intro={intro}>
      <Trigger />
      <Section title="History">
        <ListTable
          label="Kill switches"
          list={list}
          rowKey={({ kill_switch_id }) => kill_switch_id}
          columns={COLUMNS}
          empty={<Empty title="No kill switch has been triggered" />}
        />
      </Section>
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

type Scope = KillSwitchRequest["scope"];

const SCOPES: Readonly<Record<Scope, string>> = { agent: "An agent", project: "A project", developer: "Everything" };

/** What happens, in this order. */
const EFFECTS: Readonly<Record<Scope, readonly string[]>> = {
  agent: [
    "The agent and its sub-agents are suspended.",
    "Their wallets are frozen.",
    "Their approvals and payments that wait are canceled.",
    "API keys that are bound only to them are revoked.",
  ],
  project: [
    "The project is suspended: its environments cannot be pulled.",
    "Its agents and their sub-agents are suspended, and their wallets are frozen.",
    "Approvals and payments of the project and these agents that wait are canceled.",
    "API keys that are bound to the project, or only to these agents, are revoked.",
  ],
  developer: [
    "All projects and agents are suspended.",
    "All wallets are frozen.",
    "All approvals and payments that wait are canceled.",
    "All API keys are revoked. You stay signed in here.",
  ],
};

const REASON = { name: "reason", label: "Reason", input: "lines", required: true, maxLength: 500 } as const;
const AFTER = "What is suspended or frozen can be resumed later, one by one. What is canceled or revoked stays so.";

/** Chooses what to stop, and stops it. */
function Trigger() {
  const go = useGo();
  const mode = useMode();
  const [scope, setScope] = useState<Scope>("agent");
  const [chosen, setChosen] = useState<string | null>(null);
  const options = { agent: useAgents(), project: useProjects(), developer: [] }[scope];
  const { data: developer } = hooks.useQuery("get", "/developers/dashboard/me");
  const isAll = scope === "developer";
  const id = isAll ? developer?.developer_id : chosen;
  const name = isAll ? "everything" : (options.find(({ value }) => value === id)?.label ?? id);
  const title = `Stop ${name ?? `the ${scope}`}`;
  const effects = (
    <List size="sm" spacing={2}>
      {EFFECTS[scope].map((effect) => (
        <List.Item key={effect}>{effect}</List.Item>
      ))}
    </List>
  );
  const choose = (next: string) => {
    setScope(next as Scope);
    setChosen(null);
  };
  return (
    <Section title={`Stop in ${mode} mode`}>
      <SegmentedControl
        {...{ "aria-label": "What to stop", mr: "auto", maw: "100%", value: scope, onChange: choose }}
        data={Object.entries(SCOPES).map(([value, label]) => ({ value, label }))}
      />
      {!isAll && (
        <ObjectSelect
          {...{ key: scope, label: scope === "agent" ? "Agent" : "Project", placeholder: "Choose one", maw: 420 }}
          {...{ data: options, value: chosen, onChange: setChosen }}
        />
      )}
      {effects}
      <ActionDialog
        key={`${scope} ${id}`}
        {...{ title, action: title, typeToConfirm: name ?? "", text: AFTER }}
        buttonProps={{ variant: "filled", disabled: !id, mr: "auto" }}
        fields={[
          REASON,
          { name: "onchain", label: "Freeze the wallets on their chains too", input: "check", defaultChecked: true },
          { name: "rotate_env", label: ROTATE, input: "check", defaultChecked: true },
        ]}
        run={async ({ reason, onchain, rotate_env }) => {
          const body = { scope, id: id ?? "", reason, onchain: onchain !== "", rotate_env: rotate_env !== "" };
          const { data } = await api.POST("/kill-switch", { body });
          if (data !== undefined) go(`/kill-switch/${data.kill_switch_id}`);
        }}
      >
        {effects}
      </ActionDialog>
    </Section>
  );
}

const ROTATE = "Rotate the credentials of services that the target could read";
