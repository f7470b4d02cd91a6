import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { parseUsdMicros, type UsdMicros } from "../../foundation/money.ts";
import { redactedMessage } from "../../foundation/redact.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { type MoneyAnswer, type MoneyClaim, runClaimedRequest } from "../../idempotency/money/run-money-request.ts";
import { type Decision, expireApproval, storeDecision } from "../../modules/approvals/approvals.ts";
import { type Approval, expiredApprovals } from "../../modules/approvals/queries.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import { findPolicyRow } from "../../modules/policies/queries.ts";
import { presentProject } from "../../modules/projects/project-resource.ts";
import { getProject } from "../../modules/projects/projects.ts";
import { readWalletBalances } from "../../modules/wallets/balances/cached-balances.ts";
import { readAgentBudget } from "../agents/agents.ts";
import { type ApprovalSubjects, approvalSubjects, type SubjectState } from "./approval-subjects.ts";

interface DecideApproval extends Decision {
  readonly claim: MoneyClaim<DecidedApproval>;
}

/** An approval after its decision. */
export interface DecidedApproval extends Approval {
  /** What has happened to the subject. */
  readonly outcome: Pick<SubjectState, "status" | "failure"> | undefined;
}

/**
 * Approves or denies a pending approval, together with its effect on the subject, in one transaction that also claims
 * the request's Idempotency-Key and signature. Throws `approval_not_found`, or `conflict` if the approval is no longer
 * pending.
 */
export async function decideApproval(
  app: App,
  actor: Actor,
  { claim, ...decision }: DecideApproval,
  subjects: ApprovalSubjects = approvalSubjects,
): Promise<MoneyAnswer> {
  if (decision.decision === "approved") await releaseExpiredHolds(app, actor);
  let decided: DecidedApproval | undefined;
  const answer = await runClaimedRequest(app, claim, async (tx) => {
    decided = await decide(tx, app, actor, decision, subjects);
    return decided;
  });
  if (decided !== undefined && !answer.isReplayed) await finishDecision(app, decided, subjects);
  return answer;
}

/** Like `decideApproval`, for the page of an emailed URL. */
export async function decideEmailedApproval(
  app: App,
  actor: Actor,
  decision: Decision,
  subjects: ApprovalSubjects = approvalSubjects,
): Promise<DecidedApproval> {
  if (decision.decision === "approved") await releaseExpiredHolds(app, actor);
  const approval = await withTransaction(app.db, actor.tenantId, (tx) => decide(tx, app, actor, decision, subjects));
  await finishDecision(app, approval, subjects);
  return approval;
}

async function decide(
  tx: Tx,
  app: App,
  actor: Actor,
  decision: Decision,
  subjects: ApprovalSubjects,
): Promise<DecidedApproval> {
  const approval = await storeDecision(tx, app, actor, decision);
  const subject = subjects.get(approval.subjectType);
  if (subject === undefined) return { ...approval, outcome: undefined };
  await subject.decided(tx, app, actor, approval);
  const { status, failure } = await subject.read(tx, approval);
  return { ...approval, outcome: { status, failure } };
}

/** Stores the expiry of pending approvals, together with its effect on their subjects, in one transaction each. */
export async function expireApprovals(app: App, subjects: ApprovalSubjects = approvalSubjects): Promise<void> {
  await tryEach(expiredApprovals(app.db, app.clock), async (key) => {
    const expired = await withTransaction(app.db, key.tenantId, async (tx): Promise<Approval | undefined> => {
      const approval = await expireApproval(tx, app, key, app.clock.now());
      if (approval === undefined) return undefined;
      const subject = subjects.get(approval.subjectType);
      await subject?.decided(tx, app, systemActor(approval), approval);
      return approval;
    });
    if (expired !== undefined) await finishDecision(app, expired, subjects);
  });
}

/** Does what follows a committed decision. Its failure changes nothing about the decision, so it is only logged. */
async function finishDecision(app: App, approval: Approval, subjects: ApprovalSubjects): Promise<void> {
  const { approvalId, subjectType } = approval;
  app.waitingCallers.wake(approvalId);
  try {
    await subjects.get(subjectType)?.afterCommit?.(app, approval);
  } catch (error) {
    const message = redactedMessage(error);
    app.log.error({ approvalId, message }, "the work after a decision could not be started");
  }
}

/** What an approval is about, as its page shows it. */
export interface ApprovalEffects {
  /** The rules that ask, for people. */
  readonly rules: readonly string[];
  /** What is left before the amount is spent. */
  readonly left: readonly { readonly label: string; readonly before: UsdMicros }[];
}

/** Reads what a person should know before deciding. What no longer exists is omitted. */
export async function readEffects(app: App, approval: Approval): Promise<ApprovalEffects> {
  const { tenantId, mode, agentId, summary } = approval;
  const scope = { tenantId, mode, agentIds: [], projectIds: [] };
  const rules = await Promise.all(
    approval.rules.map(async ({ policyId, ruleId }) => {
      if (policyId === null) return `The ${ruleId.replaceAll("_", " ")} would be exceeded.`;
      const policy = await findPolicyRow(app.db, { ...scope, policyId });
      return `The rule ${ruleId} of the policy ${policy?.name ?? policyId} asks.`;
    }),
  );
  const subject = await readOutcome(app, approval);
  const left: [string, string | undefined][] = [];
  if (subject?.walletId !== undefined) {
    const { balances } = await readWalletBalances(app, {
      ...scope,
      agentIds: null,
      walletId: subject.walletId,
    });
    const balance = balances.find(({ token }) => token === summary.currency?.toUpperCase());
    left.push([`${balance?.token} of the wallet`, balance?.available]);
  }
  if (subject?.projectId != null) {
    const project = await getProject(app, { ...scope, projectId: subject.projectId }).catch(undefinedIfMissing);
    left.push(["The project's monthly cap", project && presentProject(project).usage.remaining]);
  }
  if (agentId !== null) {
    const budget = await readAgentBudget(app, { tenantId, mode, agentId });
    left.push(["The agent's budget for a day", budget?.daily?.remaining]);
    left.push(["The agent's budget for a month", budget?.monthly?.remaining]);
  }
  return {
    rules,
    left: left.flatMap(([label, text]) => {
      const before = text === undefined ? undefined : parseUsdMicros(text);
      return before === undefined ? [] : [{ label, before }];
    }),
  };
}

/** Returns what has happened to the subject of an approval. */
export async function readOutcome({ db }: Pick<App, "db">, approval: Approval): Promise<SubjectState | undefined> {
  return approvalSubjects.get(approval.subjectType)?.read(db, approval);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "project_not_found") throw error;
}
