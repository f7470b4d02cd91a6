import { Alert, CloseButton, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect } from "react";
import type { Operation } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { IconAlertCircle, IconCheck, IconCircleDashed, IconMinus, IconRotate2 } from "../ui/icons/icons.ts";
import { AppLink } from "../ui/navigation.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Steps } from "../ui/steps.tsx";
import { Status } from "../ui/values.tsx";

const POLL_INTERVAL_MS = 1_500;

interface OperationProgressProps {
  readonly operationId: string;
  readonly dismiss?: () => void;
}

function isOpen({ status }: Operation): boolean {
  return status === "running" || status === "requires_approval";
}

/** Shows the steps of an operation, and reads them again until it has ended. Then every list is read again. */
export function OperationProgress({ operationId, dismiss }: OperationProgressProps) {
  const client = useQueryClient();
  const params = { path: { operation_id: operationId } };
  const { data: operation, error } = hooks.useQuery(...(["get", "/operations/{operation_id}", { params }] as const), {
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data)) && POLL_INTERVAL_MS,
  });
  const hasEnded = operation !== undefined && !isOpen(operation);
  useEffect(() => {
    if (hasEnded)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== "/operations/{operation_id}" });
  }, [hasEnded, client]);
  if (operation === undefined) return <ProblemAlert error={error} />;
  const steps = operation.steps.map(({ name, status }) => {
    const [color, Icon, word = ""] = LOOKS[status];
    return { title: `${STEP_NAMES[name] ?? formatName(name)}${word}`, color, bullet: <Icon size={12} /> };
  });
  return (
    <Paper withBorder p="md" role="region" aria-label={TITLES[operation.type]}>
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Group gap="xs" aria-live="polite">
          <Text fw={600}>{TITLES[operation.type]}</Text>
          <Status status={operation.status} />
        </Group>
        {dismiss !== undefined && hasEnded && <CloseButton aria-label="Dismiss" onClick={dismiss} />}
      </Group>
      <Steps steps={steps} />
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

type StepStatus = Operation["steps"][number]["status"];
type Look = readonly [color: string, icon: ComponentType<{ readonly size: number }>, word?: string];

/** How a step is shown, and what is said beside its name. */
const LOOKS: Readonly<Record<StepStatus, Look>> = {
  pending: ["gray", IconCircleDashed],
  running: ["indigo", Loader, " · running"],
  succeeded: ["teal", IconCheck],
  failed: ["red", IconAlertCircle, " · failed"],
  compensated: ["orange", IconRotate2, " · undone"],
  skipped: ["gray", IconMinus, " · not needed"],
};

const STEP_NAMES: Readonly<Record<string, string>> = { kya_gate: "Agent check", audit: "Audit entry" };

/** What the user should know or do about the operation's state. */
function Outcome({ operation }: { readonly operation: Operation }) {
  const { status, error, type, expected_callback_seconds: seconds } = operation;
  const texts: Readonly<Partial<Record<Operation["status"], string>>> = {
    running: seconds === null ? "" : `Usually takes about ${seconds} seconds. It goes on if you leave this page.`,
    compensated: "Everything was undone. Nothing is left at the provider.",
    needs_operator: `It could not be undone. Purser's operators have been alerted${type === "service.add" ? "; a resource may be left at the provider" : ""}.`,
  };
  return (
    <Stack gap="xs" mt="sm">
      {error !== null && <Alert {...{ color: "red", title: error.title }}>{error.detail}</Alert>}
      {texts[status] && <Text size="sm">{texts[status]}</Text>}
      {status === "requires_approval" && (
        <Text size="sm">
          A person must agree first. <AppLink to="/approvals">Open the approvals</AppLink>
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
  const params = { path: { project_id: projectId }, query: { limit: 100 } };
  const options = { refetchInterval: isBusy ? 2_000 : (false as const) };
  const { data } = hooks.useQuery("get", "/projects/{project_id}/audit", { params }, options);
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
