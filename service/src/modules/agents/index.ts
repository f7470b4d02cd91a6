export { AgentResource, presentAgent } from "./agent-resource.ts";
export { effectiveStatusAt } from "./agent-status.ts";
export { createAgent, type NewAgent, registerAgent } from "./create-agent.ts";
export { issueKyaToken, KyaTokenResource } from "./kya/issue-kya-token.ts";
export { kyaLevelAt } from "./kya/kya.ts";
export {
  type AgentKey,
  type AgentOverview,
  expiredAgents,
  hasAgent,
  listAgents,
  listRevokedAgentIds,
  type ScopedAgentKey,
} from "./queries.ts";
export {
  getAgent,
  readEffectiveStatus,
  requireActiveAgent,
  requireAgent,
} from "./require-agent.ts";
export { type AgentTransition, hideAgent, setAgentStatus } from "./set-agent-status.ts";
export { type AgentChange, updateAgent } from "./update-agent.ts";
