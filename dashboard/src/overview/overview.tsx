import { Alert, Group, SimpleGrid, Stack, Text, ThemeIcon } from "@mantine/core";
import type { ReactNode } from "react";
import type { Attention, Checklist as ChecklistType, DashboardOverview } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { PAYMENT_COLUMNS } from "../payments/payments.tsx";
import { CapBar } from "../ui/charts/cap-bar.tsx";
import { DayChart } from "../ui/charts/day-chart.tsx";
import { displayNameOf, formatAmount, formatCount, formatName, formatNetwork, shortenAddresses } from "../ui/format.ts";
import { IconCheck, IconCircle } from "../ui/icons/icons.ts";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink, useMode } from "../ui/navigation.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";

const REFRESH = { refetchInterval: 30_000 };

/** What happened this month, what there is, and what needs a person now. */
export function Overview() {
  const overview = hooks.useQuery("get", "/developers/dashboard/overview", {}, REFRESH);
  return (
    <Page title="Overview" intro="Your projects, agents and money at a glance.">
      <Loaded query={overview} lines={8}>
        {(data) => (
          <>
            <UnverifiedBusiness />
            <Checklist checklist={data.checklist} />
            <AttentionList attention={data.attention} />
            <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} style={{ alignItems: "start" }}>
              <Spend spend={data.spend} />
              <Balances balances={data.balances} />
              <Payments payments={data.payments} />
            </SimpleGrid>
            <PaidByDay {...data} />
            {data.checklist.has_payment && <LatestPayments />}
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
    <Card title="Project caps this month" to="/projects">
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
  const funded = balances.data.filter(({ total }) => Number(total) > 0);
  return (
    <Card title="Balances" to="/wallets">
      {funded.map(({ network, token, total, held, wallet_count }) => (
        <div key={network + token}>
          <Row name={formatNetwork(network)} value={formatAmount(total, token)} />
          <Dimmed>
            {formatCount(wallet_count, "wallet")}
            {Number(held) > 0 && `, ${formatAmount(held, token)} held`}
          </Dimmed>
        </div>
      ))}
      {funded.length === 0 && (
        <Dimmed>{balances.data.length === 0 ? "No wallets yet." : "All wallets are empty."}</Dimmed>
      )}
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

const DAY_MS = 86_400_000;
const PAID = [{ name: "paid", label: "Paid in USDC", color: "indigo.6" }];

/** A bar for each day of the window, or for each day since the first payment that was counted. */
function PaidByDay({ payments, as_of }: Pick<DashboardOverview, "payments" | "as_of">) {
  const { by_day, is_complete, window_days, counted, paid } = payments;
  const [first] = by_day;
  if (first === undefined) return null;
  const last = Date.parse(as_of);
  const start = is_complete ? last - window_days * DAY_MS : Date.parse(first.date);
  const amounts = new Map(by_day.map((day) => [day.date, Number(day.paid)]));
  const days = Array.from({ length: Math.floor((last - start) / DAY_MS) + 1 }, (_, index) => {
    const date = new Date(start + index * DAY_MS).toISOString().slice(0, 10);
    return { date, paid: amounts.get(date) ?? 0 };
  });
  const what = is_complete ? `in the last ${window_days} days` : `with the newest ${counted} payments`;
  return (
    <Section title="Paid by day" intro={`${formatAmount(paid, "USDC")} ${what}`}>
      <DayChart days={days} series={PAID} valueFormatter={(value) => formatAmount(String(value))} />
    </Section>
  );
}

const LATEST = { params: { query: { limit: 5 } } };

function LatestPayments() {
  const query = hooks.useInfiniteQuery("get", "/payments", LATEST, { ...PAGED, ...REFRESH });
  return (
    <Section title="Latest payments">
      <ListTable
        label="Latest payments"
        list={pagedRows(query)}
        rowKey={({ payment_id }) => payment_id}
        columns={PAYMENT_COLUMNS}
        empty={null}
      />
    </Section>
  );
}

type Item = readonly [to: string, what: string, detail: ReactNode, key?: string];

/** What needs a person now, each with the screen on which to act. */
function AttentionList({ attention }: { attention: Attention }) {
  const items = itemsOf(attention);
  if (items.length === 0) return null;
  return (
    <Section title="Needs you now">
      {items.map(([to, what, detail, key = to]) => (
        <Group key={key} justify="space-between" gap="xs">
          <AppLink to={to} size="sm">
            {what}
          </AppLink>
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        </Group>
      ))}
      {Object.values(attention).some(({ more }) => more) && (
        <Text size="sm">There is more. The screens show all of it.</Text>
      )}
    </Section>
  );
}

function itemsOf({ approvals, links, frozen_wallets, keys, projects, billing }: Attention): readonly Item[] {
  return [
    ...approvals.data.map(({ approval_id: id, title, amount, currency, expires_at }): Item => {
      const until = <Time key="until" at={expires_at} />;
      return [
        `/approvals/${id}`,
        `Approve or deny: ${shortenAddresses(title)}`,
        [amount && formatAmount(amount, currency?.toUpperCase()), " until ", until],
      ];
    }),
    ...billing.data.map(({ project_id: id, name, billing_status }): Item => {
      return [`/projects/${id}?tab=billing`, `Add a card to ${name}`, formatName(billing_status)];
    }),
    ...projects.data.map(({ project_id: id, name, status, cap_reached }): Item => {
      const what = cap_reached ? `${name} has reached its cap` : `${name} is ${status}`;
      return [`/projects/${id}`, what, formatName(status)];
    }),
    ...links.data
      .filter(({ status }) => status !== "expired")
      .map(({ link_id, project_id: id, project_name, provider, status }): Item => {
        const what = `Link ${displayNameOf(provider)} to ${project_name} again`;
        return [`/projects/${id}?tab=links`, what, formatName(status), link_id];
      }),
    ...frozen_wallets.data.map(({ wallet_id: id, agent_name, agent_id, network }): Item => {
      return [`/wallets/${id}`, `The wallet of ${agent_name ?? agent_id} is frozen`, formatNetwork(network)];
    }),
    ...keys.data.map(({ key_id, name, reason, ends_at }): Item => {
      const what = reason === "expires" ? `The key ${name} expires` : `The replaced key ${name} stops working`;
      return ["/keys", what, <Time key="ends" at={ends_at} />, key_id];
    }),
  ];
}

/** Before live money arrives that could not be sent on. */
function UnverifiedBusiness() {
  const isLive = useMode() === "live";
  const { data: developer } = hooks.useQuery("get", "/developers/dashboard/me");
  if (!isLive || developer === undefined || developer.kyb.status === "verified") return null;
  return (
    <Alert color="orange" title="Your business is not verified">
      Live money usually needs it. <AppLink to="/settings/kyb">Verify your business</AppLink>
    </Alert>
  );
}

/** The first hour, in the order in which the steps build on each other. */
const STEPS: readonly (readonly [step: keyof ChecklistType, label: string, to: string])[] = [
  ["email_verified", "Verify your email address", "/settings"],
  ["has_agent", "Create an agent", "/agents"],
  ["has_wallet", "Give it a wallet", "/wallets"],
  ["has_key", "Create a key pair for your code", "/keys"],
  ["has_payment", "Make its first payment", "/payments"],
  ["has_project", "Create a project", "/projects"],
  ["has_linked_provider", "Link a provider to it", "/projects"],
  ["has_service", "Add a service", "/projects"],
];

/** What to do first. It is gone when everything is done. */
function Checklist({ checklist }: { checklist: ChecklistType }) {
  const open = STEPS.filter(([step]) => !checklist[step]).map(([step]) => step);
  if (open.length === 0) return null;
  return (
    <Section title="First steps" intro={`${STEPS.length - open.length} of ${STEPS.length} done`}>
      <Stack gap="xs" component="ol" m={0} p={0}>
        {STEPS.map(([step, label, to]) => {
          const isDone = checklist[step];
          const look = isDone ? { color: "teal", "aria-label": "Done" } : { color: "gray", "aria-label": "To do" };
          return (
            <Group key={step} gap="xs" component="li" wrap="nowrap">
              <ThemeIcon size="sm" radius="xl" variant="light" role="img" {...look}>
                {isDone ? <IconCheck size={14} /> : <IconCircle size={14} />}
              </ThemeIcon>
              {isDone ? (
                <Text size="sm" c="dimmed">
                  {label}
                </Text>
              ) : (
                <AppLink to={to} size="sm" fw={step === open[0] ? 700 : 400}>
                  {label}
                </AppLink>
              )}
            </Group>
          );
        })}
      </Stack>
    </Section>
  );
}
