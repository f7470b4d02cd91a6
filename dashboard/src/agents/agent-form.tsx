import type { Agent } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { metadataChange, metadataField, metadataOf } from "../ui/forms/pairs.tsx";
import { usePolicies } from "../ui/names.tsx";
import { useGo } from "../ui/navigation.tsx";

export function CreateAgent() {
  const go = useGo();
  return (
    <ActionDialog
      {...{ title: "Create an agent", button: "Create agent", action: "Create the agent" }}
      fields={useFields()}
      run={async ({ metadata, ...typed }) => {
        const { data } = await api.POST("/agents", { body: { ...bodyOf(typed), metadata: metadataOf(metadata) } });
        if (data !== undefined) go(`/agents/${data.agent_id}`);
      }}
    />
  );
}

export function EditAgent({ agent }: { readonly agent: Agent }) {
  return (
    <ActionDialog
      {...{ title: "Edit the agent", button: "Edit", buttonProps: { variant: "default" }, action: "Save" }}
      fields={useFields(agent)}
      run={({ metadata, ...typed }) => {
        const body = { ...bodyOf(typed), metadata: metadataChange(metadata, agent.metadata) };
        return api.PATCH("/agents/{agent_id}", { params: { path: { agent_id: agent.agent_id } }, body });
      }}
    />
  );
}

function useFields(agent?: Agent) {
  const about = "What it does, for the people who approve its payments.";
  const may = "What it may do. Policies that name the agent apply too.";
  const data = usePolicies();
  const name = { label: "Name", placeholder: "Buyer", required: true, maxLength: 100 };
  const description = { label: "Description", input: "lines", description: about, maxLength: 1_000 } as const;
  const policy = { label: "Policy", input: "object", description: may, placeholder: "None of its own", data } as const;
  return [
    { name: "name", ...name, defaultValue: agent?.name },
    { name: "description", ...description, defaultValue: agent?.description ?? "" },
    { name: "policy_id", ...policy, defaultValue: agent?.policy_id },
    metadataField(agent?.metadata ?? {}),
  ] as const;
}

function bodyOf({ name, description, policy_id }: Readonly<Record<"name" | "description" | "policy_id", string>>) {
  return { name, description: description || null, policy_id: policy_id || null };
}
