import { Group } from "@mantine/core";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Empty } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import type { TabProps } from "./parts.tsx";

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
  const intro = "Values are encrypted, and not shown here: programs pull them.";
  const code = `await purser.projects.variables.set("${project_id}", "API_URL", { value: "https://api.example.com" });`;
  const empty = { title: "No variables yet", text: "Add a service, or set one here or with the SDK:", code };
  return (
    <Section title="Variables" intro={intro} actions={<SetVariable project={project} />}>
      <ListTable
        label="Variables"
        list={{ ...own, rows: own.rows && withServices(own.rows), loadMore }}
        rowKey={({ name, service }) => `${service}/${name}`}
        columns={columns(project)}
        empty={<Empty {...empty} />}
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
  const params = { path: { project_id: project.project_id, name: row.name } };
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      <SetVariable project={project} row={row} />
      <ActionDialog
        {...{ title: `Delete ${row.name}`, button: "Delete", isSmall: true, action: "Delete the variable" }}
        isDangerous
        run={() => api.DELETE("/projects/{project_id}/variables/{name}", { params })}
        text="The next pull of the environment is without it. Its value cannot be restored."
      />
    </Group>
  );
}

const NAME = { name: "name", label: "Name", placeholder: "API_URL", pattern: "[A-Za-z_][A-Za-z0-9_]*" } as const;
const SENSITIVE = "It is a secret: programs that print the environment hide it";

/** Sets a new variable, or a new value of an existing one. */
function SetVariable({ project: { project_id, environments: data }, row }: TabProps & { readonly row?: Row }) {
  const value = { label: "Value", description: "It cannot be shown again.", maxLength: 32_768 };
  const fields: readonly Field[] = [
    ...(row === undefined ? [{ ...NAME, required: true, maxLength: 128 }] : []),
    { name: "value", ...value, input: "lines", autoComplete: "off" },
    { name: "environments", label: "Environments", input: "many", data, defaultValue: row?.environments ?? data },
    { name: "sensitive", label: SENSITIVE, input: "check", defaultChecked: row?.sensitive ?? true },
  ];
  return (
    <ActionDialog
      title={row === undefined ? "Set a variable" : `Set ${row.name}`}
      button={row === undefined ? "Set variable" : "Set"}
      {...{ isSmall: row !== undefined, action: "Set the variable", fields }}
      run={({ name = row?.name ?? "", value = "", ...typed }: Readonly<Record<string, string>>) => {
        const params = { path: { project_id, name } };
        const body = { value, environments: listOf(typed.environments ?? ""), sensitive: typed.sensitive !== "" };
        return api.PUT("/projects/{project_id}/variables/{name}", { params, body });
      }}
    />
  );
}
