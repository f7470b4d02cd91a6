import type { PaymentId, WalletId } from "../../foundation/ids.ts";
import type { OnchainKillOutcome } from "../../foundation/vocabulary.ts";
import { effectiveStatusAt } from "../../modules/agents/agent-resource.ts";
import { agentRows } from "../../modules/agents/queries.ts";
import { cancelWaitingPayment } from "../../modules/payments/end-waiting-payments.ts";
import { raisePolicyRevision } from "../../modules/policies/queries.ts";
import { suspendProject } from "../../modules/projects/suspend-project.ts";
import { freezeWallets } from "../../modules/wallets/freezes/freeze-wallets.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import { changeAgentStatus } from "../agents/agents.ts";
import { cancelApprovals } from "../decide-approval/approval-subjects.ts";
import { rotateProjectEnv } from "./rotate-project-env.ts";
import type { TargetKind } from "./target-kind.ts";

/** Env pulls, new services and payments of a suspended project are refused. */
const projects: TargetKind = {
  type: "project",
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
  kill: async (tx, { clock }, { actor, killSwitch }, agentId) => {
    const { tenantId, mode, killSwitchId } = killSwitch;
    const at = clock.now();
    const key = { tenantId, mode, agentId };
    const agent = await agentRows.get(tx, key);
    const status = effectiveStatusAt([agent], at);
    if (status !== "active" && status === agent.status) return { outcome: "already_dead" };
    const transition = status === "active" ? "suspend" : "expire";
    await changeAgentStatus(tx, { actor, key, transition, reason: killSwitchId, at });
    return { outcome: transition === "suspend" ? "killed" : "already_dead" };
  },
};

/**
 * Freezes a wallet in both directions. The freeze of its account on the chain is only queued: what it reports is what was found, so
 * that a later run reports what has become of it. A freeze that has failed is tried again.
 */
const wallets: TargetKind = {
  type: "wallet",
  kill: async (tx, { clock }, { actor, killSwitch }, id) => {
    const { tenantId, onchain, reason, killSwitchId } = killSwitch;
    const walletId = id as WalletId;
    const before = await walletRows.get(tx, { tenantId, walletId });
    await freezeWallets(tx, actor, {
      walletIds: [walletId],
      freeze: {
        mode: "full",
        source: "developer",
        reason: "other",
        note: reason,
        reference: killSwitchId,
        expiresAt: null,
      },
      ...{ onchain, at: clock.now() },
    });
    const isDead = before.freezeMode === "full" && before.status === "frozen";
    return { outcome: isDead ? "already_dead" : "killed", onchain: onchain ? onchainOutcomeOf(before) : null };
  },
};

function onchainOutcomeOf({ mode, onchainFreeze }: Wallet): OnchainKillOutcome {
  if (mode === "test") return "simulated";
  return onchainFreeze === "confirmed" || onchainFreeze === "failed" ? onchainFreeze : "blocked_pending";
}

const approvals: TargetKind = {
  type: "approval",
  kill: async (tx, app, { actor }, approvalId) => {
    const canceled = await cancelApprovals(tx, app, actor, { approvalId });
    return { outcome: canceled > 0 ? "killed" : "already_dead" };
  },
};

/** Releases what is held and reserved for a payment that waits for an approval or a capture. */
const payments: TargetKind = {
  type: "payment",
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
  kill: rotateProjectEnv,
};

/** In the order in which they are killed. What is created below a target can only be found after the target is dead. */
export const targetKinds: readonly TargetKind[] = [projects, agents, wallets, approvals, payments, projectEnvs];
