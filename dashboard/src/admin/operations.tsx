import { Alert, Button, Grid, Stack, Text, ThemeIcon, Timeline } from "@mantine/core";
import type { ReactNode } from "react";
import type { OperatorOperation } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatDuration, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { REASON } from "../ui/forms/fields.tsx";
import { IconCheck, IconPlayerPlay, IconX } from "../ui/icons/icons.ts";
import { useListFilters } from "../ui/lists/filters.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { NameLink } from "../ui/names.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

const STATUSES = [
  { value: "needs_operator", label: "Needs an operator" },
  { value: "running", label: "Running over ten minutes" },
];

export function Operations() {
  const filters = useListFilters({ status: ["Status", STATUSES] });
  const list = pagedRows(
    hooks.useInfiniteQuery("get", "/admin/operations", { params: { query: filters.query } }, PAGED),
  );
  return (
    <Page
      title="Stuck operations"
      intro="Operations that need an operator, then those that have run for more than ten minutes; the oldest first."
    >
      {filters.bar}
      <Loaded query={{ data: list.rows, error: list.error }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing is stuck" />
          ) : (
            rows.map((operation) => <OperationCard key={operation.operation_id} operation={operation} />)
          )
        }
      </Loaded>
      {list.hasMore && (
        <Button variant="default" w="fit-content" onClick={() => void list.loadMore()}>
          Load more
        </Button>
      )}
    </Page>
  );
}

interface Props {
  readonly operation: OperatorOperation;
}

function OperationCard({ operation }: Props) {
  const { type, status, error, stuck_step } = operation;
  return (
    <Section
      title={formatName(type.replaceAll(".", ": "))}
      actions={
        <>
          <Status status={status} />
          {status === "needs_operator" && <Retry operation={operation} />}
          {status === "needs_operator" && stuck_step !== null && (
            <Compensate key={stuck_step} operation={operation} step={stuck_step} />
          )}
        </>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            {error !== null && (
              <Alert color="red" title={formatName(error.code)}>
                {error.detail}
              </Alert>
            )}
            <Facts facts={factsOf(operation)} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Steps operation={operation} />
        </Grid.Col>
      </Grid>
    </Section>
  );
}

function factsOf(operation: OperatorOperation): [string, ReactNode][] {
  const { operation_id, developer_id, project_id, subject, request_id, created_at, updated_at, mode } = operation;
  const ids = {
    Operation: operation_id,
    [formatName(subject.type)]: subject.id,
    Project: project_id,
    Request: request_id,
  };
  return [
    ...Object.entries(ids).map(([name, id]): [string, ReactNode] => {
      return [name, id && <CopyText key={name} text={id} what={`${name.toLowerCase()} id`} />];
    }),
    ["Developer", <NameLink key="developer" to="/developers" id={developer_id} />],
    ["Mode", formatName(mode)],
    ["Began", <Time key="began" at={created_at} />],
    ["Last change", `${formatDuration(Date.now() - Date.parse(updated_at))} ago`],
  ];
}

const BULLETS: Readonly<Record<string, readonly [color: string, icon: ReactNode]>> = {
  succeeded: ["teal", <IconCheck key="icon" size={14} />],
  running: ["indigo", <IconPlayerPlay key="icon" size={14} />],
  failed: ["red", <IconX key="icon" size={14} />],
};

/** The steps in their order, with what has become of each. */
function Steps({ operation: { steps, stuck_step, undone_by_hand } }: Props) {
  const undoingOf = (name: string) => {
    if (undone_by_hand.includes(name)) return ", undone by hand";
    return name === stuck_step ? ", could not be undone at the provider" : "";
  };
  return (
    <Timeline bulletSize={22} lineWidth={2} aria-label="Steps">
      {steps.map(({ name, status, at }) => {
        const [color, icon] = BULLETS[status] ?? ["gray"];
        const bullet = <ThemeIcon {...{ size: 22, radius: "xl", variant: "light", color, children: icon }} />;
        return (
          <Timeline.Item key={name} bullet={bullet} mt="sm">
            <Text size="sm" fw={600}>
              {formatName(name)}
            </Text>
            <Text size="xs" c="dimmed">
              {formatName(status)}
              {undoingOf(name)}
              {at !== null && ", "}
              <Time at={at} none="" />
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function Retry({ operation: { operation_id, stuck_step } }: Props) {
  const text =
    stuck_step === null
      ? "It goes on from its failed step. Nothing is created or charged twice. If the step fails again, the operation is undone."
      : `“${formatName(stuck_step)}” is undone again at the provider, and then the other steps. The operation is not completed any more.`;
  return (
    <ActionDialog
      {...{ title: "Run the operation again", button: "Retry", action: "Run again", text }}
      run={() => api.POST("/admin/operations/{operation_id}/retry", { params: { path: { operation_id } } })}
    />
  );
}

function Compensate({ operation: { operation_id }, step }: Props & { step: string }) {
  return (
    <ActionDialog
      {...{ title: "Undo the operation", button: "Undo", isDangerous: true }}
      action="I have undone the step: undo the rest"
      text={`Purser could not undo “${formatName(step)}” at the provider. First undo it there by hand: delete what it created. Then say so here. Purser takes your word for it, undoes the other steps, and releases what was reserved. After that, the operation cannot be completed any more.`}
      fields={[
        { ...REASON, label: "What you did at the provider", description: SEEN, required: true, maxLength: 1_000 },
      ]}
      run={(body) =>
        api.POST("/admin/operations/{operation_id}/compensate", { params: { path: { operation_id } }, body })
      }
    />
  );
}

const SEEN = "The developer sees it in the audit trail.";
