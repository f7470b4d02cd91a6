import type { App } from "../../../app.ts";
import { revokeAgent } from "../../../workflows/index.ts";
import type { Server } from "../../route.ts";
import { addStatusRoute } from "./change-agent-status.ts";

export function revokeAgentRoute(server: Server, app: App): void {
  addStatusRoute(server, app, {
    verb: "revoke",
    summary: "Revoke an agent",
    description:
      "Revokes the agent for ever. API keys that are bound only to revoked agents are revoked too, and its wallets are frozen. Its children remain, but cannot act. If the agent is already revoked, only wallets that were unfrozen since are frozen again.",
    change: revokeAgent,
  });
}
