import { Alert, CloseButton, Group, List, Loader, Paper, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconAlertCircle, IconCheck, IconCircleDashed, IconMinus, IconRotate2 } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { Operation } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { AppLink } from "../ui/navigation.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Status } from "../ui/values.tsx";

const POLL_INTERVAL_MS = 1_500;

function isOpen({ status }: Operation): boolean {
  return status === "running" || status === "requires_approval";
}

/** Shows the steps of an operation, and reads them again until it has ended. Then every list is read again. */
export function OperationProgress({
  operationId,
  subject,
  dismiss,
}: {
  readonly operationId: string;
  /** What it is done to: the service's name. */
  readonly subject?: string | undefined;
  readonly dismiss?: () => void;
}) {
  const client = useQueryClient();
  const { data: operation, error } = hooks.useQuery(
    "get",
    "/operations/{operation_id}",
    { params: { path: { operation_id: operationId } } },
    { refetchInterval: ({ state }) => (state.data !== undefined && !isOpen(state.data) ? false : POLL_INTERVAL_MS) },
  );
  const hasEnded = operation !== undefined && !isOpen(operation);
  useEffect(() => {
    if (hasEnded)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== "/operations/{operation_id}" });
  }, [hasEnded, client]);
  if (operation === undefined) return <ProblemAlert error={error} />;
  return (
    <Paper withBorder p="md" role="region" aria-label={TITLES[operation.type]}>
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Group gap="xs" aria-live="polite">
          <Text fw={600}>
            {subject === undefined ? TITLES[operation.type] : `${TITLES[operation.type]}: ${subject}`}
          </Text>
          <Status status={operation.status} />
        </Group>
        {dismiss !== undefined && hasEnded && <CloseButton aria-label="Dismiss" onClick={dismiss} />}
      </Group>
      <Steps steps={operation.steps} />
      <Outcome operation={operation} />
    </Paper>
  );
}

const TITLES: Readonly<Record<Operation["type"], string>> = {
  "service.add": "Adding a service",
  "service.rotate": "Rotating credentials",
  "service.upgrade": "Changing the plan",
  "service.remove": "Removing a service",
  "project.delete": "Deleting the project",
};

type Step = Operation["steps"][number];

const ICONS: Readonly<Record<Step["status"], readonly [color: string, icon: ReactNode]>> = {
  pending: ["gray", <IconCircleDashed key="pending" size={14} />],
  running: ["indigo", <Loader key="running" size={12} />],
  succeeded: ["teal", <IconCheck key="succeeded" size={14} />],
  failed: ["red", <IconAlertCircle key="failed" size={14} />],
  compensated: ["orange", <IconRotate2 key="compensated" size={14} />],
  skipped: ["gray", <IconMinus key="skipped" size={14} />],
};

/** Steps with these states say so beside their names. */
const WORDS: Readonly<Partial<Record<Step["status"], string>>> = {
  running: "running",
  failed: "failed",
  compensated: "undone",
  skipped: "not needed",
};

const STEP_NAMES: Readonly<Record<string, string>> = { kya_gate: "Agent check", audit: "Audit entry" };

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <List spacing={6} size="sm" center listStyleType="none">
      {steps.map(({ name, status }) => {
        const [color, icon] = ICONS[status];
        return (
          <List.Item
            key={name}
            icon={
              <ThemeIcon size={22} radius="xl" variant="light" color={color} aria-hidden>
                {icon}
              </ThemeIcon>
            }
          >
            {STEP_NAMES[name] ?? formatName(name)}
            {WORDS[status] !== undefined && (
              <Text span size="sm" c="dimmed">
                {` · ${WORDS[status]}`}
              </Text>
            )}
          </List.Item>
        );
      })}
    </List>
  );
}

/** What the user should know or do about the operation's state. */
function Outcome({
  operation: { status, error, type, expected_callback_seconds: seconds },
}: {
  readonly operation: Operation;
}) {
  return (
    <Stack gap="xs" mt="sm">
      {status === "running" && seconds !== null && (
        <Text size="sm" c="dimmed">
          Usually takes about {seconds} seconds. It goes on if you leave this page.
        </Text>
      )}
      {status === "requires_approval" && (
        <Text size="sm">
          A person must agree first. <AppLink to="/approvals">Open the approvals</AppLink>
        </Text>
      )}
      {error !== null && (
        <Alert color="red" title={error.title}>
          {error.detail}
        </Alert>
      )}
      {status === "compensated" && <Text size="sm">Everything was undone. Nothing is left at the provider.</Text>}
      {status === "needs_operator" && (
        <Text size="sm">
          It could not be undone. Purser's operators have been alerted
          {type === "service.add" && "; a resource may be left at the provider"}.
        </Text>
      )}
    </Stack>
  );
}

/**
 * The operation that a person or an agent has started last on each subject, by the subject's id, from the audit trail: so its
 * progress is shown also after a reload, and while the call that started it still waits.
 */
export function useOperationIds(projectId: string, isBusy: boolean): ReadonlyMap<string, string> {
  const { data } = hooks.useQuery(
    "get",
    "/projects/{project_id}/audit",
    { params: { path: { project_id: projectId }, query: { limit: 100 } } },
    { refetchInterval: isBusy ? 2_000 : false },
  );
  const started = (data?.data ?? []).flatMap(({ action, subject, facts }) => {
    const { operation_id: id } = facts;
    return action.endsWith("requested") && typeof id === "string" ? [[subject.id, id] as const] : [];
  });
  // The newest entry is the first.
  return new Map(started.reverse());
}

export function DeletionProgress({ projectId }: { readonly projectId: string }) {
  const operationId = useOperationIds(projectId, true).get(projectId);
  if (operationId === undefined) return <Alert color="orange">The project is being deleted.</Alert>;
  return <OperationProgress operationId={operationId} />;
}
