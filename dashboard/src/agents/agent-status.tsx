import type { Agent } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { filledIn, REASON } from "../ui/forms/fields.tsx";

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
