import { Alert, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { KillSwitch, KillSwitchRequest, KillSwitchSummary } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { ObjectSelect } from "../ui/forms/fields.tsx";
import { type Column, linkColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows, rowsOf } from "../ui/lists/use-list.ts";
import { AgentLink, Id, NameLink, optionsOf, ProjectLink, useAgents, useProjects, WalletLink } from "../ui/names.tsx";
import { useGo, useId, useMode } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Proof } from "../ui/signature.tsx";
import { Status, Time } from "../ui/values.tsx";

const POLL_MS = 1_000;

/** The report of a kill switch, while it runs and after. */
export function KillSwitchDetail() {
  const params = { path: { kill_switch_id: useId("killSwitchId") } };
  const query = hooks.useQuery(...(["get", "/kill-switch/{kill_switch_id}", { params }] as const), {
    refetchInterval: ({ state }) => state.data?.status === "running" && POLL_MS,
  });
  const status = query.data?.status;
  return (
    <Page
      title="Report of a kill switch"
      back={{ label: "Kill switch", to: "/kill-switch" }}
      intro={status && <Status status={status} />}
      actions={
        <ActionDialog
          {...{ title: "Run again", action: "Run again", buttonProps: { variant: "default" } }}
          run={() => api.POST("/kill-switch/{kill_switch_id}/reconcile", { params })}
          text="Stops what is not stopped yet, and what was created or resumed since. Then reports anew."
        />
      }
    >
      <Loaded query={query}>
        {(killSwitch) => (
          <Stack>
            <Outcome {...killSwitch} />
            <KillSwitchFacts killSwitch={killSwitch} />
            <Targets killSwitch={killSwitch} />
            <Section title="Proof">
              <Proof report={killSwitch} name={`${killSwitch.kill_switch_id}.json`} />
            </Section>
            <Section title="How to undo it" intro={UNDO} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const OUTCOMES = {
  running: {
    color: "indigo",
    title: "Running",
    children: "Nothing new can start below the target. This page follows.",
  },
  completed: { color: "teal", title: "Stopped", children: "Nothing below the target can act." },
  blocked_pending: {
    ...{ color: "orange", title: "Some targets are not stopped yet" },
    children:
      "They are listed first. Freezes on chains and rotations of credentials take longer than a run. Run it again to see what has become of them.",
  },
};

function Outcome({ status, scope }: KillSwitch) {
  return (
    <Alert
      {...OUTCOMES[status]}
      {...(status === "completed" && { title: `${STOPPED_SCOPES[scope]} is stopped` })}
      role="status"
    />
  );
}

const STOPPED_SCOPES = { agent: "The agent", project: "The project", developer: "Everything" };

/** The outcomes of targets, in words. */
const STOPPED: Readonly<Record<KillTarget["outcome"], string>> = {
  killed: "Stopped",
  already_dead: "Stopped before",
  blocked_pending: "Pending",
  failed: "Failed",
};

interface KillSwitchProps {
  readonly killSwitch: KillSwitch;
}

type KillTarget = KillSwitch["targets"][number];

const NAMES: Readonly<Record<KillTarget["type"], string>> = {
  project: "Projects",
  agent: "Agents",
  wallet: "Wallets",
  approval: "Approvals",
  payment: "Payments",
  project_env: "Environments",
  api_key: "API keys",
};

function KillSwitchFacts({ killSwitch }: KillSwitchProps) {
  return (
    <Section title="What was stopped">
      <Facts
        facts={[
          ["Target", <Target key="target" killSwitch={killSwitch} />],
          ["Reason", killSwitch.reason],
          ["Triggered by", formatName(killSwitch.triggered_by.type)],
          ["Triggered", <Time key="created" at={killSwitch.created_at} />],
          ["Ended", <Time key="ended" at={killSwitch.completed_at} none="Not yet" />],
          ["Runs", killSwitch.run],
          ["Freezes on chains", killSwitch.onchain ? "Yes" : "No"],
          ["Rotates credentials", killSwitch.rotate_env ? "Yes" : "No"],
          ...killSwitch.counts.map((counts) => [NAMES[counts.type], textOf(counts)] as const),
        ]}
      />
    </Section>
  );
}

/** Returns the numbers that are not zero: `2 stopped, 1 pending`. */
function textOf({ killed, already_dead, blocked_pending, failed }: KillSwitch["counts"][number]): string {
  const numbers = { stopped: killed, "stopped before": already_dead, pending: blocked_pending, failed };
  const parts = Object.entries(numbers).flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return parts.join(", ");
}

const UNDO =
  "Set the projects to active, resume the agents, unfreeze the wallets, and create new API keys. Canceled approvals and payments stay canceled.";

function Targets({ killSwitch: { targets, targets_omitted: omitted } }: KillSwitchProps) {
  return (
    <Section title="Targets">
      <ListTable
        label="Kill switch targets"
        list={rowsOf(targets)}
        rowKey={({ type, id }) => `${type} ${id}`}
        columns={TARGET_COLUMNS}
        empty={<Empty title="Nothing was there to stop" />}
      />
      {omitted > 0 && <Text size="sm">{omitted} more are counted above, but not listed.</Text>}
    </Section>
  );
}

const TARGET_COLUMNS: readonly Column<KillTarget>[] = [
  textColumn("Kind", ({ type }) => type, { show: ({ type }) => NAMES[type].replace(/s$/, "") }),
  textColumn("Target", ({ id }) => id, { show: (target) => <TargetLink target={target} /> }),
  statusColumn("Outcome", ({ outcome }) => outcome, {
    show: ({ outcome }) => <Status status={outcome} text={STOPPED[outcome]} />,
  }),
  {
    title: "On the chain",
    ...MINOR,
    csv: ({ onchain }) => onchain,
    show: ({ onchain }) => onchain && <Status status={onchain} />,
  },
  textColumn("Detail", ({ detail }) => detail, MINOR),
];

function TargetLink({ target: { type, id } }: { readonly target: KillTarget }) {
  if (type === "agent") return <AgentLink id={id} />;
  if (type === "wallet") return <WalletLink id={id} />;
  if (type === "project") return <ProjectLink id={id} />;
  if (type === "project_env" || type === "api_key") return <Id text={id} what="id" />;
  return <NameLink to={`/${type}s`} id={id} />;
}

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
          columns={HISTORY_COLUMNS}
          empty={<Empty title="No kill switch has been triggered" />}
        />
      </Section>
    </Page>
  );
}

const HISTORY_COLUMNS: readonly Column<KillSwitchSummary>[] = [
  linkColumn("Reason", ({ reason }) => reason, { to: ({ kill_switch_id }) => `/kill-switch/${kill_switch_id}` }),
  { title: "Target", csv: ({ scope, id }) => `${scope} ${id}`, show: (row) => <Target killSwitch={row} /> },
  statusColumn(),
  textColumn("Stopped", numberStopped, { ...MINOR, align: "right" }),
  timeColumn("Time", ({ created_at }) => created_at),
];

function numberStopped({ counts }: KillSwitchSummary): number {
  return counts.reduce((sum, { killed, already_dead }) => sum + killed + already_dead, 0);
}

/** What was stopped: an agent, a project or everything. */
function Target({ killSwitch: { scope, id } }: { readonly killSwitch: Pick<KillSwitchSummary, "scope" | "id"> }) {
  if (scope === "developer") return "Everything";
  return scope === "agent" ? <AgentLink id={id} /> : <ProjectLink id={id} />;
}

type Scope = KillSwitchRequest["scope"];

const SCOPES: Readonly<Record<Scope, string>> = { agent: "An agent", project: "A project", developer: "Everything" };

/** What happens, in this order. */
const EFFECTS: Readonly<Record<Scope, string>> = {
  agent:
    "The agent and its sub-agents are suspended.\nTheir wallets are frozen.\nTheir approvals and payments that wait are canceled.\nAPI keys that are bound only to them are revoked.",
  project:
    "The project is suspended: its environments cannot be pulled.\nIts agents and their sub-agents are suspended, and their wallets are frozen.\nApprovals and payments of the project and these agents that wait are canceled.\nAPI keys that are bound to the project, or only to these agents, are revoked.",
  developer:
    "All projects and agents are suspended.\nAll wallets are frozen.\nAll approvals and payments that wait are canceled.\nAll API keys are revoked. You stay signed in here.",
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
  const effects = <Text {...{ size: "sm", style: { whiteSpace: "pre-line" } }}>{EFFECTS[scope]}</Text>;
  const choose = (next: string) => {
    setScope(next as Scope);
    setChosen(null);
  };
  return (
    <Section title={`Stop in ${mode} mode`}>
      <SegmentedControl
        {...{ "aria-label": "What to stop", mr: "auto", maw: "100%", value: scope, onChange: choose }}
        data={optionsOf(SCOPES)}
      />
      {!isAll && (
        <ObjectSelect
          key={scope}
          {...{ label: scope === "agent" ? "Agent" : "Project", placeholder: "Choose one", maw: 420 }}
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
