import { Anchor, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditEntry } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { downloadText, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { ActorName, AgentLink, actionText, actorText, ProjectLink, WalletLink } from "../ui/names.tsx";
import { Empty, Facts, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { type Chain, VerifyChain } from "./verify-chain.tsx";

const CHAINS = [
  { value: "tenant", label: "Everything" },
  { value: "provider_keys", label: "Provider keys" },
];

/** The audit trail: who changed what, in two hash chains. */
export function Audit() {
  const filters = useListFilters({
    chain: ["Chain", CHAINS],
    action: ["Action", "text", "project.created"],
    subject_id: ["Subject", "text", "The id of an object"],
  });
  const chain: Chain = filters.values.chain === "provider_keys" ? "provider_keys" : "tenant";
  const [shown, setShown] = useState<AuditEntry>();
  const query = { ...filters.query, chain };
  return (
    <Page
      title="Audit trail"
      intro="Every change of your account, of both modes. An entry cannot be changed without breaking the chain."
      actions={<Export chain={chain} />}
    >
      <Section
        title="Verification"
        intro="Recomputes every hash of the chain, and compares the chain with its signed checkpoint outside of the database."
      >
        <VerifyChain key={chain} chain={chain} />
      </Section>
      <ListTable
        label="Audit entries"
        list={pagedRows(hooks.useInfiniteQuery("get", "/audit/entries", { params: { query } }, PAGED))}
        rowKey={({ audit_id }) => audit_id}
        columns={columns(setShown)}
        filters={filters}
        empty={<Empty title="Entries appear with the first change" />}
      />
      <Modal
        {...{ opened: shown !== undefined, onClose: () => setShown(undefined), title: shown?.action, size: "lg" }}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {shown !== undefined && <EntryDetails entry={shown} />}
      </Modal>
    </Page>
  );
}

function columns(open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  return [
    textColumn("Number", ({ sequence }) => sequence, MINOR),
    textColumn("Action", ({ action }) => action, {
      show: (entry) => (
        <Stack gap={0} align="start">
          <Anchor component="button" type="button" size="sm" ta="left" onClick={() => open(entry)}>
            {actionText(entry)}
          </Anchor>
          <Dimmed>{entry.action}</Dimmed>
        </Stack>
      ),
    }),
    textColumn("Subject", ({ subject }) => subject.id, {
      ...MINOR,
      show: ({ subject: { type, id } }) => (
        <Stack gap={0} style={{ overflowWrap: "anywhere" }}>
          <Dimmed>{formatName(type)}</Dimmed>
          <SubjectName type={type} id={id} />
        </Stack>
      ),
    }),
    textColumn("By", actorText, { ...MINOR, show: (entry) => <ActorName entry={entry} /> }),
    statusColumn("Mode", ({ mode }) => mode, MINOR),
    timeColumn("When", ({ occurred_at }) => occurred_at, {}),
  ];
}

function SubjectName({ type, id }: AuditEntry["subject"]) {
  if (type === "agent") return <AgentLink id={id} />;
  if (type === "wallet") return <WalletLink id={id} />;
  if (type === "project") return <ProjectLink id={id} />;
  return <Text size="sm">{id}</Text>;
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { actor, subject } = entry;
  const ids = Object.entries({
    "Id of the actor": actor.id,
    "API key": actor.key_id,
    [formatName(subject.type)]: subject.id,
    Request: entry.request_id,
    Hash: entry.hash,
    "Hash before it": entry.prev_hash,
  });
  return (
    <Stack>
      <Facts
        facts={[
          ["When", <Time key="when" at={entry.occurred_at} />],
          ["Number in the chain", entry.sequence],
          ["Mode", <Status key="mode" status={entry.mode} />],
          ["By", `${formatName(actor.type)}${actor.ip === null ? "" : ` from ${actor.ip}`}`],
          ...ids.map(([name, id]) => {
            return [name, id && <CopyText key={name} text={id} what={name.toLowerCase()} />] as const;
          }),
        ]}
      />
      <Text size="sm" fw={600}>
        Facts
      </Text>
      <Snippet code={JSON.stringify(entry.facts, null, 2)} what="facts" />
    </Stack>
  );
}

function Export({ chain }: { chain: Chain }) {
  const save = async () => {
    const { data } = await api.GET("/audit/export", { params: { query: { chain } }, parseAs: "text" });
    downloadText(`audit-${chain}.jsonl`, data ?? "", "application/x-ndjson");
  };
  return (
    <ActionDialog
      {...{ title: "Export the chain", button: "Export", action: "Download JSON lines", run: save }}
      buttonProps={{ variant: "default" }}
    >
      <Text size="sm">
        The file has the whole chain, one entry a line, with the entries of both modes. Verify it offline with
        verifyAuditExport of the SDK. The export itself becomes an entry.
      </Text>
    </ActionDialog>
  );
}
