import { useState } from "react";
import type { Agent, ApiKey, IssuedApiKey } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { PairDialog } from "../ui/forms/once-dialog.tsx";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Dimmed } from "../ui/values.tsx";

/** The keys that are bound to an agent, and a dialog that creates one. */
export function AgentKeys({ agent: { agent_id, status } }: { agent: Agent }) {
  const [pair, setPair] = useState<IssuedApiKey>();
  const keys = hooks.useInfiniteQuery("get", "/developers/me/keys", { params: { query: { limit: 100 } } }, PAGED);
  return (
    <>
      <ListTable
        label="Keys of the agent"
        list={pagedRows(keys, ({ agent_ids }) => agent_ids.includes(agent_id))}
        rowKey={({ key_id }) => key_id}
        columns={COLUMNS}
        empty={
          <Dimmed>No key is bound to this agent. With a key of its own, its code can act as this agent only.</Dimmed>
        }
      />
      {status === "active" && (
        <ActionDialog
          {...{ title: "Create a key for this agent", button: "Create key", action: "Create key pair" }}
          buttonProps={{ variant: "light", style: { alignSelf: "start" } }}
          text="Who has the key can act as this agent and as no other. It cannot approve what the agent asks."
          fields={[{ name: "name", label: "Name", placeholder: "Production worker", required: true, maxLength: 100 }]}
          run={async (body) => {
            setPair((await api.POST("/agents/{agent_id}/keys", { params: { path: { agent_id } }, body })).data);
          }}
        />
      )}
      <PairDialog
        {...{ title: "The agent's new key pair", pair, lines: `PURSER_AGENT_ID=${agent_id}\n` }}
        close={() => setPair(undefined)}
      />
    </>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  textColumn("Name", ({ name }) => name),
  textColumn("Key", ({ key_id }) => key_id, { show: (key) => `${key.key_prefix}${key.key_hint}` }),
  statusColumn(),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, MINOR, "Never"),
];
