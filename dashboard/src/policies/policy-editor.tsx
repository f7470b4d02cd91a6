import { Alert, Button, Code, Group, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntry, InvalidField, Policy } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Dimmed } from "../ui/values.tsx";
import { type PolicyContent, PolicyForm, parseContent, placeOf, textOf } from "./policy-form.tsx";

/** A change that is not saved yet: the text of the JSON side, and the version that it starts from. */
export interface Draft {
  readonly text: string;
  readonly version: number;
}

interface EditorProps {
  readonly policy: Policy;
  readonly draft: Draft | undefined;
  readonly setDraft: (draft: Draft | undefined) => void;
}

/** A policy as a form and as JSON, side by side. The JSON is what is sent. */
export function PolicyEditor({ policy, draft, setDraft }: EditorProps) {
  const { mutate, error, isPending, reset } = hooks.useMutation("patch", "/policies/{policy_id}");
  const client = useQueryClient();
  const stored = textOf(policy);
  const { text, version } = draft ?? { text: stored, version: policy.version };
  const content = parseContent(text);
  const change = (next: string) => {
    reset();
    setDraft(next === stored ? undefined : { text: next, version });
  };
  const save = (parsed: PolicyContent) => {
    const request = { params: { path: { policy_id: policy.policy_id } }, body: { ...parsed, version } };
    mutate(request, { onSuccess: () => client.invalidateQueries().then(() => setDraft(undefined)) });
  };
  const errors = (error instanceof RequestError && error.problem.errors) || [];
  const hasForm = typeof content !== "string";
  const isOld = version !== policy.version;
  return (
    <Stack>
      {isOld && (
        <Alert color="orange">{`Your changes start from version ${version}, and the policy now has version ${policy.version}. Discard them to see it.`}</Alert>
      )}
      {policy.warnings?.map(({ pointer, detail }) => (
        <Alert color="orange" key={pointer} title="A condition can match nothing">
          {pointer}: {detail}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {hasForm ? (
          <PolicyForm content={content} errors={errors} change={(next) => change(JSON.stringify(next, null, 2))} />
        ) : (
          <Alert {...{ color: "orange", title: "The form cannot show this JSON" }}>{content}</Alert>
        )}
        <Textarea
          {...{ label: "JSON", autosize: true, minRows: 12, spellCheck: false, value: text }}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      </SimpleGrid>
      <Problems error={error} errors={errors} />
      {draft !== undefined && (
        <>
          <Text fw={600}>Unsaved changes</Text>
          <DiffView before={stored} after={text} />
          <Group>
            <Button onClick={() => hasForm && save(content)} loading={isPending} disabled={!hasForm}>
              Save as version {version + 1}
            </Button>
            <Button variant="default" onClick={() => change(stored)}>
              Discard
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

/** What is wrong with which part of the policy. The form shows it at its fields too. */
function Problems({ error, errors }: { readonly error: unknown; readonly errors: readonly InvalidField[] }) {
  if (errors.length === 0) return <ProblemAlert error={error} />;
  return (
    <Alert color="red" role="alert" title="The policy was not saved">
      {errors.map((each) => (
        <Text size="sm" key={each.pointer + each.detail}>
          <Code>{placeOf(each)}</Code> {each.detail}
        </Text>
      ))}
    </Alert>
  );
}

const BACKGROUNDS = { "+": "light-dark(#d3f9d8, #10391c)", "-": "light-dark(#ffe3e3, #4a1414)" };

/** The lines between the first and the last that differ: those of the text before, then those after. */
function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const start = old.findIndex((line, index) => line !== now[index]);
  const fromEnd = old.findLastIndex((line, index) => index < start || line !== now[now.length - old.length + index]);
  const end = Math.max(fromEnd + 1, start, start + old.length - now.length) - old.length;
  const lines = (mark: "-" | "+", text: readonly string[]) =>
    text.slice(start, text.length + end).map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity.
      <span key={mark + index} style={{ display: "block", background: BACKGROUNDS[mark] }}>
        {mark} {line}
      </span>
    ));
  return (
    <Code block tabIndex={0} role="region" aria-label="Changed lines" c="var(--mantine-color-text)">
      {lines("-", old)}
      {lines("+", now)}
    </Code>
  );
}

/** The versions of a policy, from its audit entries: the API returns the content of the current one only. */
export function Versions({ policy }: { readonly policy: Policy }) {
  const [change, setChange] = useState<readonly [before: Policy, after: Policy]>();
  const query = { subject_id: policy.policy_id, limit: 50 };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/audit/entries", { params: { query } }, PAGED));
  const versionOf = ({ facts }: AuditEntry) => Number(facts.version);
  return (
    <Stack>
      {change !== undefined && (
        <Alert color="teal" title={`What version ${change[1].version} changed`}>
          <DiffView before={textOf(change[0])} after={textOf(change[1])} />
        </Alert>
      )}
      <ListTable
        label="Versions"
        list={{ ...list, rows: list.rows?.filter(({ facts }) => typeof facts.version === "number") }}
        rowKey={({ audit_id }) => audit_id}
        columns={[
          { title: "Version", csv: versionOf, show: versionOf },
          { title: "Change", csv: changeOf, show: changeOf },
          textColumn("By", ({ actor }: AuditEntry) => formatName(actor.type)),
          timeColumn("At", ({ occurred_at }: AuditEntry) => occurred_at),
          {
            title: "Actions",
            align: "right",
            show: (entry) => <RollBack policy={policy} version={versionOf(entry)} done={setChange} />,
          },
        ]}
        empty={<Dimmed>The audit trail has no entries of this policy.</Dimmed>}
      />
    </Stack>
  );
}

function changeOf({ facts, action }: AuditEntry): string {
  if (typeof facts.restored_version === "number") return `Rolled back to version ${facts.restored_version}`;
  if (Array.isArray(facts.fields)) return `Changed ${facts.fields.join(", ")}`;
  return formatName(action.replace("policy.", ""));
}

interface RollBackProps {
  readonly policy: Policy;
  readonly version: number;
  readonly done: (change: readonly [before: Policy, after: Policy]) => void;
}

function RollBack({ policy, version, done }: RollBackProps) {
  if (version === policy.version) return <Dimmed>Current</Dimmed>;
  const run = async () => {
    const params = { path: { policy_id: policy.policy_id } };
    const { data } = await api.POST("/policies/{policy_id}/rollback", { params, body: { version } });
    if (data !== undefined) done([policy, data]);
  };
  return (
    <ActionDialog
      {...{ title: `Roll back to version ${version}`, button: "Roll back", isSmall: true, run }}
      action={`Make version ${policy.version + 1}`}
      text={`The new version has the name, the rules and the agents of version ${version}, and decides from the next operation on. You then see what it changed.`}
    />
  );
}
