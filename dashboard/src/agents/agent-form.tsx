import { Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Agent } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { usePolicies } from "../ui/names.tsx";
import { useGo } from "../ui/navigation.tsx";

const EMPTY: Pick<Agent, "name" | "description" | "policy_id" | "metadata"> = {
  name: "",
  description: null,
  policy_id: null,
  metadata: {},
};

export function CreateAgent() {
  const go = useGo();
  const form = useAgentForm(EMPTY);
  const create = async () => {
    const { data } = await api.POST("/agents", { body: { ...fieldsOf(form), metadata: metadataOf(form) } });
    form.reset();
    if (data !== undefined) go(`/agents/${data.agent_id}`);
  };
  return (
    <ActionDialog title="Create an agent" button="Create agent" action="Create the agent" run={create}>
      <Fields form={form} />
    </ActionDialog>
  );
}

export function EditAgent({ agent }: { readonly agent: Agent }) {
  const form = useAgentForm(agent);
  const save = () => {
    const removed = Object.fromEntries(Object.keys(agent.metadata).map((name) => [name, null]));
    const metadata = { ...removed, ...metadataOf(form) };
    const params = { path: { agent_id: agent.agent_id } };
    return api.PATCH("/agents/{agent_id}", { params, body: { ...fieldsOf(form), metadata } });
  };
  return (
    <ActionDialog title="Edit the agent" button="Edit" buttonProps={{ variant: "default" }} action="Save" run={save}>
      <Fields form={form} />
    </ActionDialog>
  );
}

type AgentForm = ReturnType<typeof useAgentForm>;

function useAgentForm({ name, description, policy_id, metadata }: typeof EMPTY) {
  const lines = Object.entries(metadata).map((pair) => pair.join("="));
  return useForm({
    initialValues: { name, description: description ?? "", policy_id, metadata: lines.join("\n") },
  });
}

function fieldsOf({ values: { name, description, policy_id } }: AgentForm) {
  return { name, description: description === "" ? null : description, policy_id };
}

function metadataOf({ values: { metadata } }: AgentForm): Record<string, string> {
  const lines = metadata.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name.trim(), value.join("=")];
    }),
  );
}

function Fields({ form }: { readonly form: AgentForm }) {
  const area = { autosize: true, minRows: 2 };
  return (
    <Stack>
      <TextInput
        label="Name"
        placeholder="Buyer"
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Textarea
        label="Description"
        description="What it does, for the people who approve its payments."
        maxLength={1_000}
        {...area}
        {...form.getInputProps("description")}
      />
      <Select
        label="Policy"
        description="What it may do. Policies that name the agent apply too."
        placeholder="None of its own"
        clearable
        searchable
        data={usePolicies()}
        {...form.getInputProps("policy_id")}
      />
      <Textarea
        label="Metadata"
        description="One per line: name=value."
        {...area}
        {...form.getInputProps("metadata")}
      />
    </Stack>
  );
}
