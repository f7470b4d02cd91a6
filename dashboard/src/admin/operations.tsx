import { Alert, Button, Grid, Stack, Text, Textarea, ThemeIcon, Timeline } from "@mantine/core";
import { IconCheck, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { OperatorOperation } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatDuration, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { FilterBar } from "../ui/lists/filters.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { NameLink } from "../ui/names.tsx";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

const STATUSES = [
  { value: "needs_operator", label: "Needs an operator" },
  { value: "running", label: "Running over ten minutes" },
];

export function Operations() {
  const filters = useFilters("status");
  const query = { limit: 25, ...filters.query };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/admin/operations", { params: { query } }, PAGED));
  return (
    <Page
      title="Stuck operations"
      intro="Operations that need an operator, then those that have run for more than ten minutes; the oldest first."
    >
      <FilterBar filters={filters} path="/operations" fields={{ status: ["Status", STATUSES] }} />
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
  return [
    ["Operation", <CopyText key="operation" text={operation_id} what="operation id" />],
    ["Developer", <NameLink key="developer" to="/developers" id={developer_id} />],
    [formatName(subject.type), <CopyText key="subject" text={subject.id} what={`${subject.type} id`} />],
    ["Project", project_id === null ? "–" : <CopyText key="project" text={project_id} what="project id" />],
    ["Mode", formatName(mode)],
    ["Request", request_id === null ? "–" : <CopyText key="request" text={request_id} what="request id" />],
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
        const bullet = (
          <ThemeIcon size={22} radius="xl" variant="light" color={color}>
            {icon}
          </ThemeIcon>
        );
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
  return (
    <ActionDialog
      title="Run the operation again"
      button="Retry"
      buttonProps={{ size: "sm" }}
      action="Run again"
      run={() => api.POST("/admin/operations/{operation_id}/retry", { params: { path: { operation_id } } })}
    >
      <Text size="sm">
        It goes on from its failed step{stuck_step !== null && ` (${formatName(stuck_step)})`}. Nothing is created or
        charged twice. If the step fails again, the operation is undone.
      </Text>
    </ActionDialog>
  );
}

function Compensate({ operation: { operation_id }, step }: Props & { readonly step: string }) {
  const [reason, setReason] = useState("");
  const params = { path: { operation_id } };
  return (
    <ActionDialog
      title="Undo the operation"
      button="Undo"
      buttonProps={{ size: "sm", variant: "light", color: "red" }}
      action="I have undone the step: undo the rest"
      isDangerous
      run={() => api.POST("/admin/operations/{operation_id}/compensate", { params, body: { reason } })}
    >
      <Stack>
        <Text size="sm">
          Purser could not undo “{formatName(step)}” at the provider. First undo it there by hand: delete what it
          created. Then say so here. Purser takes your word for it, undoes the other steps, and releases what was
          reserved. After that, the operation cannot be completed any more.
        </Text>
        <Textarea
          label="What you did at the provider"
          description="The developer sees it in the audit trail."
          required
          data-autofocus
          autosize
          minRows={2}
          maxLength={1_000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Stack>
    </ActionDialog>
  );
}
