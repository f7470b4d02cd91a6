import type { App } from "../../../app.ts";
import { resumeAgent } from "../../../workflows/index.ts";
import type { Server } from "../../route.ts";
import { addStatusRoute } from "./change-agent-status.ts";

export function resumeAgentRoute(server: Server, app: App): void {
  addStatusRoute(server, app, {
    verb: "resume",
    summary: "Resume an agent",
    description:
      "Makes a suspended agent active again. Descendants that are suspended themselves remain suspended. Does nothing if the agent is active. Fails with `conflict` if it is revoked or expired.",
    change: resumeAgent,
  });
}
