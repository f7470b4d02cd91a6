import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Agent, ApiKey, IssuedApiKey } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { OnceDialog } from "../ui/forms/once-dialog.tsx";
import { MINOR, statusColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { Dimmed } from "../ui/values.tsx";

/** The keys that are bound to an agent, and a dialog that creates one. */
export function AgentKeys({ agent: { agent_id, status } }: { readonly agent: Agent }) {
  const [issued, setIssued] = useState<IssuedApiKey>();
  const list = allRows(hooks.useQuery("get", "/developers/me/keys"));
  return (
    <>
      <ListTable
        label="Keys of the agent"
        list={{ ...list, rows: list.rows?.filter(({ agent_ids }) => agent_ids.includes(agent_id)) }}
        rowKey={({ key_id }) => key_id}
        columns={[
          { title: "Name", csv: ({ name }) => name, show: ({ name }) => name },
          { title: "Key", csv: ({ key_id }) => key_id, show: (key) => `${key.key_prefix}${key.key_hint}` },
          statusColumn(),
          timeColumn("Last used", ({ last_used_at }: ApiKey) => last_used_at, MINOR, "Never"),
        ]}
        empty={
          <Dimmed>No key is bound to this agent. With a key of its own, its code can act as this agent only.</Dimmed>
        }
      />
      {status === "active" && <CreateAgentKey agentId={agent_id} created={setIssued} />}
      <OnceDialog
        title="The agent's new key pair"
        secrets={
          issued && [
            ["API key", issued.api_key],
            ["API secret", issued.api_secret ?? ""],
          ]
        }
        environment={`PURSER_API_KEY=${issued?.api_key}\nPURSER_API_SECRET=${issued?.api_secret}\nPURSER_AGENT_ID=${agent_id}\n`}
        close={() => setIssued(undefined)}
      />
    </>
  );
}

function CreateAgentKey({
  agentId,
  created,
}: {
  readonly agentId: string;
  readonly created: (issued: IssuedApiKey | undefined) => void;
}) {
  const [name, setName] = useState("");
  const create = async () => {
    const params = { path: { agent_id: agentId } };
    const { data } = await api.POST("/agents/{agent_id}/keys", { params, body: { name } });
    setName("");
    created(data);
  };
  return (
    <ActionDialog
      title="Create a key for this agent"
      button="Create key"
      buttonProps={{ variant: "light", style: { alignSelf: "start" } }}
      action="Create key pair"
      run={create}
    >
      <Text size="sm">
        Who has the key can act as this agent and as no other. It cannot approve what the agent asks.
      </Text>
      <TextInput
        label="Name"
        placeholder="Production worker"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </ActionDialog>
  );
}
