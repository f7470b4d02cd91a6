import { Alert, Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Service } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { shorten } from "../ui/format.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded } from "../ui/page.tsx";
import { Status, Time } from "../ui/values.tsx";
import { AddService } from "./add-service.tsx";
import { OperationProgress, useOperationIds } from "./operation-progress.tsx";
import type { TabProps } from "./parts.tsx";
import { Section } from "./parts.tsx";
import { priceText } from "./plans.tsx";
import { ServiceActions } from "./service-actions.tsx";

/** The statuses in which an operation changes the service. */
const CHANGING: ReadonlySet<Service["status"]> = new Set([
  "pending",
  "requires_action",
  "provisioning",
  "updating",
  "rotating",
  "removing",
]);

export function Services({ project }: TabProps) {
  const { project_id } = project;
  const { values, set } = useFilters("tab", "operation");
  const query = hooks.useQuery(
    "get",
    "/projects/{project_id}/services",
    { params: { path: { project_id }, query: { limit: 100 } } },
    { refetchInterval: ({ state }) => (state.data?.data.some(isChanging) === true ? 2_000 : false) },
  );
  const services = query.data?.data ?? [];
  const operations = useOperationIds(project_id, services.some(isChanging));
  const started = (operationId: string | undefined) => set("operation", operationId ?? null);
  const shown = values.operation;
  return (
    <Section
      intro="Databases and other products that providers run for this project. Their credentials are in its environment."
      actions={<AddService project={project} started={started} />}
    >
      {shown !== undefined && <OperationProgress operationId={shown} dismiss={() => started(undefined)} />}
      <Loaded query={query}>{({ data }) => data.length === 0 && <NoServices projectId={project_id} />}</Loaded>
      {services.map((service) => {
        const running = isChanging(service) ? operations.get(service.service_id) : undefined;
        return (
          <ServiceCard
            key={service.service_id}
            service={service}
            operationId={running === shown ? undefined : running}
            started={started}
          />
        );
      })}
    </Section>
  );
}

function isChanging({ status }: Service): boolean {
  return CHANGING.has(status);
}

function NoServices({ projectId }: { readonly projectId: string }) {
  return (
    <Empty title="No services yet">
      <Text size="sm">Add one from the catalog, or let your code or an agent add it:</Text>
      <Snippet
        code={`const { operation } = await purser.projects.services.add("${projectId}", { service: "neon/postgres" });
await purser.operations.waitFor(operation);`}
      />
    </Empty>
  );
}

interface CardProps {
  readonly service: Service;
  readonly operationId: string | undefined;
  readonly started: (operationId: string | undefined) => void;
}

function ServiceCard({ service, operationId, started }: CardProps) {
  const { name, status, plan, region, environments, env_names, credential, notification, pending_plan } = service;
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack>
        <Group justify="space-between" align="start">
          <div>
            <Group gap="xs">
              <Title order={2} size="h4">
                {name}
              </Title>
              <Status status={status} />
            </Group>
            <Text size="sm" c="dimmed">
              {service.service}
            </Text>
          </div>
          <ServiceActions service={service} started={started} />
        </Group>
        <Facts
          facts={[
            ["Plan", service.pricing.type === "free" ? plan : `${plan}, ${priceText(service.pricing)}`],
            ["Region", region],
            ["Environments", environments.join(", ")],
            ["Variables", env_names.length === 0 ? "None yet" : env_names.join(", ")],
            ["Credential", <Credential key="credential" credential={credential} />],
            [
              "Id",
              <CopyText key="id" text={service.service_id} shown={shorten(service.service_id)} what="service id" />,
            ],
          ]}
        />
        {pending_plan !== null && (
          <Text size="sm">
            Changes to the plan {pending_plan.plan} on <Time at={pending_plan.effective_at} />.
          </Text>
        )}
        {notification !== null && (
          <Alert color={notification.level === "error" ? "red" : "orange"} title={notification.title}>
            <Anchor href={notification.href} target="_blank" rel="noreferrer" size="sm">
              What to do
            </Anchor>
          </Alert>
        )}
        {operationId !== undefined && <OperationProgress operationId={operationId} />}
      </Stack>
    </Paper>
  );
}

function Credential({ credential }: { readonly credential: Service["credential"] }) {
  const { version, rotated_at, previous_valid_until } = credential;
  return (
    <>
      Version {version}
      {version > 1 && (
        <>
          , rotated <Time at={rotated_at} />
        </>
      )}
      {previous_valid_until !== null && (
        <>
          . The former one works until <Time at={previous_valid_until} />
        </>
      )}
    </>
  );
}
