/** The contracts that are deployed, in the order of their deployment. */
export const CONTRACT_NAMES = [
  "AgentGuardian",
  "AgentAccount",
  "AgentAccountFactory",
  "VerifyingPaymaster",
  "AuditAnchor",
] as const;

export type ContractName = (typeof CONTRACT_NAMES)[number];
