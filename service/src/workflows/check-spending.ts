import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import type { ApprovalRule } from "../db/schema.ts";
import { undoUnless } from "../db/transaction.ts";
import { AppError } from "../foundation/errors.ts";
import { invariant } from "../foundation/invariant.ts";
import { formatUsdMicros } from "../foundation/money.ts";
import { requestApproval } from "../modules/approvals/approvals.ts";
import { type Approval, listApprovalsOf } from "../modules/approvals/queries.ts";
import { findCatalogProvider } from "../modules/catalog/catalog.ts";
import type { DecidedOperation } from "../modules/decisions/decide-operation.ts";
import { decideInTransaction } from "../modules/decisions/decisions.ts";
import { policyDecisionRows } from "../modules/decisions/queries.ts";
import { limitRefusal } from "../modules/policies/policy-limits.ts";
import type { ProvisioningContext } from "../modules/services/provisioning/provisioning-context.ts";
import {
  lockActiveProject,
  monthlyCostOf,
  type reserveService,
  serviceExceedsCap,
} from "../modules/services/provisioning/reserve-service.ts";
import { REQUIRES_APPROVAL, type SagaRun } from "../operations/saga.ts";
import { openVault } from "../vault/vault.ts";

/** How long a person has to approve that a cap is exceeded. */
const CAP_APPROVAL_SECONDS = 86_400;

type Run = Pick<SagaRun<ProvisioningContext>, "app" | "actor" | "state">;

/** What costs money each month: a new service, or another plan. */
export interface ServiceSpending {
  readonly operation: "service.add" | "service.upgrade";
  /** What waits for an approval. */
  readonly subject: { readonly type: string; readonly id: string };
  /** Returns what happens, in one line. */
  readonly title: (projectName: string) => string;
  /** Reserves the cost. Returns the limit or the cap that is too small. */
  readonly reserve: (options: Parameters<typeof reserveService>[4]) => ReturnType<typeof reserveService>;
}

/**
 * Throws `agent_not_found`, `agent_suspended` or `kya_required` if the agent must not do this. A call without an agent is
 * the developer's.
 */
export async function checkSpendingAgent(
  tx: Tx,
  { app, state }: Run,
  { operation }: Pick<ServiceSpending, "operation">,
): Promise<void> {
  const decided = await decide(tx, app, state, { operation, approved: [] });
  const refusal = decided?.refusal;
  if (refusal?.code !== "agent_suspended" && refusal?.code !== "kya_required") return;
  if (decided?.row !== undefined) await policyDecisionRows.insert(tx, decided.row);
  throw refusal;
}

/**
 * Decides by the policies of the agent, and reserves the cost. Returns `REQUIRES_APPROVAL` after asking a person. Then the
 * saga calls this step again after the decision, with nothing reserved: the rules that asked are satisfied, and all others
 * are asked anew. Throws `policy_denied`, `cap_exceeded`, or what `checkSpendingAgent` throws.
 */
export async function checkSpending(
  tx: Tx,
  { app, actor, state }: Run,
  spending: ServiceSpending,
): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const { operation, subject } = spending;
  const approvals = await listApprovalsOf(tx, { ...state, subject });
  throwUnlessApproved(approvals);
  const approved = approvals.flatMap(({ rules }) => rules);
  const decided = await decide(tx, app, state, { operation, approved });
  const record = async () => {
    // What a policy has asked for was recorded then.
    const isRecorded = approved.some(({ policyId }) => policyId !== null);
    if (decided?.row !== undefined && !isRecorded) await policyDecisionRows.insert(tx, decided.row);
  };
  if (decided?.refusal !== undefined) {
    await record();
    throw decided.refusal;
  }
  const limits = decided?.limits ?? [];
  const approvedCaps = approved.flatMap(({ policyId, ruleId }) => (policyId === null ? [ruleId] : []));
  const reserve = () => spending.reserve({ limits, approvedCaps });
  /** A cap that asks does not refuse. */
  const refusedBy = ({ refusal, project }: NonNullable<Awaited<ReturnType<typeof reserve>>>) =>
    limitRefusal(limits, refusal) ?? (project.capBehavior === "block" ? serviceExceedsCap(refusal, state) : undefined);

  if (decided?.asking !== undefined) {
    // No one is asked for what could not be reserved.
    const refused = await undoUnless(
      tx,
      (result) => result !== undefined,
      async () => {
        const exceeded = await reserve();
        return exceeded && refusedBy(exceeded);
      },
    );
    if (refused !== undefined) throw refused;
    await record();
    return ask(tx, { app, actor, state }, spending, decided.asking);
  }
  const exceeded = await reserve();
  if (exceeded === undefined) {
    await record();
    return undefined;
  }
  const { refusal } = exceeded;
  const refused = refusedBy(exceeded);
  if (refused !== undefined) throw refused;
  const rules = [{ policyId: null, policyVersion: null, ruleId: refusal.budget.subjectType }];
  const asking = { rules, expiresInSeconds: CAP_APPROVAL_SECONDS };
  return ask(tx, { app, actor, state }, spending, asking);
}

async function decide(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  state: ProvisioningContext,
  { operation, approved }: Pick<ServiceSpending, "operation"> & { readonly approved: readonly ApprovalRule[] },
): Promise<DecidedOperation | undefined> {
  const { tenantId, mode, agentId, projectId, provider, service, plan } = state;
  if (agentId === null) return undefined;
  return decideInTransaction(tx, {
    ...{ tenantId, mode, agentId, projectId, approved, walletId: null, at: clock.now() },
    facts: {
      operation,
      monthly_cost_usd: monthlyCostOf(state),
      ...{ provider, service, plan, category: providerOf(state).categories },
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
  { subject, title }: ServiceSpending,
  { rules, expiresInSeconds }: NonNullable<DecidedOperation["asking"]>,
): Promise<typeof REQUIRES_APPROVAL> {
  const { tenantId, agentId, service, plan } = state;
  const project = await lockActiveProject(tx, state);
  const amount = formatUsdMicros(monthlyCostOf(state));
  await requestApproval(tx, { ...app, vault: await openVault(app, tenantId) }, actor, {
    subject,
    agentId,
    summary: {
      title: title(project.name),
      amount,
      currency: "usd",
      payee: providerOf(state).display_name,
      reason: null,
      lineItems: [{ description: `${service}, plan ${plan}, each month`, amount }],
      riskFlags: rules.map(({ ruleId }) => ruleId),
    },
    rules,
    expiresAt: new Date(app.clock.now().getTime() + expiresInSeconds * 1_000),
  });
  return REQUIRES_APPROVAL;
}

function providerOf({ provider }: ProvisioningContext) {
  const entry = findCatalogProvider(provider);
  invariant(entry !== undefined, "the catalog contains the provider of a service");
  return entry;
}
