import type { Agent } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Field, filledIn, REASON } from "../ui/forms/fields.tsx";
import { metadataChange, metadataField, metadataOf } from "../ui/forms/metadata.tsx";
import { usePolicies } from "../ui/names.tsx";
import { useGo } from "../ui/navigation.tsx";

export function CreateAgent() {
  const go = useGo();
  return (
    <ActionDialog
      {...{ title: "Create an agent", button: "Create agent", action: "Create the agent", fields: useAgentFields() }}
      run={async ({ name, description, policy_id, metadata }) => {
        const body = { name, description: description || null, policy_id: policy_id || null };
        const { data } = await api.POST("/agents", { body: { ...body, metadata: metadataOf(metadata) } });
        if (data !== undefined) go(`/agents/${data.agent_id}`);
      }}
    />
  );
}

export function EditAgent({ agent }: { agent: Agent }) {
  const params = { path: { agent_id: agent.agent_id } };
  return (
    <ActionDialog
      {...{ title: "Edit the agent", button: "Edit", action: "Save", fields: useAgentFields(agent) }}
      buttonProps={{ variant: "default" }}
      run={({ name, description, policy_id, metadata }) => {
        const body = { name, description: description || null, policy_id: policy_id || null };
        const change = metadataChange(metadata, agent.metadata);
        return api.PATCH("/agents/{agent_id}", { params, body: { ...body, metadata: change } });
      }}
    />
  );
}

type Name = "name" | "description" | "policy_id" | "metadata";

function useAgentFields(agent?: Agent): readonly Field<Name>[] {
  const policies = usePolicies();
  return [
    { name: "name", label: "Name", placeholder: "Buyer", required: true, maxLength: 100, defaultValue: agent?.name },
    {
      name: "description",
      label: "Description",
      description: "What it does, for the people who approve its payments.",
      input: "lines",
      maxLength: 1_000,
      defaultValue: agent?.description,
    },
    {
      name: "policy_id",
      label: "Policy",
      description: "What it may do. Policies that name the agent apply too.",
      placeholder: "None of its own",
      input: "object",
      data: policies,
      defaultValue: agent?.policy_id,
    },
    metadataField(agent?.metadata ?? {}),
  ];
}

const CHANGES = [
  {
    verb: "Suspend",
    path: "/agents/{agent_id}/suspend",
    from: ["active"],
    text: "Until you resume it, the agent and its descendants cannot act, and no money leaves their wallets.",
  },
  {
    verb: "Resume",
    path: "/agents/{agent_id}/resume",
    from: ["suspended"],
    text: "The agent can act again, within its policies.",
  },
  {
    verb: "Revoke",
    path: "/agents/{agent_id}/revoke",
    from: ["active", "suspended"],
    text: "This cannot be undone. Its wallets are frozen, and the keys that are bound only to it are revoked.",
  },
] as const;

/** Suspends, resumes and revokes an agent. Revoked and expired agents stay so. */
export function AgentStatus({ agent: { agent_id, name, status } }: { agent: Agent }) {
  const params = { path: { agent_id } };
  const possible = CHANGES.filter(({ from }) => from.some((each) => each === status));
  return possible.map(({ verb, path, text }) => (
    <ActionDialog
      key={verb}
      {...{ title: `${verb} ${name}`, button: verb, action: `${verb} the agent`, text, fields: [REASON] }}
      buttonProps={verb === "Revoke" ? {} : { variant: "default" }}
      typeToConfirm={verb === "Revoke" ? name : undefined}
      run={(values) => api.POST(path, { params, body: filledIn(values) })}
    />
  ));
}
