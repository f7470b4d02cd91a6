import { Alert, Stack, Text, Title } from "@mantine/core";
import type { KillSwitch } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { AgentLink, Id, NameLink, ProjectLink, WalletLink } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Proof } from "../ui/signature.tsx";
import { Status, Time } from "../ui/values.tsx";
import { Target } from "./kill-switches.tsx";

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
        >
          <Text size="sm">
            Stops what is not stopped yet, and what was created or resumed since. Then reports anew.
          </Text>
        </ActionDialog>
      }
    >
      <Loaded query={query}>
        {(killSwitch) => (
          <Stack>
            <Alert {...OUTCOMES[killSwitch.status]} role="status" />
            <KillSwitchFacts killSwitch={killSwitch} />
            <Targets killSwitch={killSwitch} />
            <Section title="Proof">
              <Proof report={killSwitch} name={`${killSwitch.kill_switch_id}.json`} />
            </Section>
            <Undo />
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
  completed: { color: "teal", title: "Everything is stopped", children: "Nothing below the target can act." },
  blocked_pending: {
    ...{ color: "orange", title: "Some targets are not stopped yet" },
    children:
      "They are listed first. Freezes on chains and rotations of credentials take longer than a run. Run it again to see what has become of them.",
  },
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
  return parts.join(", ") || "None";
}

function Targets({ killSwitch: { targets, targets_omitted: omitted } }: KillSwitchProps) {
  return (
    <Stack component="section" gap="sm" aria-label="Targets">
      <Title order={2} size="h4">
        Targets
      </Title>
      <ListTable
        label="Kill switch targets"
        list={allRows({ data: { data: targets }, error: null })}
        rowKey={({ type, id }) => `${type} ${id}`}
        columns={COLUMNS}
        empty={<Empty title="Nothing was there to stop" />}
      />
      {omitted > 0 && <Text size="sm">{omitted} more are counted above, but not listed.</Text>}
    </Stack>
  );
}

const COLUMNS: readonly Column<KillTarget>[] = [
  { title: "Kind", csv: ({ type }) => type, show: ({ type }) => NAMES[type].replace(/s$/, "") },
  { title: "Target", csv: ({ id }) => id, show: (target) => <TargetLink target={target} /> },
  { title: "Outcome", csv: ({ outcome }) => outcome, show: ({ outcome }) => <Status status={outcome} /> },
  {
    ...{ title: "On the chain", isMinor: true, csv: ({ onchain }) => onchain },
    show: ({ onchain }) => onchain && <Status status={onchain} />,
  },
  { title: "Detail", isMinor: true, csv: ({ detail }) => detail, show: ({ detail }) => detail },
];

function TargetLink({ target: { type, id } }: { readonly target: KillTarget }) {
  if (type === "agent") return <AgentLink id={id} />;
  if (type === "wallet") return <WalletLink id={id} />;
  if (type === "project") return <ProjectLink id={id} />;
  if (type === "project_env" || type === "api_key") return <Id text={id} what="id" />;
  return <NameLink to={`/${type}s`} id={id} />;
}

function Undo() {
  return (
    <Section title="How to undo it">
      <Text size="sm">
        Set the{" "}
        <AppLink to="/projects" underline="always">
          projects
        </AppLink>{" "}
        to active, resume the{" "}
        <AppLink to="/agents" underline="always">
          agents
        </AppLink>
        , unfreeze the{" "}
        <AppLink to="/wallets" underline="always">
          wallets
        </AppLink>
        , and create new{" "}
        <AppLink to="/keys" underline="always">
          API keys
        </AppLink>
        . Canceled approvals and payments stay canceled.
      </Text>
    </Section>
  );
}
