import type { PaymentId } from "../../foundation/ids.ts";
import { effectiveStatusAt } from "../../modules/agents/agent-status.ts";
import { cancelApprovalsOf } from "../../modules/approvals/decide-approval.ts";
import { cancelWaitingPayment } from "../../modules/payments/end-waiting-payments.ts";
import { raisePolicyRevision } from "../../modules/policies/queries.ts";
import { suspendProject } from "../../modules/projects/suspend-project.ts";
import { changeAgentStatus } from "../agents/change-agent-status.ts";
import { approvalSubjects } from "../decide-approval/approval-subjects.ts";
import { killWallet } from "./kill-wallet.ts";
import {
  listAgentIds,
  listApprovalIds,
  listPaymentIds,
  listProjectEnvIds,
  listProjectIds,
  listWalletIds,
  readAgentState,
} from "./queries.ts";
import { rotateProjectEnv } from "./rotate-project-env.ts";
import type { TargetKind } from "./target-kind.ts";

/** Env pulls, new services and payments of a suspended project are refused. */
const projects: TargetKind = {
  type: "project",
  list: ({ db }, killSwitch, limit) => listProjectIds(db, killSwitch, limit),
  kill: async (tx, { clock }, { actor, killSwitch }, projectId) => {
    const { tenantId, mode } = killSwitch;
    await raisePolicyRevision(tx, { tenantId, mode });
    const before = await suspendProject(tx, actor, { tenantId, mode, projectId, at: clock.now() });
    if (before === "suspended") return { outcome: "already_dead" };
    if (before !== "deleting") return { outcome: "killed" };
    return { outcome: "blocked_pending", detail: "The project is being deleted." };
  },
};

const agents: TargetKind = {
  type: "agent",
  list: ({ db }, killSwitch, limit) => listAgentIds(db, killSwitch, limit),
  kill: async (tx, { clock }, { actor, killSwitch }, agentId) => {
    const { tenantId, mode, killSwitchId } = killSwitch;
    const at = clock.now();
    const key = { tenantId, mode, agentId };
    const agent = await readAgentState(tx, killSwitch, agentId);
    const status = effectiveStatusAt([agent], at);
    if (status !== "active" && status === agent.status) return { outcome: "already_dead" };
    const transition = status === "active" ? "suspend" : "expire";
    await changeAgentStatus(tx, { actor, key, transition, reason: killSwitchId, at });
    return { outcome: transition === "suspend" ? "killed" : "already_dead" };
  },
};

const wallets: TargetKind = {
  type: "wallet",
  list: ({ db }, killSwitch, limit) => listWalletIds(db, killSwitch, limit),
  kill: killWallet,
};

/** What waits for a canceled approval ends with it. */
const approvals: TargetKind = {
  type: "approval",
  list: ({ db, clock }, killSwitch, limit) => listApprovalIds(db, killSwitch, limit, clock.now()),
  kill: async (tx, app, { actor }, approvalId) => {
    const canceled = await cancelApprovalsOf(tx, app, actor, { approvalId });
    for (const approval of canceled) {
      await approvalSubjects.get(approval.subjectType)?.decided(tx, app, actor, approval);
    }
    return { outcome: canceled.length > 0 ? "killed" : "already_dead" };
  },
};

/** Releases what is held and reserved for a payment that waits for an approval or a capture. */
const payments: TargetKind = {
  type: "payment",
  list: ({ db }, killSwitch, limit) => listPaymentIds(db, killSwitch, limit),
  kill: async (tx, app, { actor, killSwitch }, id) => {
    const { tenantId, killSwitchId } = killSwitch;
    const key = { tenantId, paymentId: id as PaymentId };
    const failure = { code: "wallet_frozen", detail: `The kill switch ${killSwitchId} stopped the agent.` };
    const isCanceled = await cancelWaitingPayment(tx, app, actor, key, failure);
    return { outcome: isCanceled ? "killed" : "already_dead" };
  },
};

const projectEnvs: TargetKind = {
  type: "project_env",
  list: ({ db }, killSwitch, limit) => listProjectEnvIds(db, killSwitch, limit),
  kill: rotateProjectEnv,
};

/** In the order in which they are killed. What is created below a target can only be found after the target is dead. */
export const targetKinds: readonly TargetKind[] = [projects, agents, wallets, approvals, payments, projectEnvs];
