import { type Route, withTag } from "../../route.ts";
import { agentStatusRoutes } from "./change-agent-status.ts";
import { createAgentRoute } from "./create-agent.ts";
import { createAgentKeyRoute } from "./create-agent-key.ts";
import { deleteAgentRoute } from "./delete-agent.ts";
import { getKyaTokenRoute } from "./get-kya-token.ts";
import { getAgentRoute, listAgentsRoute } from "./read-agents.ts";
import { updateAgentRoute } from "./update-agent.ts";

export const agentRoutes: readonly Route[] = withTag("Agents", [
  createAgentRoute,
  listAgentsRoute,
  getAgentRoute,
  updateAgentRoute,
  deleteAgentRoute,
  ...agentStatusRoutes,
  createAgentKeyRoute,
  getKyaTokenRoute,
]);
