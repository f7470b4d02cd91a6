import { Alert, Button, Drawer, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { AddServiceRequest, CatalogProvider, CatalogService, Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Loaded } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { CatalogList } from "./catalog-list.tsx";
import { ConfigFields } from "./config-fields.tsx";
import { LinkOutcome, LinkProvider } from "./link-provider.tsx";
import { OperationProgress, useOperationIds } from "./operation-progress.tsx";
import { invalidFields, useCatalog } from "./parts.tsx";
import { PlanChoice, shownCost } from "./plans.tsx";

interface AddServiceProps {
  readonly project: Project;
  readonly started: (operationId: string | undefined) => void;
}

/** A drawer with the catalog. What it shows is in the URL, because linking a provider leaves this page and comes back. */
export function AddService({ project, started }: AddServiceProps) {
  const { values, set } = useFilters("tab", "add");
  const { add } = values;
  return (
    <>
      <Button onClick={() => set("add", "catalog")} disabled={project.status !== "active"}>
        Add service
      </Button>
      <Drawer
        opened={add !== undefined}
        onClose={() => set("add", null)}
        title="Add a service"
        position="right"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {add === "catalog" && <CatalogList choose={(service) => set("add", service)} />}
        {add !== undefined && add !== "catalog" && (
          <ChosenService key={add} project={project} id={add} started={started} back={() => set("add", "catalog")} />
        )}
      </Drawer>
    </>
  );
}

interface ChosenProps extends AddServiceProps {
  readonly id: string;
  readonly back: () => void;
}

/** The form for one service. If its provider is not linked, linking comes first. */
function ChosenService({ id, project, started, back }: ChosenProps) {
  const [provider = ""] = id.split("/");
  const catalog = useCatalog({ provider });
  const isLinked = project.links.some((link) => link.provider === provider && link.status === "linked");
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600}>{id}</Text>
        <Button variant="subtle" size="compact-sm" onClick={back}>
          Choose another
        </Button>
      </Group>
      <LinkOutcome projectId={project.project_id} />
      <Loaded query={catalog}>
        {({ data }) => {
          const entry = data.find((one) => one.provider === provider);
          const service = entry?.services.find((one) => one.service === id);
          if (entry === undefined || service === undefined) return <Text>The catalog has no service {id}.</Text>;
          if (!isLinked) {
            return (
              <>
                <Text size="sm">Your account at {entry.display_name} is not linked to this project yet.</Text>
                <LinkProvider projectId={project.project_id} provider={entry} back={{ tab: "services", add: id }} />
              </>
            );
          }
          return <ServiceForm project={project} provider={entry} service={service} started={started} />;
        }}
      </Loaded>
    </Stack>
  );
}

interface FormProps extends AddServiceProps {
  readonly provider: CatalogProvider;
  readonly service: CatalogService;
}

function ServiceForm({ project, provider, service, started }: FormProps) {
  const [plan, setPlan] = useState(service.plans[0]?.plan ?? null);
  const [region, setRegion] = useState(provider.regions[0] ?? null);
  const [name, setName] = useState("");
  const [config, setConfig] = useState<Record<string, unknown>>({});
  const { add, error, isRunning } = useAddService(project.project_id, started);
  // While the call waits for the provider, the audit trail names the operation that it has started.
  const operations = [...useOperationIds(project.project_id, isRunning).values()];
  const [known, setKnown] = useState<readonly string[]>([]);
  const addition = operations.findLast((id) => !known.includes(id));
  const chosen = service.plans.find((one) => one.plan === plan);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setKnown(operations);
    void add({
      service: service.service,
      config,
      accept_terms_version: provider.terms.version,
      ...(plan !== null && { plan }),
      ...(region !== null && { region }),
      ...(name !== "" && { name }),
      ...(chosen !== undefined && shownCost(chosen)),
    });
  };
  const errors = invalidFields(error);
  const needsCard = chosen?.payment_method_required === true && project.billing.status !== "ready";
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <Text size="sm">{service.description}</Text>
        <PlanChoice plans={service.plans} plan={plan} change={setPlan} />
        {needsCard && (
          <Alert color="orange" title="This plan needs a card">
            <AppLink to={`/projects/${project.project_id}?tab=billing`} size="sm">
              Add a card to the project first
            </AppLink>
          </Alert>
        )}
        <Select
          label="Region"
          data={provider.regions}
          searchable
          allowDeselect={false}
          value={region}
          error={errors["region"]}
          onChange={setRegion}
        />
        <TextInput
          label="Name"
          description="Letters, digits, dots, underscores and hyphens. Empty: the service's own name."
          placeholder="primary-db"
          maxLength={63}
          value={name}
          error={errors["name"]}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ConfigFields
          schema={service.config_schema}
          config={config}
          change={(next) => setConfig({ ...next })}
          errors={errors}
        />
        {isRunning && addition !== undefined && <OperationProgress operationId={addition} />}
        <ProblemAlert error={error} />
        <Button type="submit" loading={isRunning}>
          Add {service.service}
        </Button>
      </Stack>
    </form>
  );
}

/** Adds the service. The response can contain its credentials: only the id of the operation is kept. */
function useAddService(projectId: string, started: AddServiceProps["started"]) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const add = async (body: AddServiceRequest) => {
    setRunning(true);
    setError(undefined);
    try {
      const { data } = await api.POST("/projects/{project_id}/services", {
        params: { path: { project_id: projectId } },
        body,
      });
      await client.invalidateQueries();
      started(data?.operation.operation_id);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setRunning(false);
    }
  };
  return { add, error, isRunning };
}
