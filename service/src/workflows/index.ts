export { addService } from "./add-service/add-service.ts";
export {
  deleteAgent,
  resumeAgent,
  revokeAgent,
  suspendAgent,
} from "./agents/change-agent-status.ts";
export { createAgent } from "./agents/create-agent.ts";
export { createAgentKey } from "./agents/create-agent-key.ts";
export { expireAgents } from "./agents/expire-agents.ts";
export { readAgentBudget } from "./agents/read-agent-budget.ts";
export { updateAgent } from "./agents/update-agent.ts";
export { anchorAudit } from "./anchor-audit.ts";
export { cancelPayment } from "./change-payment/cancel-payment.ts";
export { cancelFrozenPayments } from "./change-payment/cancel-payments-of.ts";
export { capturePayment } from "./change-payment/capture-payment.ts";
export { expirePayments } from "./change-payment/expire-payments.ts";
export { refundPayment } from "./change-payment/refund-payment.ts";
export { voidPayment } from "./change-payment/void-payment.ts";
export { checkInventory } from "./check-inventory.ts";
export { checkLedger } from "./check-ledger.ts";
export { createApiKey } from "./create-api-key.ts";
export { createProjectWithPolicy } from "./create-project-with-policy.ts";
export type { SubjectState } from "./decide-approval/approval-subject.ts";
export {
  type DecidedApproval,
  decideApproval,
  decideEmailedApproval,
} from "./decide-approval/decide-approval.ts";
export { expireApprovals } from "./decide-approval/expire-approvals.ts";
export { type ApprovalEffects, readEffects, readOutcome } from "./decide-approval/read-effects.ts";
export { type EvaluatedPolicies, evaluateOperation } from "./decisions/evaluate-operation.ts";
export { deleteProject } from "./delete-project/delete-project.ts";
export { dueWork } from "./due-work.ts";
export { FreezeReport, freezeWalletOnChain } from "./freeze-wallet/freeze-on-chain.ts";
export { freezeWallet } from "./freeze-wallet/freeze-wallet.ts";
export { unfreezeAsAdmin, unfreezeAsDeveloper } from "./freeze-wallet/unfreeze-wallet.ts";
export { continueKillSwitches } from "./kill-switch/continue-kill-switches.ts";
export {
  reconcileKillSwitch,
  type TriggeredKillSwitch,
  triggerKillSwitch,
} from "./kill-switch/trigger-kill-switch.ts";
export { linkProvider } from "./link-provider.ts";
export { pullEnv, readAddedEnv } from "./pull-env.ts";
export { removeService } from "./remove-service/remove-service.ts";
export { rotateDataKeys } from "./rotate-data-keys.ts";
export { rotateService } from "./rotate-service/rotate-service.ts";
export { sagas, workflowsOf } from "./sagas.ts";
export { AUTHORIZATION_MAX_MS } from "./send-payment/execute-payment.ts";
export type { PaymentOrder } from "./send-payment/plan-payment.ts";
export { type SendPayment, type SentPayment, sendPayment } from "./send-payment/send-payment.ts";
export { type SimulatedPayment, simulatePayment } from "./send-payment/simulate-payment.ts";
export { escalateStuckOperations } from "./stalled-operations/escalate-stuck-operations.ts";
export { startPendingOperations } from "./stalled-operations/start-pending-operations.ts";
export { updateProjectWithPolicy } from "./update-project-with-policy.ts";
export { changePendingPlans } from "./upgrade-service/change-pending-plans.ts";
export { upgradeService } from "./upgrade-service/upgrade-service.ts";
export { createWallet, requireEnabledNetwork } from "./wallets/create-wallet.ts";
export { workOffVendorEvents } from "./work-off-vendor-events.ts";
