import { Alert, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { KybDecisionEntry, PendingKybDecision, ShownDeveloper } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, idColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { rowsOf } from "../ui/lists/use-list.ts";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";

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
      <Section
        title="Business verification (KYB)"
        actions={<DecisionButtons key={developer.kyb_case.submitted_at} developer={developer} />}
      >
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
    ["Name", developer.name],
    ["Company", developer.company_name],
    ["Country", developer.country],
    ["Website", developer.website],
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
    ["Legal name", legal_name ?? "Not given"],
    ["Registration number", registration_number ?? "Not given"],
    ["Jurisdiction", jurisdiction ?? "Not given"],
    ["Decided", <Time key="decided" at={kyb_case.decided_at} />],
    ["Reason or reference", kyb_case.reason],
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

type Decision = PendingKybDecision["status"];

interface Props {
  readonly developer: ShownDeveloper;
}

/** The decisions that are possible now. A verified business can be verified again, which is a renewal. */
function DecisionButtons({ developer }: Props) {
  const isVerified = developer.kyb.status === "verified";
  return (
    <>
      <Verify developer={developer} action={isVerified ? "Renew" : "Mark verified"} />
      <Refuse developer={developer} isVerified={isVerified} />
    </>
  );
}

const VERIFIED =
  "Live money that needs a verified business then works. Check the data in a register. The developer sees the reference.";
const REJECTED = "The developer sees the reason, and can send other data.";
const REVOKED = "Live money that needs a verified business stops at once. The developer sees the reason.";

const NOTE = { name: "note", label: "Note for other admins", input: "lines", maxLength: 1_000 } as const;

function Verify({ developer, action }: Props & { action: string }) {
  const { legal_name, registration_number, jurisdiction } = developer.kyb_case;
  return (
    <ActionDialog
      {...{ title: `${action}: ${developer.email}`, button: action, action, text: VERIFIED }}
      fields={[
        { name: "legal_name", label: "Legal name", maxLength: 300, defaultValue: legal_name },
        {
          name: "registration_number",
          label: "Registration number",
          maxLength: 100,
          defaultValue: registration_number,
        },
        { name: "jurisdiction", label: "Jurisdiction", maxLength: 100, defaultValue: jurisdiction },
        { name: "expires_on", label: "Ends on (empty: never)", type: "date" },
        { name: "reference", label: "Reference, such as a case number", maxLength: 200 },
        NOTE,
      ]}
      run={({ expires_on: day, ...values }) => {
        return send(developer, "verified", { ...values, expires_at: day && `${day}T00:00:00Z` });
      }}
    />
  );
}

function Refuse({ developer, isVerified }: Props & { isVerified: boolean }) {
  const action = isVerified ? "Revoke" : "Reject";
  return (
    <ActionDialog
      {...{ title: `${action}: ${developer.email}`, button: action, action, isDangerous: true }}
      text={isVerified ? REVOKED : REJECTED}
      typeToConfirm={isVerified ? developer.email : undefined}
      fields={[{ name: "reference", label: "Reason", required: true, maxLength: 200 }, NOTE]}
      run={(values) => send(developer, isVerified ? "revoked" : "rejected", values)}
    />
  );
}

/** A decision that needs a second admin: says so, and lets another admin make the same one. */
function WaitingDecision({ developer }: Props) {
  const { data: me } = hooks.useQuery("get", "/admin/me");
  const waiting = developer.waiting_kyb_decision;
  if (waiting === null) return null;
  const { status, proposed_by, proposed_at, note, ...decided } = waiting;
  const isOwn = proposed_by === me?.admin_id;
  const texts = Object.entries({ ...decided, note }).filter(([, text]) => text !== null);
  const facts = <Facts facts={texts.map(([name, text]) => [formatName(name), text])} />;
  return (
    <Alert color="orange" title={`“${formatName(status)}” waits for a second admin`}>
      <Stack gap="sm">
        <Text size="sm">
          {isOwn ? "You" : proposed_by} decided so on <Time at={proposed_at} />.{" "}
          {isOwn ? "Another admin must make the same decision." : "It takes effect when you make the same decision."}
        </Text>
        {facts}
        {!isOwn && (
          <Group>
            <ActionDialog
              title={`${formatName(status)}: ${developer.email}`}
              button="Approve this decision"
              action="Approve"
              isDangerous={status !== "verified"}
              run={() => send(developer, status, decided)}
            >
              {facts}
            </ActionDialog>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Sends a decision about the data that this page shows: if the developer has sent other data since, it is refused. */
function send(
  { developer_id, kyb_case: { submitted_at } }: ShownDeveloper,
  status: Decision,
  fields: Readonly<Record<string, string | null>>,
) {
  const given = Object.entries({ ...fields, submitted_at }).filter(([, text]) => text !== null && text !== "");
  return api.POST("/developers/verify-kyb", { body: { developer_id, status, ...Object.fromEntries(given) } });
}
