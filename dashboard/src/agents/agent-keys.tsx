import { useState } from "react";
import type { Agent, ApiKey, IssuedApiKey } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { PairDialog } from "../ui/forms/once-dialog.tsx";
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
      {status === "active" && (
        <ActionDialog
          title="Create a key for this agent"
          button="Create key"
          buttonProps={{ variant: "light", style: { alignSelf: "start" } }}
          action="Create key pair"
          text="Who has the key can act as this agent and as no other. It cannot approve what the agent asks."
          fields={[{ name: "name", label: "Name", placeholder: "Production worker", required: true, maxLength: 100 }]}
          run={async (body) => {
            const { data } = await api.POST("/agents/{agent_id}/keys", { params: { path: { agent_id } }, body });
            setIssued(data);
          }}
        />
      )}
      <PairDialog
        title="The agent's new key pair"
        pair={issued}
        lines={`PURSER_AGENT_ID=${agent_id}\n`}
        close={() => setIssued(undefined)}
      />
    </>
  );
}
