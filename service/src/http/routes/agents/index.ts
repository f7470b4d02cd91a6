import type { Route } from "../../route.ts";
import { createAgentRoute } from "./create-agent.ts";
import { createAgentKeyRoute } from "./create-agent-key.ts";
import { deleteAgentRoute } from "./delete-agent.ts";
import { getAgentRoute } from "./get-agent.ts";
import { getKyaTokenRoute } from "./get-kya-token.ts";
import { listAgentsRoute } from "./list-agents.ts";
import { resumeAgentRoute } from "./resume-agent.ts";
import { revokeAgentRoute } from "./revoke-agent.ts";
import { suspendAgentRoute } from "./suspend-agent.ts";
import { updateAgentRoute } from "./update-agent.ts";

export const agentRoutes: readonly Route[] = [
  createAgentRoute,
  listAgentsRoute,
  getAgentRoute,
  updateAgentRoute,
  deleteAgentRoute,
  suspendAgentRoute,
  resumeAgentRoute,
  revokeAgentRoute,
  createAgentKeyRoute,
  getKyaTokenRoute,
];
