import type { App } from "../../../app.ts";
import { suspendAgent } from "../../../workflows/index.ts";
import type { Server } from "../../route.ts";
import { addStatusRoute } from "./change-agent-status.ts";

export function suspendAgentRoute(server: Server, app: App): void {
  addStatusRoute(server, app, {
    verb: "suspend",
    summary: "Suspend an agent",
    description:
      "Suspends an active agent until it is resumed. Neither the agent nor its descendants can act, and no money leaves their accounts. Does nothing if the agent is already suspended. Fails with `conflict` if it is revoked or expired.",
    change: suspendAgent,
  });
}
