export { addService } from "./add-service/add-service.ts";
export {
  deleteAgent,
  resumeAgent,
  revokeAgent,
  suspendAgent,
} from "./agents/change-agent-status.ts";
export { expireAgents } from "./agents/expire-agents.ts";
export { readAgentBudget } from "./agents/read-agent-budget.ts";
export { anchorAudit } from "./anchor-audit.ts";
export { checkInventory } from "./check-inventory.ts";
export { checkLedger } from "./check-ledger.ts";
export { createAgentKey, createApiKey } from "./create-api-key.ts";
export type { SubjectState } from "./decide-approval/approval-subjects.ts";
export {
  type DecidedApproval,
  decideApproval,
  decideEmailedApproval,
  expireApprovals,
} from "./decide-approval/decide-approval.ts";
export { type ApprovalEffects, readEffects, readOutcome } from "./decide-approval/read-effects.ts";
export { type EvaluatedPolicies, evaluateOperation } from "./decisions/evaluate-operation.ts";
export { deleteProject } from "./delete-project/delete-project.ts";
export { dueWork } from "./due-work.ts";
export { unfreezeAsAdmin, unfreezeAsDeveloper } from "./freeze-wallet/unfreeze-wallet.ts";
export { continueKillSwitches } from "./kill-switch/continue-kill-switches.ts";
export {
  reconcileKillSwitch,
  type TriggeredKillSwitch,
  triggerKillSwitch,
} from "./kill-switch/trigger-kill-switch.ts";
export { pullEnv, readAddedEnv } from "./pull-env.ts";
export { removeService } from "./remove-service/remove-service.ts";
export { rotateDataKeys } from "./rotate-data-keys.ts";
export { rotateService } from "./rotate-service/rotate-service.ts";
export { sagas, workflowsOf } from "./sagas.ts";
export type { PaymentOrder } from "./send-payment/plan-payment.ts";
export { type SendPayment, type SentPayment, sendPayment } from "./send-payment/send-payment.ts";
export { type SimulatedPayment, simulatePayment } from "./send-payment/simulate-payment.ts";
export { escalateStuckOperations } from "./stalled-operations/escalate-stuck-operations.ts";
export { startPendingOperations } from "./stalled-operations/start-pending-operations.ts";
export { changePendingPlans } from "./upgrade-service/change-pending-plans.ts";
export { upgradeService } from "./upgrade-service/upgrade-service.ts";
export { createWallet, requireEnabledNetwork } from "./wallets/create-wallet.ts";
export { receiveVendorEvent, workOffVendorEvents } from "./work-off-vendor-events.ts";
