export { AgentResource, presentAgent } from "./agent-resource.ts";
export { effectiveStatusAt } from "./agent-status.ts";
export { type AgentLimits, createAgent, type NewAgent } from "./create-agent.ts";
export { hideAgent } from "./hide-agent.ts";
export { useExternalToken, verifyExternalToken } from "./kya/external-token.ts";
export { issueKyaToken, KyaTokenResource } from "./kya/issue-kya-token.ts";
export { kyaLevelAt } from "./kya/kya.ts";
export { listAgents } from "./list-agents.ts";
export {
  type AgentKey,
  type AgentOverview,
  type AgentPosition,
  expiredAgents,
  hasAgent,
  listRevokedAgentIds,
  type ScopedAgentKey,
} from "./queries.ts";
export { registerAgent } from "./register-agent.ts";
export {
  getAgent,
  readEffectiveStatus,
  requireActiveAgent,
  requireAgent,
} from "./require-agent.ts";
export { type AgentTransition, setAgentStatus } from "./set-agent-status.ts";
export { type AgentChange, updateAgent } from "./update-agent.ts";
