import { Group, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { DashboardOverview } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CapBar } from "../projects/caps.tsx";
import { formatAmount, formatCount, formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status } from "../ui/values.tsx";
import { AttentionList } from "./attention.tsx";
import { Checklist } from "./checklist.tsx";

const REFRESH = { refetchInterval: 30_000 };

/** What happened this month, what there is, and what needs a person now. */
export function Overview() {
  const overview = hooks.useQuery("get", "/developers/dashboard/overview", {}, REFRESH);
  return (
    <Page title="Overview" intro="Your projects, agents and money at a glance.">
      <Loaded query={overview} lines={8}>
        {(data) => (
          <>
            <Checklist checklist={data.checklist} />
            <AttentionList attention={data.attention} />
            <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }}>
              <Spend spend={data.spend} />
              <Balances balances={data.balances} />
              <Payments payments={data.payments} />
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Card({ title, to, children }: { title: string; to: string; children: ReactNode }) {
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

function Row({ name, value }: { name: ReactNode; value: ReactNode }) {
  return (
    <Group justify="space-between" align="start" gap="xs">
      <Text size="sm" component="div" style={{ overflowWrap: "anywhere" }}>
        {name}
      </Text>
      <Text size="sm" component="div" ta="right" fw={600}>
        {value}
      </Text>
    </Group>
  );
}

const PROJECTS_SHOWN = 5;

function Spend({ spend }: Pick<DashboardOverview, "spend">) {
  return (
    <Card title="Spending this month" to="/projects">
      <Row name="All projects" value={<CapBar {...spend} cap={spend.monthly_cap} label="Spent by all projects" />} />
      {spend.projects.slice(0, PROJECTS_SHOWN).map(({ project_id, name, monthly_cap, ...amounts }) => (
        <Row
          key={project_id}
          name={<AppLink to={`/projects/${project_id}`}>{name}</AppLink>}
          value={<CapBar {...amounts} cap={monthly_cap} label={`Spent by ${name}`} />}
        />
      ))}
      {spend.projects.length === 0 && <Dimmed>No projects yet.</Dimmed>}
    </Card>
  );
}

function Balances({ balances }: Pick<DashboardOverview, "balances">) {
  return (
    <Card title="Balances" to="/wallets">
      {balances.data.map(({ network, token, total, held, wallet_count }) => (
        <div key={network + token}>
          <Row name={network} value={formatAmount(total, token)} />
          <Dimmed>
            {formatCount(wallet_count, "wallet")}
            {Number(held) > 0 && `, ${formatAmount(held, token)} held`}
          </Dimmed>
        </div>
      ))}
      {balances.data.length === 0 && <Dimmed>No wallets yet.</Dimmed>}
    </Card>
  );
}

function Payments({ payments: { by_status, counted, is_complete, window_days } }: Pick<DashboardOverview, "payments">) {
  const counts = Object.entries(by_status).sort(([, a], [, b]) => b - a);
  const what = counted === 0 ? "No payments in the" : is_complete ? "The" : `The newest ${counted} payments of the`;
  return (
    <Card title="Payments" to="/payments">
      {counts.map(([status, count]) => {
        const link = (
          <AppLink to={`/payments?status=${status}`} aria-label={formatName(status)} underline="never">
            <Status status={status} />
          </AppLink>
        );
        return <Row key={status} name={link} value={count} />;
      })}
      <Dimmed>{`${what} last ${window_days} days.`}</Dimmed>
    </Card>
  );
}
