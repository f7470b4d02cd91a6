import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { AskingRule } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatUsdMicros } from "../../foundation/money/usd-micros.ts";
import { type Approval, listApprovalsOf, requestApproval } from "../../modules/approvals/index.ts";
import {
  categoriesOf,
  lockActiveProject,
  monthlyCostOf,
  type ProvisioningContext,
  readNames,
  reserveService,
  serviceExceedsCap,
} from "../../modules/projects/index.ts";
import { REQUIRES_APPROVAL, type SagaRun } from "../../operations/saga.ts";
import { openVault } from "../../vault/open-vault.ts";
import { decideInTransaction } from "../decisions/decide-in-transaction.ts";
import type { DecidedOperation } from "../decisions/decide-operation.ts";
import { limitRefusal } from "../decisions/policy-limits.ts";
import { insertDecision } from "../decisions/queries.ts";

/** How long a person has to approve that a cap is exceeded. */
const CAP_APPROVAL_SECONDS = 86_400;

type Run = Pick<SagaRun<ProvisioningContext>, "app" | "actor" | "state">;

/**
 * Throws `agent_not_found`, `agent_suspended` or `kya_required` if the agent must not add the service. A call without an
 * agent is the developer's.
 */
export async function checkAgent(tx: Tx, { app, state }: Run): Promise<void> {
  const decided = await decide(tx, app, state, []);
  const refusal = decided?.refusal;
  if (refusal?.code !== "agent_suspended" && refusal?.code !== "kya_required") return;
  if (decided?.row !== undefined) await insertDecision(tx, decided.row);
  throw refusal;
}

/**
 * Decides by the policies of the agent, and reserves the cost. Returns `REQUIRES_APPROVAL` after asking a person. Then the
 * saga calls this step again after the decision, with nothing reserved: the rules that asked are satisfied, and all others
 * are asked anew. Throws `policy_denied`, `cap_exceeded`, or what `checkAgent` throws.
 */
export async function checkPolicy(
  tx: Tx,
  { app, actor, state }: Run,
): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const approvals = await listApprovalsOf(tx, { ...state, subject: subjectOf(state) });
  throwUnlessApproved(approvals);
  const approved = approvals.flatMap(({ rules }) => rules);
  const decided = await decide(tx, app, state, approved);
  const record = async () => {
    // What a policy has asked for was recorded then.
    const isRecorded = approved.some(({ policyId }) => policyId !== null);
    if (decided?.row !== undefined && !isRecorded) await insertDecision(tx, decided.row);
  };
  if (decided?.refusal !== undefined) {
    await record();
    throw decided.refusal;
  }
  if (decided?.asking !== undefined) {
    await record();
    return ask(tx, { app, actor, state }, decided.asking);
  }

  const limits = decided?.limits ?? [];
  const approvedCaps = approved.flatMap(({ policyId, ruleId }) =>
    policyId === null ? [ruleId] : [],
  );
  const exceeded = await reserveService(tx, app, actor, state, { limits, approvedCaps });
  if (exceeded === undefined) {
    await record();
    return undefined;
  }
  const { refusal, project } = exceeded;
  const denied = limitRefusal(limits, refusal);
  if (denied !== undefined) throw denied;
  if (project.capBehavior === "block") throw serviceExceedsCap(refusal, state);
  const rules = [{ policyId: null, policyVersion: null, ruleId: refusal.budget.subjectType }];
  return ask(tx, { app, actor, state }, { rules, expiresInSeconds: CAP_APPROVAL_SECONDS });
}

async function decide(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  state: ProvisioningContext,
  approved: readonly AskingRule[],
): Promise<DecidedOperation | undefined> {
  const { tenantId, mode, agentId, projectId, provider, service, plan } = state;
  if (agentId === null) return undefined;
  const category = categoriesOf(state);
  return decideInTransaction(tx, {
    ...{ tenantId, mode, agentId, projectId, approved, walletId: null, at: clock.now() },
    facts: {
      operation: "service.add",
      monthlyCostUsd: monthlyCostOf(state),
      ...{ provider, service, plan, category },
    },
  });
}

function throwUnlessApproved(approvals: readonly Approval[]): void {
  const refused = approvals.find(({ status }) => status !== "approved");
  if (refused === undefined) return;
  const { approvalId, status } = refused;
  throw new AppError("policy_denied", {
    detail: `The approval ${approvalId} was not given: it is ${status}.`,
  });
}

async function ask(
  tx: Tx,
  { app, actor, state }: Run,
  { rules, expiresInSeconds }: NonNullable<DecidedOperation["asking"]>,
): Promise<typeof REQUIRES_APPROVAL> {
  const { tenantId, agentId, service, plan } = state;
  await lockActiveProject(tx, state);
  const { providerName, projectName } = await readNames(tx, state);
  const amount = formatUsdMicros(monthlyCostOf(state));
  await requestApproval(tx, { ...app, vault: await openVault(app, tenantId) }, actor, {
    subject: subjectOf(state),
    agentId,
    summary: {
      title: `Add ${service} (plan ${plan}) to the project ${projectName}`,
      amount,
      currency: "usd",
      payee: providerName,
      reason: null,
      lineItems: [{ description: `${service}, plan ${plan}, each month`, amount }],
      riskFlags: rules.map(({ ruleId }) => ruleId),
    },
    rules,
    expiresAt: new Date(app.clock.now().getTime() + expiresInSeconds * 1_000),
  });
  return REQUIRES_APPROVAL;
}

function subjectOf({ serviceId }: Pick<ProvisioningContext, "serviceId">) {
  return { type: "service", id: serviceId };
}
