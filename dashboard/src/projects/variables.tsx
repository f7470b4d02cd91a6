import { Group, MultiSelect, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Empty } from "../ui/page.tsx";
import type { TabProps } from "./parts.tsx";
import { invalidFields, Section, SMALL, SMALL_RED } from "./parts.tsx";

/** A variable of the project or of one of its services. The value is not part of it. */
interface Row {
  readonly name: string;
  /** The service's name. Undefined for the project's own variables. */
  readonly service?: string;
  readonly environments: readonly string[];
  readonly sensitive?: boolean;
  readonly version: number;
  readonly updated_at: string;
}

export function Variables({ project }: TabProps) {
  const { project_id } = project;
  const params = { path: { project_id }, query: { limit: 100 } };
  const own = pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/variables", { params }, PAGED));
  const services = hooks.useQuery("get", "/projects/{project_id}/services", { params });
  const ofServices = (services.data?.data ?? []).flatMap((service): Row[] =>
    service.env_names.map((name) => ({
      name,
      service: service.name,
      environments: service.environments,
      version: service.credential.version,
      updated_at: service.credential.rotated_at ?? service.created_at,
    })),
  );
  const withServices = (rows: readonly Row[]): readonly Row[] => [...rows, ...ofServices];
  const loadMore = async () => {
    const next = await own.loadMore();
    return { ...next, rows: withServices(next.rows) };
  };
  return (
    <Section
      title="Variables"
      intro="Values are encrypted, and not shown here: programs pull them."
      actions={<SetVariable project={project} />}
    >
      <ListTable
        label="Variables"
        list={{ ...own, rows: own.rows && withServices(own.rows), loadMore }}
        rowKey={({ name, service }) => `${service}/${name}`}
        columns={columns(project)}
        empty={
          <Empty title="No variables yet">
            <Text size="sm">Add a service, or set one here or with the SDK:</Text>
            <Snippet
              code={`await purser.projects.variables.set("${project_id}", "API_URL", { value: "https://api.example.com" });`}
            />
          </Empty>
        }
      />
    </Section>
  );
}

function columns(project: TabProps["project"]): readonly Column<Row>[] {
  return [
    textColumn("Name", ({ name }) => name, { show: ({ name }) => <code>{name}</code> }),
    textColumn("From", ({ service }) => service ?? "Set here"),
    textColumn("Environments", ({ environments }) => environments.join(", "), MINOR),
    textColumn("Secret", ({ sensitive }) => (sensitive === undefined ? "–" : sensitive ? "Yes" : "No"), MINOR),
    textColumn("Version", ({ version }) => version, MINOR),
    timeColumn("Changed", ({ updated_at }) => updated_at),
    {
      title: "Actions",
      align: "right",
      show: (row) => (row.service === undefined ? <VariableActions project={project} row={row} /> : null),
    },
  ];
}

function VariableActions({ project, row }: TabProps & { readonly row: Row }) {
  const { name } = row;
  const params = { path: { project_id: project.project_id, name } };
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      <SetVariable project={project} row={row} />
      <ActionDialog
        title={`Delete ${name}`}
        button="Delete"
        buttonProps={SMALL_RED}
        action="Delete the variable"
        isDangerous
        run={() => api.DELETE("/projects/{project_id}/variables/{name}", { params })}
      >
        <Text size="sm">The next pull of the environment is without it. Its value cannot be restored.</Text>
      </ActionDialog>
    </Group>
  );
}

/** Sets a new variable, or a new value of an existing one. The value is forgotten when the server has it. */
function SetVariable({ project, row }: TabProps & { readonly row?: Row }) {
  const form = useForm({
    initialValues: {
      name: row?.name ?? "",
      value: "",
      environments: [...(row?.environments ?? project.environments)],
      sensitive: row?.sensitive ?? true,
    },
  });
  const save = async () => {
    const { name, ...body } = form.values;
    await api.PUT("/projects/{project_id}/variables/{name}", {
      params: { path: { project_id: project.project_id, name } },
      body,
    });
    form.reset();
  };
  return (
    <ActionDialog
      title={row === undefined ? "Set a variable" : `Set ${row.name}`}
      button={row === undefined ? "Set variable" : "Set"}
      {...(row !== undefined && { buttonProps: SMALL })}
      action="Set the variable"
      run={save}
    >
      {(error) => {
        const errors = invalidFields(error);
        return (
          <Stack>
            {row === undefined && (
              <TextInput
                label="Name"
                placeholder="API_URL"
                required
                maxLength={128}
                pattern="[A-Za-z_][A-Za-z0-9_]*"
                data-autofocus
                error={errors["name"]}
                {...form.getInputProps("name")}
              />
            )}
            <Textarea
              label="Value"
              description="It cannot be shown again."
              autosize
              maxRows={8}
              maxLength={32_768}
              autoComplete="off"
              spellCheck={false}
              error={errors["value"]}
              {...form.getInputProps("value")}
            />
            <MultiSelect
              label="Environments"
              data={project.environments}
              error={errors["environments"]}
              {...form.getInputProps("environments")}
            />
            <Switch
              label="It is a secret"
              description="Programs that print the environment hide secrets."
              {...form.getInputProps("sensitive", { type: "checkbox" })}
            />
          </Stack>
        );
      }}
    </ActionDialog>
  );
}
