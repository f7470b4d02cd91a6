import { Alert, Button, Code, Group, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { InvalidField, Policy } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { type PolicyContent, parseContent, placeOf, textOf } from "./content.ts";
import { PolicyForm } from "./policy-form.tsx";

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
export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
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
