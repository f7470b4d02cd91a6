export { requireActiveAgent, requireAgent } from "./require-agent.ts";
