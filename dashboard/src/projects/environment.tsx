import { Badge, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditEntry, EnvComparison } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { formatCount } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows, rowsOf } from "../ui/lists/use-list.ts";
import { actorText } from "../ui/names.tsx";
import { Empty } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import type { TabProps } from "./parts.tsx";

/** The names in the environment, who pulled it, and how to pull it. Values are never sent to the browser. */
export function Environment({ project }: TabProps) {
  const { project_id, environments } = project;
  return (
    <Stack gap="xl">
      <Variables project={project} />
      <CompareEnvironment project={project} />
      <Section
        title="Pull it"
        intro="Programs pull the values with a signed request. The CLI and the SDK check the signature."
      >
        <Snippet
          what="command"
          code={`purser login --base-url ${window.location.origin}
purser env pull --project ${project_id} --environment ${environments[0]}`}
        />
        <Snippet
          code={`const { env } = await purser.projects.env.pull("${project_id}", { environment: "${environments[0]}" });
Object.assign(process.env, env);`}
        />
      </Section>
      <Pulls projectId={project_id} />
    </Stack>
  );
}

/** Who pulled the environment, from the project's audit entries. */
function Pulls({ projectId }: { readonly projectId: string }) {
  const params = { path: { project_id: projectId }, query: { limit: 100 } };
  const query = hooks.useInfiniteQuery("get", "/projects/{project_id}/audit", { params }, PAGED);
  return (
    <Section title="Who pulled it" intro="Every pull, with its key and what it got.">
      <ListTable
        label="Pulls"
        list={pagedRows(query, ({ action }: AuditEntry) => action === "env.pulled")}
        rowKey={({ audit_id }) => audit_id}
        columns={PULLS}
        empty={<Text size="sm">This environment has not been pulled.</Text>}
      />
    </Section>
  );
}

const PULLS: readonly Column<AuditEntry>[] = [
  timeColumn("When", ({ occurred_at }) => occurred_at, {}),
  textColumn("Who", actorText),
  textColumn("From", ({ actor }) => actor.ip ?? "–", MINOR),
  textColumn("Environment", ({ facts }) => String(facts["environment"] ?? "–")),
  textColumn("Version", ({ facts }) => String(facts["version"] ?? "–"), MINOR),
  textColumn("Got", ({ facts }) => {
    if (facts["not_modified"] === true) return "Nothing new";
    return formatCount(Number(facts["count"]), facts["names_only"] === true ? "name" : "variable");
  }),
];

/** A variable of the project or of one of its services. The value is not part of it. */
interface Variable {
  readonly name: string;
  /** The service's name. Undefined for the project's own variables. */
  readonly service?: string;
  /** Whether the project has a variable of this name, whose value is pulled instead. */
  readonly isOverridden?: boolean;
  readonly environments: readonly string[];
  readonly sensitive?: boolean;
  readonly version: number;
  readonly updated_at: string;
}

function Variables({ project }: TabProps) {
  const { project_id } = project;
  const params = { path: { project_id }, query: { limit: 100 } };
  const own = pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/variables", { params }, PAGED));
  const services = hooks.useQuery("get", "/projects/{project_id}/services", { params });
  const added = services.data?.data.filter(({ credential }) => credential.version > 0) ?? [];
  const ofServices = added.flatMap((service): Variable[] =>
    service.env_names.map((name) => ({
      name,
      service: service.name,
      environments: service.environments,
      version: service.credential.version,
      updated_at: service.credential.rotated_at ?? service.created_at,
    })),
  );
  const withServices = (rows: readonly Variable[]): readonly Variable[] => {
    const names = new Set(rows.map(({ name }) => name));
    return [...rows, ...ofServices.map((row) => ({ ...row, isOverridden: names.has(row.name) }))];
  };
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
        columns={variableColumns(project)}
        empty={<Empty {...empty} />}
      />
    </Section>
  );
}

function variableColumns(project: TabProps["project"]): readonly Column<Variable>[] {
  return [
    textColumn("Name", ({ name }) => name, { show: ({ name }) => <code>{name}</code> }),
    textColumn("From", ({ service, isOverridden }) => {
      return service === undefined ? "Set here" : `${service}${isOverridden ? ", overridden by the one set here" : ""}`;
    }),
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

function VariableActions({ project, row }: TabProps & { readonly row: Variable }) {
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

const NAME = {
  ...{ name: "name", label: "Name", placeholder: "API_URL", pattern: "[A-Za-z_][A-Za-z0-9_]*" },
  description: "If a service has a variable of this name, programs pull yours instead.",
} as const;
const SENSITIVE = "It is a secret: programs that print the environment hide it";

/** Sets a new variable, or a new value of an existing one. */
function SetVariable({ project: { project_id, environments: data }, row }: TabProps & { readonly row?: Variable }) {
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

/** Compares a pasted `.env` file with an environment, name by name. What was pasted is gone when the dialog closes. */
function CompareEnvironment({ project: { project_id, environments: data } }: TabProps) {
  const [comparison, setComparison] = useState<EnvComparison>();
  const file = { label: "Your .env file", input: "lines", placeholder: "DATABASE_URL='postgres://…'" } as const;
  const compare = (
    <ActionDialog
      {...{ title: "Compare a .env file", buttonProps: { variant: "default" }, action: "Compare" }}
      text="Purser compares the values, forgets them, and records only how many there were. At most 200 names."
      fields={[
        { name: "file", ...file },
        { name: "environment", label: "Environment", input: "one", data, defaultValue: data[0] },
      ]}
      run={async ({ file: text, environment }, proof) => {
        const values = parseEnvironment(text);
        if (Object.keys(values).length === 0) throw new Error("The text has no lines such as NAME=value.");
        const params = { path: { project_id } };
        const body = { environment, values, ...proof };
        setComparison((await api.POST("/projects/{project_id}/env/compare", { params, body })).data);
      }}
    />
  );
  const intro = "Paste your .env file to see which values differ from an environment.";
  return (
    <Section title="Compare" intro={intro} actions={compare}>
      {comparison !== undefined && (
        <ListTable
          label={`Comparison with ${comparison.environment}`}
          list={rowsOf(comparison.names)}
          rowKey={({ name }) => name}
          columns={COMPARED_COLUMNS}
          empty={<Text size="sm">Neither the file nor the environment has a variable.</Text>}
        />
      )}
    </Section>
  );
}

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^\r\n]*))[ \t]*(?:#.*)?$/gm;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Reads the text of a `.env` file: plain, single-quoted and double-quoted values, comments, and `export`. */
function parseEnvironment(text: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const [, name = "", single, double, plain = ""] of text.matchAll(ASSIGNMENT)) {
    const unescaped = double?.replace(/\\([\s\S])/g, (_escape, letter: string) => ESCAPES[letter] ?? letter);
    values.set(name, single ?? unescaped ?? plain.replace(/(^|\s)#.*$/, "").trim());
  }
  return Object.fromEntries(values);
}

type Compared = EnvComparison["names"][number];

const RESULTS: Readonly<Record<Compared["result"], readonly [color: string, text: string]>> = {
  same: ["teal", "Same value"],
  differs: ["orange", "Different value"],
  missing: ["red", "Missing in your file"],
  extra: ["gray", "Only in your file"],
};

const COMPARED_COLUMNS: readonly Column<Compared>[] = [
  textColumn("Name", ({ name }) => name, { show: ({ name }) => <code>{name}</code> }),
  {
    title: "Result",
    csv: ({ result }) => result,
    show: ({ result }) => (
      <Badge variant="light" color={RESULTS[result][0]} tt="none">
        {RESULTS[result][1]}
      </Badge>
    ),
  },
];
