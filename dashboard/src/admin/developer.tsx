import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { KybDecisionEntry, ShownDeveloper } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { type Column, idColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { rowsOf } from "../ui/lists/use-list.ts";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { DecisionButtons, WaitingDecision } from "./kyb-decisions.tsx";

export function DeveloperPage() {
  const developer_id = useId("developerId");
  const query = hooks.useQuery("get", "/admin/developers/{developer_id}", { params: { path: { developer_id } } });
  return (
    <Page
      title={query.data?.email ?? "Developer"}
      back={{ label: "Developers", to: "/developers" }}
      intro={<CopyText text={developer_id} what="developer id" />}
    >
      <Loaded query={query} lines={8}>
        {(developer) => <DeveloperReport developer={developer} />}
      </Loaded>
    </Page>
  );
}

function DeveloperReport({ developer }: { readonly developer: ShownDeveloper }) {
  const { developer_id, kyb_decisions } = developer;
  const links = (
    <>
      <AppLink to={`/wallets?q=${developer_id}`} size="sm">
        Wallets
      </AppLink>
      <AppLink to={`/audit?developer_id=${developer_id}`} size="sm">
        What admins did
      </AppLink>
    </>
  );
  return (
    <>
      <Section title="Account" actions={links}>
        <Facts facts={accountFacts(developer)} />
      </Section>
      <Section title="Business verification (KYB)" actions={<DecisionButtons developer={developer} />}>
        <WaitingDecision developer={developer} />
        <Facts facts={kybFacts(developer)} />
      </Section>
      <Title order={2} size="h4">
        Decisions
      </Title>
      <ListTable
        label="KYB decisions"
        list={rowsOf(kyb_decisions)}
        rowKey={({ proposed_at, status }) => `${proposed_at} ${status}`}
        columns={DECISION_COLUMNS}
        empty={<Empty title="No admin has decided yet." />}
      />
    </>
  );
}

function accountFacts(developer: ShownDeveloper): [string, ReactNode][] {
  const { status, email_verified, mfa_enabled, auth_methods, capabilities } = developer;
  return [
    ["Status", <Status key="status" status={status} />],
    ["Name", developer.name ?? "–"],
    ["Company", developer.company_name ?? "–"],
    ["Country", developer.country ?? "–"],
    ["Website", developer.website ?? "–"],
    ["Email address", email_verified ? "Verified" : "Not verified"],
    ["Signs in with", auth_methods.map(formatName).join(", ") + (mfa_enabled ? ", and a code" : "")],
    ["Live keys", formatName(capabilities.live_keys)],
    ["Live wallets", formatName(capabilities.live_wallets)],
    ["Fiat", formatName(capabilities.fiat)],
    ["Created", <Time key="created" at={developer.created_at} />],
    ["Registered for the API", <Time key="registered" at={developer.registered_at} none="Not yet" />],
  ];
}

function kybFacts({ kyb, kyb_case }: ShownDeveloper): [string, ReactNode][] {
  const { legal_name, registration_number, jurisdiction } = kyb_case;
  return [
    ["Status", <Status key="status" status={kyb.status} />],
    ["Sent by the developer", <Time key="sent" at={kyb_case.submitted_at} none="Nothing yet" />],
    ["Legal name", legal_name ?? "–"],
    ["Registration number", registration_number ?? "–"],
    ["Jurisdiction", jurisdiction ?? "–"],
    ["Decided", <Time key="decided" at={kyb_case.decided_at} />],
    ["Reason or reference", kyb_case.reason ?? "–"],
    ["Expires", <Time key="expires" at={kyb.expires_at} none="Never" />],
  ];
}

const DECISION_COLUMNS: readonly Column<KybDecisionEntry>[] = [
  {
    title: "Decision",
    csv: ({ status }) => status,
    show: (decision) => (
      <Stack gap={0} align="start">
        <Status status={decision.status} />
        <Dimmed>{stageOf(decision)}</Dimmed>
      </Stack>
    ),
  },
  idColumn("First admin", ({ proposed_by }) => proposed_by),
  textColumn("Second admin", ({ approved_by }) => approved_by, MINOR),
  textColumn("Reason or reference", ({ reference }) => reference),
  textColumn("Note", ({ note }) => note, MINOR),
  timeColumn("Decided", ({ proposed_at }) => proposed_at, MINOR),
];

function stageOf({ applied_at, superseded_at }: KybDecisionEntry): string {
  if (applied_at !== null) return "In effect since then";
  return superseded_at === null ? "Waits for a second admin" : "Replaced before it took effect";
}
