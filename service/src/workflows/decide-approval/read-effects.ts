import type { App } from "../../app.ts";
import { AppError } from "../../foundation/errors.ts";
import { parseUsdMicros, type UsdMicros } from "../../foundation/money/usd-micros.ts";
import type { Approval } from "../../modules/approvals/queries.ts";
import { findPolicyRow as findPolicy } from "../../modules/policies/queries.ts";
import { presentProject } from "../../modules/projects/project-resource.ts";
import { getProject } from "../../modules/projects/projects.ts";
import { readBalances } from "../../modules/wallets/balances/cached-balances.ts";
import { readAgentBudget } from "../agents/read-agent-budget.ts";
import { approvalSubjects, type SubjectState } from "./approval-subjects.ts";

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
  const rules = approval.rules.map(async ({ policyId, ruleId }) => {
    if (policyId === null) return `The ${ruleId.replaceAll("_", " ")} would be exceeded.`;
    const policy = await findPolicy(app.db, { ...scope, policyId });
    return `The rule ${ruleId} of the policy ${policy?.name ?? policyId} asks.`;
  });
  const subject = await readOutcome(app, approval);
  const left: [string, string | undefined][] = [];
  if (subject?.walletId !== undefined) {
    const { balances } = await readBalances(app, {
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
    rules: await Promise.all(rules),
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
