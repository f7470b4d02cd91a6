import { Alert, Anchor, Text } from "@mantine/core";
import type { Service } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Id } from "../ui/names.tsx";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import { AddService } from "./add-service.tsx";
import { OperationProgress, useOperationIds } from "./operation-progress.tsx";
import type { ServiceActionProps, TabProps } from "./parts.tsx";
import { priceText } from "./plans.tsx";
import { ServiceActions } from "./service-actions.tsx";

/** The statuses in which an operation changes the service. */
const CHANGING: ReadonlySet<Service["status"]> = new Set([
  ...(["pending", "requires_action", "provisioning", "updating", "rotating", "removing"] as const),
]);

export function Services({ project }: TabProps) {
  const { project_id } = project;
  const { values, set } = useFilters("tab", "operation");
  const params = { path: { project_id }, query: { limit: 100 } };
  const query = hooks.useQuery(...(["get", "/projects/{project_id}/services", { params }] as const), {
    refetchInterval: ({ state }) => state.data?.data.some(isChanging) === true && 2_000,
  });
  const services = query.data?.data ?? [];
  const operations = useOperationIds(project_id, services.some(isChanging));
  const started = (operationId: string | undefined) => set("operation", operationId ?? null);
  const shown = values.operation;
  const empty = {
    title: "No services yet",
    text: "Add one from the catalog, or let your code or an agent add it:",
    code: `const { operation } = await purser.projects.services.add("${project_id}", { service: "neon/postgres" });
await purser.operations.waitFor(operation);`,
  };
  return (
    <Section
      intro="Databases and other products that providers run for this project. Their credentials are in its environment."
      actions={<AddService project={project} started={started} />}
    >
      {shown !== undefined && <OperationProgress operationId={shown} dismiss={() => started(undefined)} />}
      <Loaded query={query}>{({ data }) => data.length === 0 && <Empty {...empty} />}</Loaded>
      {services.map((service) => {
        const running = isChanging(service) ? operations.get(service.service_id) : undefined;
        const operationId = running === shown ? undefined : running;
        return <ServiceCard key={service.service_id} {...{ service, operationId, started }} />;
      })}
    </Section>
  );
}

function isChanging({ status }: Service): boolean {
  return CHANGING.has(status);
}

function ServiceCard({ service, operationId, started }: ServiceActionProps & { readonly operationId?: string }) {
  const { status, plan, pricing, env_names, credential, notification, pending_plan, service_id } = service;
  const actions = (
    <>
      <Status status={status} />
      <ServiceActions service={service} started={started} />
    </>
  );
  return (
    <Section title={service.name} intro={service.service} actions={actions}>
      <Facts
        facts={[
          ["Plan", pricing.type === "free" ? plan : `${plan}, ${priceText(pricing)}`],
          ["Region", service.region],
          ["Environments", service.environments.join(", ")],
          ["Variables", env_names.length === 0 ? "None yet" : env_names.join(", ")],
          ["Credential", <Credential key="credential" credential={credential} />],
          ["Id", <Id key="id" text={service_id} what="service id" />],
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
    </Section>
  );
}

function Credential({ credential: { version, rotated_at, previous_valid_until: until } }: Pick<Service, "credential">) {
  return (
    <>
      Version {version}
      {version > 1 && ", rotated "}
      {version > 1 && <Time at={rotated_at} />}
      {until !== null && ". The former one works until "}
      {until !== null && <Time at={until} />}
    </>
  );
}
