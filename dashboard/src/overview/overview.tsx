import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { DashboardOverview } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CapBar } from "../ui/cap-bar.tsx";
import { formatCount, formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Amount, Dimmed, Status } from "../ui/values.tsx";
import { AttentionList } from "./attention.tsx";
import { Checklist } from "./checklist.tsx";

const REFRESH_INTERVAL_MS = 30_000;

/** What happened this month, what there is, and what needs a person now. */
export function Overview() {
  const overview = hooks.useQuery(
    "get",
    "/developers/dashboard/overview",
    {},
    { refetchInterval: REFRESH_INTERVAL_MS },
  );
  return (
    <Page title="Overview" intro="Your projects, agents and money at a glance.">
      <Loaded query={overview} lines={8}>
        {(data) => (
          <Stack gap="lg">
            <Checklist checklist={data.checklist} />
            <AttentionList attention={data.attention} />
            <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }}>
              <Spend spend={data.spend} />
              <Balances balances={data.balances} />
              <Payments payments={data.payments} />
            </SimpleGrid>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Card({ title, to, children }: { readonly title: string; readonly to: string; readonly children: ReactNode }) {
  const all = (
    <AppLink to={to} size="sm" aria-label={`All ${title.toLowerCase()}`}>
      All
    </AppLink>
  );
  return (
    <Section title={title} actions={all}>
      {children}
    </Section>
  );
}

const PROJECTS_SHOWN = 5;

function Spend({ spend }: Pick<DashboardOverview, "spend">) {
  return (
    <Card title="Spending this month" to="/projects">
      <Text size="sm">All projects</Text>
      <CapBar {...spend} cap={spend.monthly_cap} label="Spent by all projects" />
      {spend.projects.slice(0, PROJECTS_SHOWN).map(({ project_id, name, ...project }) => (
        <div key={project_id}>
          <AppLink to={`/projects/${project_id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
            {name}
          </AppLink>
          <CapBar {...project} cap={project.monthly_cap} label={`Spent by ${name}`} />
        </div>
      ))}
      {spend.projects.length === 0 && <Dimmed>No projects yet.</Dimmed>}
    </Card>
  );
}

function Balances({ balances }: Pick<DashboardOverview, "balances">) {
  return (
    <Card title="Balances" to="/wallets">
      {balances.data.map(({ network, token, total, held, wallet_count }) => (
        <Group key={network + token} justify="space-between" align="start">
          <div>
            <Text size="sm">{network}</Text>
            <Dimmed>{formatCount(wallet_count, "wallet")}</Dimmed>
          </div>
          <div>
            <Text size="sm" ta="right" fw={600}>
              <Amount amount={total} currency={token} />
            </Text>
            {Number(held) > 0 && (
              <Dimmed>
                <Amount amount={held} currency={token} /> held
              </Dimmed>
            )}
          </div>
        </Group>
      ))}
      {balances.data.length === 0 && <Dimmed>No wallets yet.</Dimmed>}
    </Card>
  );
}

function Payments({ payments: { by_status, counted, is_complete, window_days } }: Pick<DashboardOverview, "payments">) {
  const counts = Object.entries(by_status).sort(([, a], [, b]) => b - a);
  return (
    <Card title="Payments" to="/payments">
      {counts.map(([status, count]) => (
        <Group key={status} justify="space-between">
          <AppLink to={`/payments?status=${status}`} aria-label={formatName(status)} underline="never">
            <Status status={status} />
          </AppLink>
          <Text size="sm" fw={600}>
            {count}
          </Text>
        </Group>
      ))}
      <Dimmed>
        {counted === 0
          ? `No payments in the last ${window_days} days.`
          : is_complete
            ? `The last ${window_days} days.`
            : `The newest ${counted} payments of the last ${window_days} days.`}
      </Dimmed>
    </Card>
  );
}
