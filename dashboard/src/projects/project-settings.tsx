import { MultiSelect, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Project } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { AppLink } from "../ui/navigation.tsx";
import { Facts } from "../ui/page.tsx";
import { DeleteProject } from "./delete-project.tsx";
import type { TabProps } from "./parts.tsx";
import { invalidFields, Section } from "./parts.tsx";

export function ProjectSettings({ project }: TabProps) {
  const { agents, policies } = useChoices();
  const labelOf = (choices: readonly Choice[], id: string) => choices.find(({ value }) => value === id)?.label ?? id;
  const { description, agent_ids, policy_id, environments, slug, metadata } = project;
  return (
    <Stack gap="xl" maw={720}>
      <Section
        title="General"
        intro="Agents of the project can pull its environment, add services and pay, as far as their policies allow."
        actions={<EditProject key={project.updated_at} project={project} />}
      >
        <Facts
          facts={[
            ["Name", project.name],
            ["Slug", slug],
            ["Description", description ?? "None"],
            ["Environments", environments.join(", ")],
            ["Agents", agent_ids.length === 0 ? "None" : agent_ids.map((id) => labelOf(agents, id)).join(", ")],
            [
              "Policy",
              policy_id === null ? (
                "None of its own"
              ) : (
                <AppLink key="policy" to={`/policies/${policy_id}`} size="sm">
                  {labelOf(policies, policy_id)}
                </AppLink>
              ),
            ],
            ["Metadata", linesOf(metadata).replaceAll("\n", ", ") || "None"],
          ]}
        />
      </Section>
      <DeleteProject project={project} />
    </Stack>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function useChoices(): { readonly agents: Choice[]; readonly policies: Choice[] } {
  const agents = hooks.useQuery("get", "/agents", { params: { query: { limit: 100 } } });
  const policies = hooks.useQuery("get", "/policies", { params: { query: { limit: 100 } } });
  return {
    agents: (agents.data?.data ?? []).map(({ agent_id, name }) => ({ value: agent_id, label: name ?? agent_id })),
    policies: (policies.data?.data ?? []).map(({ policy_id, name }) => ({ value: policy_id, label: name })),
  };
}

const linesOf = (metadata: Project["metadata"]) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}=${value}`)
    .join("\n");

function EditProject({ project }: TabProps) {
  const { agents, policies } = useChoices();
  const { project_id, name, description, agent_ids, policy_id, metadata } = project;
  const initial = { name, description: description ?? "", agent_ids, policy_id, metadata: linesOf(metadata) };
  const form = useForm({ initialValues: initial });
  const save = () => {
    const removed = Object.fromEntries(Object.keys(metadata).map((key) => [key, null]));
    const { metadata: lines, ...values } = form.values;
    return api.PATCH("/projects/{project_id}", {
      params: { path: { project_id } },
      body: {
        ...values,
        description: values.description || null,
        metadata: { ...removed, ...Object.fromEntries(pairsOf(lines)) },
      },
    });
  };
  return (
    <ActionDialog title="Edit the project" buttonProps={{ variant: "default" }} action="Save" run={save}>
      {(error) => (
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={100}
            error={invalidFields(error)["name"]}
            {...form.getInputProps("name")}
          />
          <Textarea label="Description" autosize maxLength={1_000} {...form.getInputProps("description")} />
          <MultiSelect label="Agents" searchable data={agents} {...form.getInputProps("agent_ids")} />
          <Select
            label="Policy"
            description="Applies to the project beside the policies that name it."
            placeholder="None"
            searchable
            clearable
            clearButtonProps={{ "aria-label": "No policy" }}
            data={policies}
            {...form.getInputProps("policy_id")}
          />
          <Textarea
            label="Metadata"
            description="Your own keys and values, one key=value in each line."
            autosize
            {...form.getInputProps("metadata")}
          />
        </Stack>
      )}
    </ActionDialog>
  );
}

function pairsOf(lines: string): [string, string][] {
  return lines.split("\n").flatMap((line): [string, string][] => {
    const [key = "", ...value] = line.split("=");
    return key.trim() === "" ? [] : [[key.trim(), value.join("=").trim()]];
  });
}
