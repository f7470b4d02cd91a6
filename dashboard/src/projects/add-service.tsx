import { Alert, Badge, Button, Drawer, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { CatalogProvider, CatalogService, Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { SMALL } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { AppLink, useFilters } from "../ui/navigation.tsx";
import { Loaded } from "../ui/page.tsx";
import { Status } from "../ui/values.tsx";
import { LinkOutcome, LinkProvider } from "./links.tsx";
import { OperationProgress, useOperationIds } from "./operation-progress.tsx";
import { PlanChoice, priceText, shownCost, useCatalog } from "./parts.tsx";

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
        {...{ opened: add !== undefined, onClose: () => set("add", null), title: "Add a service" }}
        {...{ position: "right", size: "lg", closeButtonProps: { "aria-label": "Close" } }}
      >
        {add === "catalog" && <Catalog choose={(service) => set("add", service)} />}
        {add !== undefined && add !== "catalog" && (
          <Chosen key={add} {...{ project, id: add, started, back: () => set("add", "catalog") }} />
        )}
      </Drawer>
    </>
  );
}

/** The providers and their services, with a search. */
function Catalog({ choose }: { readonly choose: (service: string) => void }) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), 250);
  const catalog = useCatalog(q === "" ? {} : { q });
  return (
    <Stack>
      <TextInput
        {...{ label: "Search the catalog", placeholder: "postgres, queue, analytics", maxLength: 100, value: search }}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        data-autofocus
      />
      <Loaded query={catalog}>
        {({ data }) => (
          <>
            {data.length === 0 && <Text size="sm">Nothing in the catalog matches.</Text>}
            {data.map((provider) => (
              <Provider key={provider.provider} provider={provider} choose={choose} />
            ))}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

interface ProviderProps {
  readonly provider: CatalogProvider;
  readonly choose: (service: string) => void;
}

function Provider({ provider: { display_name, categories, health, services }, choose }: ProviderProps) {
  return (
    <Paper withBorder p="sm" component="section" aria-label={display_name}>
      <Group gap="xs" mb="xs">
        <Text fw={600}>{display_name}</Text>
        {categories.map((category) => (
          <Badge key={category} variant="light" color="gray" tt="none">
            {category}
          </Badge>
        ))}
        {health !== "ok" && <Status status={health} />}
      </Group>
      <Stack gap="sm">
        {services.map(({ service, description, plans }) => (
          <Group key={service} justify="space-between" align="start" wrap="nowrap">
            <Text size="sm" c="dimmed" component="div" miw={0}>
              <Text size="sm" fw={600} c="var(--mantine-color-text)">
                {service}
              </Text>
              <div>{description}</div>
              {plans.map((plan) => `${plan.plan}: ${priceText(plan.pricing)}`).join(" · ")}
            </Text>
            <Button {...SMALL} flex="none" onClick={() => choose(service)} aria-label={`Choose ${service}`}>
              Choose
            </Button>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

interface ChosenProps extends AddServiceProps {
  readonly id: string;
  readonly back: () => void;
}

/** The form for one service. If its provider is not linked, linking comes first. */
function Chosen({ id, project, started, back }: ChosenProps) {
  const [name = ""] = id.split("/");
  const catalog = useCatalog({ provider: name });
  const isLinked = project.links.some((link) => link.provider === name && link.status === "linked");
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
          const provider = data.find((one) => one.provider === name);
          const service = provider?.services.find((one) => one.service === id);
          if (provider === undefined || service === undefined) return <Text>The catalog has no service {id}.</Text>;
          if (isLinked) return <ServiceForm {...{ project, provider, service, started }} />;
          return (
            <>
              <Text size="sm">Your account at {provider.display_name} is not linked to this project yet.</Text>
              <LinkProvider projectId={project.project_id} provider={provider} back={`tab=services&add=${id}`} />
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

interface FormProps extends AddServiceProps {
  readonly provider: CatalogProvider;
  readonly service: CatalogService;
}

const NAME_RULE = "Letters, digits, dots, underscores and hyphens. Empty: the service's own name.";

function ServiceForm({ project, provider, service, started }: FormProps) {
  const [plan, setPlan] = useState(service.plans[0]?.plan ?? null);
  const chosen = service.plans.find((one) => one.plan === plan);
  const form = useSubmit(async (fields) => {
    setKnown(operations);
    const { data } = await api.POST("/projects/{project_id}/services", {
      params: { path: { project_id: project.project_id } },
      body: {
        ...{ service: service.service, config: configOf(service, fields), plan: plan ?? undefined },
        ...{ region: textOf(fields, "region") || undefined, name: textOf(fields, "name") || undefined },
        accept_terms_version: provider.terms.version,
        max_monthly_cost: chosen && shownCost(chosen),
      },
    });
    // The response can contain the credentials: only the id of the operation is kept.
    started(data?.operation.operation_id);
  });
  // While the call waits for the provider, the audit trail names the operation that it has started.
  const operations = [...useOperationIds(project.project_id, form.isRunning).values()];
  const [known, setKnown] = useState<readonly string[]>([]);
  const addition = operations.findLast((id) => !known.includes(id));
  const regions = { input: "one", data: provider.regions, defaultValue: provider.regions[0] } as const;
  const fields: readonly Field[] = [
    { name: "region", label: "Region", ...regions },
    { name: "name", label: "Name", description: NAME_RULE, placeholder: "primary-db", maxLength: 63 },
    ...configFields(service),
  ];
  const needsCard = chosen?.payment_method_required === true && project.billing.status !== "ready";
  return (
    <SubmitForm form={form} action={`Add ${service.service}`} fields={fields} isDisabled={needsCard}>
      <Text size="sm">{service.description}</Text>
      <PlanChoice plans={service.plans} plan={plan} change={setPlan} />
      {needsCard && (
        <Alert color="orange" title="This plan needs a card">
          <AppLink to={`/projects/${project.project_id}?tab=billing`} size="sm">
            Add a card to the project first
          </AppLink>
        </Alert>
      )}
      {form.isRunning && addition !== undefined && <OperationProgress operationId={addition} />}
    </SubmitForm>
  );
}

/** The parts of JSON Schema that catalogs use for the configuration of a service. */
interface ConfigSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly default?: unknown;
}

function schemasOf({ config_schema }: CatalogService): [name: string, schema: ConfigSchema][] {
  return Object.entries(Object(config_schema["properties"]));
}

const choicesOf = (schema: ConfigSchema) => schema.enum ?? (schema.type === "boolean" ? [true, false] : undefined);

/** One field for each part of a service's configuration. */
function configFields(service: CatalogService): Field[] {
  const required = Object(service.config_schema["required"] ?? []);
  return schemasOf(service).map(([name, schema]) => {
    const data = choicesOf(schema)?.map(String);
    return {
      ...{ name: `config.${name}`, label: schema.title ?? formatName(name), description: schema.description },
      ...(data !== undefined && { input: "one" as const, data }),
      ...{ pattern: data ? undefined : schema.pattern, required: Object.values(required).includes(name) },
      placeholder: schema.default === undefined ? "Default" : `Default: ${String(schema.default)}`,
    };
  });
}

/** Returns the configuration, without what is empty. Texts are sent as they are; numbers, lists and objects are typed as JSON. */
function configOf(service: CatalogService, form: FormData): Record<string, unknown> {
  const parse = (text: string, { type }: ConfigSchema): unknown => {
    if (type === "string") return text;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  const typed = schemasOf(service).flatMap(([name, schema]) => {
    const text = textOf(form, `config.${name}`);
    const choice = choicesOf(schema)?.find((one) => String(one) === text);
    return text === "" ? [] : [[name, choice ?? parse(text, schema)]];
  });
  return Object.fromEntries(typed);
}
