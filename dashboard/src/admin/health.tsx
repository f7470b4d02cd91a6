import { Alert, SimpleGrid, Title } from "@mantine/core";
import type { AdminHealth } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatDuration, formatName } from "../ui/format.ts";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { rowsOf } from "../ui/lists/use-list.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

const REFRESH_INTERVAL_MS = 10_000;

export function Health() {
  const query = hooks.useQuery("get", "/admin/health", {}, { refetchInterval: REFRESH_INTERVAL_MS });
  return (
    <Page title="Health" intro="What the server checks, and what waits. Read again every ten seconds.">
      <Loaded query={query} lines={8}>
        {(health) => <Report health={health} />}
      </Loaded>
    </Page>
  );
}

function Report({ health: { ready, checks, operations, outbox, ...health } }: { readonly health: AdminHealth }) {
  const oldest = outbox.oldest_age_seconds;
  return (
    <>
      <Alert color={ready ? "teal" : "red"} role="status">
        {ready ? "The server can serve requests." : "The server is not ready: a check has failed."} Checked{" "}
        <Time at={health.checked_at} />.
      </Alert>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Section title="Checks">
          <Facts
            facts={Object.entries(checks).map(([name, result]) => [
              formatName(name),
              result === "ok" ? <Status key={name} status="ok" /> : `Failed: ${result}`,
            ])}
          />
        </Section>
        <Section
          title="Operations"
          actions={
            <AppLink to="/operations" size="sm">
              Open
            </AppLink>
          }
        >
          <Facts
            facts={[
              ["Need an operator", operations.needs_operator],
              ["Running over ten minutes", operations.running_long],
            ]}
          />
        </Section>
        <Section title="Emails">
          <Facts
            facts={[
              ["Waiting", outbox.count],
              ["Oldest waits for", oldest === null ? null : formatDuration(oldest * 1_000)],
            ]}
          />
        </Section>
      </SimpleGrid>
      <Title order={2} size="h4">
        Due work
      </Title>
      <ListTable
        label="Due work"
        list={rowsOf(health.due_work)}
        rowKey={({ kind }) => kind}
        columns={DUE_WORK_COLUMNS}
        empty={<Empty title="Nothing is due: the workers keep up." />}
      />
      <Title order={2} size="h4">
        Networks
      </Title>
      <ListTable
        label="Networks"
        list={rowsOf(health.networks)}
        rowKey={({ network }) => network}
        columns={NETWORK_COLUMNS}
        empty={<Empty title="No network is in use yet. Each comes into use with its first wallet." />}
      />
    </>
  );
}

const RIGHT = { align: "right" } as const;

function ageColumn<Row>(title: string, seconds: (row: Row) => number): Column<Row> {
  return textColumn(title, seconds, { ...RIGHT, show: (row) => formatDuration(seconds(row) * 1_000) });
}

type DueWork = AdminHealth["due_work"][number];

const DUE_WORK_COLUMNS = [
  textColumn<DueWork>("Kind", ({ kind }) => formatName(kind)),
  textColumn<DueWork>("Due", ({ count }) => count, RIGHT),
  ageColumn<DueWork>("Oldest is late by", ({ oldest_age_seconds }) => oldest_age_seconds),
];

/** The nodes of a disputed network differ. A stopped one waits for an operator. */
function stateOf({ stopped_at, disputed_at }: Network): string {
  if (stopped_at !== null) return "stopped";
  return disputed_at === null ? "ok" : "disputed";
}

type Network = AdminHealth["networks"][number];

const NETWORK_COLUMNS = [
  textColumn<Network>("Network", ({ network }) => network),
  statusColumn<Network>("State", stateOf),
  timeColumn<Network>("Since", ({ stopped_at, disputed_at }) => stopped_at ?? disputed_at, MINOR),
  textColumn<Network>("Block", ({ block_number }) => block_number, RIGHT),
  ageColumn<Network>("Time since it was read", ({ read_age_seconds }) => read_age_seconds),
];
