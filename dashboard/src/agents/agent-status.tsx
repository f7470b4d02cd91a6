import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";

const CHANGES = [
  {
    verb: "Suspend",
    path: "/agents/{agent_id}/suspend",
    from: ["active"],
    color: "gray",
    text: "Until you resume it, the agent and its descendants cannot act, and no money leaves their wallets.",
  },
  {
    verb: "Resume",
    path: "/agents/{agent_id}/resume",
    from: ["suspended"],
    color: "indigo",
    text: "The agent can act again, within its policies.",
  },
  {
    verb: "Revoke",
    path: "/agents/{agent_id}/revoke",
    from: ["active", "suspended"],
    color: "red",
    text: "This cannot be undone. Its wallets are frozen, and the keys that are bound only to it are revoked.",
  },
] as const;

/** Suspends, resumes and revokes an agent. Revoked and expired agents stay so. */
export function AgentStatus({ agent: { agent_id, name, status } }: { readonly agent: Agent }) {
  const [reason, setReason] = useState("");
  const request = { params: { path: { agent_id } }, body: reason === "" ? {} : { reason } };
  const possible = CHANGES.filter(({ from }) => from.some((each) => each === status));
  return possible.map(({ verb, path, color, text }) => (
    <ActionDialog
      key={verb}
      title={`${verb} ${name}`}
      button={verb}
      buttonProps={{ variant: "light", color }}
      action={`${verb} the agent`}
      isDangerous={verb === "Revoke"}
      typeToConfirm={verb === "Revoke" ? name : undefined}
      run={() => api.POST(path, request)}
    >
      <Text size="sm">{text}</Text>
      <Textarea
        label="Reason"
        description="Stored in the audit trail. Optional."
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ActionDialog>
  ));
}
