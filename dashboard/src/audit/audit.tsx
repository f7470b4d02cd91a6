import { Anchor, Button, Group, Modal, SegmentedControl, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import type { AuditCheckpoint, AuditEntry } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { downloadText, formatName, shorten } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { type Column, idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Facts, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { type Chain, VerifyChain } from "./verify-chain.tsx";

/** The audit trail: who changed what, in two hash chains. */
export function Audit() {
  const { values, set } = useFilters("chain", "action", "subject_id", "tab");
  const chain: Chain = values.chain === "provider_keys" ? "provider_keys" : "tenant";
  return (
    <Page
      title="Audit trail"
      intro="Every change of your account, of both modes. An entry cannot be changed without breaking the chain."
      actions={<Export chain={chain} />}
    >
      <Group>
        <SegmentedControl
          aria-label="Chain"
          value={chain}
          onChange={(value) => set("chain", value === "tenant" ? null : value)}
          data={[
            { value: "tenant", label: "Everything" },
            { value: "provider_keys", label: "Provider keys" },
          ]}
        />
      </Group>
      <Tabs
        value={values.tab ?? "entries"}
        onChange={(tab) => set("tab", tab === "entries" ? null : tab)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="entries">Entries</Tabs.Tab>
          <Tabs.Tab value="verification">Verification</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="entries">
          <Group mb="md">
            <TextFilter
              label="Action"
              placeholder="project.created"
              value={values.action}
              set={(text) => set("action", text)}
            />
            <TextFilter
              label="Subject"
              placeholder="The id of an object"
              value={values.subject_id}
              set={(text) => set("subject_id", text)}
            />
          </Group>
          <Entries chain={chain} action={values.action} subjectId={values.subject_id} />
        </Tabs.Panel>
        <Tabs.Panel value="verification">
          <Verification key={chain} chain={chain} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Verification({ chain }: { readonly chain: Chain }) {
  return (
    <Stack gap="lg">
      <Section
        title="Verify"
        intro="Recomputes every hash of the chain, and compares the chain with its signed checkpoint outside of the database."
      >
        <VerifyChain chain={chain} />
      </Section>
      <Section title="Checkpoints" intro="Signed records of the chain's length and last hash, newest first.">
        <Checkpoints chain={chain} />
      </Section>
    </Stack>
  );
}

/** Filters when Enter is pressed or the field is left: each filter is a request. */
function TextFilter({
  label,
  placeholder,
  value = "",
  set,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly set: (text: string) => void;
}) {
  const { submit } = useSubmit(async (form) => set(textOf(form, "text").trim()));
  return (
    <form onSubmit={submit} onBlur={({ currentTarget }) => currentTarget.requestSubmit()}>
      <TextInput key={value} name="text" label={label} placeholder={placeholder} defaultValue={value} maxLength={100} />
    </form>
  );
}

interface EntriesProps {
  readonly chain: Chain;
  readonly action: string | undefined;
  readonly subjectId: string | undefined;
}

function Entries({ chain, action, subjectId }: EntriesProps) {
  const [shown, setShown] = useState<AuditEntry>();
  const query = { chain, limit: 50, ...(action && { action }), ...(subjectId && { subject_id: subjectId }) };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/audit/entries", { params: { query } }, PAGED));
  return (
    <>
      <ListTable
        label="Audit entries"
        list={list}
        rowKey={({ audit_id }) => audit_id}
        columns={columns(setShown)}
        empty={
          <Empty title="No entries here">
            <Text size="sm">
              {action || subjectId ? "No entry matches the filters." : "Entries appear with the first change."}
            </Text>
            {list.hasMore && (
              <Group>
                <Button size="xs" variant="default" onClick={list.loadMore}>
                  Search older entries
                </Button>
              </Group>
            )}
          </Empty>
        }
      />
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.action}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {shown !== undefined && <EntryDetails entry={shown} />}
      </Modal>
    </>
  );
}

function columns(open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  return [
    textColumn("Number", ({ sequence }) => sequence, MINOR),
    {
      title: "Action",
      csv: ({ action }) => action,
      show: (entry) => (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => open(entry)}>
          {entry.action}
        </Anchor>
      ),
    },
    {
      title: "Subject",
      isMinor: true,
      csv: ({ subject }) => subject.id,
      show: ({ subject: { type, id } }) => (
        <Stack gap={0}>
          <Dimmed>{formatName(type)}</Dimmed>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {id}
          </Text>
        </Stack>
      ),
    },
    textColumn("By", ({ actor }) => formatName(actor.type), MINOR),
    statusColumn("Mode", ({ mode }) => mode, MINOR),
    timeColumn("When", ({ occurred_at }) => occurred_at),
  ];
}

function EntryDetails({ entry }: { readonly entry: AuditEntry }) {
  const { actor, subject } = entry;
  return (
    <Stack>
      <Facts
        facts={[
          ["When", <Time key="when" at={entry.occurred_at} />],
          ["Number in the chain", String(entry.sequence)],
          ["Mode", <Status key="mode" status={entry.mode} />],
          ["By", `${formatName(actor.type)}${actor.ip === null ? "" : ` from ${actor.ip}`}`],
          ["Id of the actor", <CopyText key="actor" text={actor.id} what="actor id" />],
          ["API key", actor.key_id === null ? "None" : <CopyText key="key" text={actor.key_id} what="key id" />],
          [formatName(subject.type), <CopyText key="subject" text={subject.id} what="subject id" />],
          [
            "Request",
            entry.request_id === null ? "–" : <CopyText key="request" text={entry.request_id} what="request id" />,
          ],
          ["Hash", <CopyText key="hash" text={entry.hash} what="hash" shown={shorten(entry.hash)} />],
          [
            "Hash before it",
            <CopyText key="prev" text={entry.prev_hash} what="hash" shown={shorten(entry.prev_hash)} />,
          ],
        ]}
      />
      <Text size="sm" fw={600}>
        Facts
      </Text>
      <Snippet code={JSON.stringify(entry.facts, null, 2)} what="facts" />
    </Stack>
  );
}

const CHECKPOINT_COLUMNS: readonly Column<AuditCheckpoint>[] = [
  textColumn("Entries", ({ sequence }) => sequence),
  timeColumn("Signed", ({ time }) => time),
  idColumn("Head hash", ({ head_hash }) => head_hash),
  timeColumn("Anchored", ({ anchored_at }) => anchored_at),
];

function Checkpoints({ chain }: { readonly chain: Chain }) {
  const params = { query: { chain, limit: 5 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/audit/checkpoints", { params }, PAGED));
  return (
    <ListTable
      label="Checkpoints"
      list={list}
      rowKey={({ checkpoint_hash }) => checkpoint_hash}
      columns={CHECKPOINT_COLUMNS}
      empty={<Empty title="No checkpoint yet" />}
    />
  );
}

function Export({ chain }: { readonly chain: Chain }) {
  const save = async () => {
    const { data } = await api.GET("/audit/export", { params: { query: { chain } }, parseAs: "text" });
    downloadText(`audit-${chain}.jsonl`, data ?? "", "application/x-ndjson");
  };
  return (
    <ActionDialog
      title="Export the chain"
      button="Export"
      buttonProps={{ variant: "default", leftSection: <IconDownload size={16} /> }}
      action="Download JSON lines"
      run={save}
    >
      <Text size="sm">
        The file has the whole chain, one entry a line, with the entries of both modes. Verify it offline with
        verifyAuditExport of the SDK. The export itself becomes an entry.
      </Text>
    </ActionDialog>
  );
}
