import type { Static } from "typebox";
import type { App } from "../../app.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ApprovalId, TenantId } from "../../foundation/ids.ts";
import { agentRows } from "../agents/queries.ts";
import { type ApprovalResource, approvalStatusAt, presentApproval } from "./approval-resource.ts";
import {
  type Approval,
  type ApprovalKey,
  type ApprovalScope,
  approvalRows,
  approvalRowsByToken,
  findApproval,
  listApprovalsOf,
  listEndedApprovals,
} from "./queries.ts";

const RETRY_AFTER_SECONDS = 5;

export interface GetApproval {
  readonly scope: ApprovalScope;
  readonly approvalId: ApprovalId;
}

/** Returns an approval in scope. Throws `approval_not_found`. */
async function getApproval({ db }: Pick<App, "db">, { scope, approvalId }: GetApproval): Promise<Approval> {
  const approval = await findApproval(db, scope, approvalId);
  if (approval === undefined) throw approvalNotFound(approvalId);
  return approval;
}

type Waiting = Pick<App, "db" | "clock" | "waitingCallers">;

export interface WaitForDecision extends GetApproval {
  readonly waitMs: number;
  /** Aborted if the client disconnects. */
  readonly left: AbortSignal;
}

/**
 * Returns the approval as soon as it is no longer pending, and at the latest after `waitMs`. Uses no database connection
 * while it waits. Throws `approval_not_found`, or `rate_limited` if too many callers wait.
 */
export async function waitForDecision(app: Waiting, { waitMs, left, ...wanted }: WaitForDecision): Promise<Approval> {
  const approval = await getApproval(app, wanted);
  if (waitMs === 0 || approvalStatusAt(approval, app.clock.now()) !== "pending") return approval;
  const place = app.waitingCallers.enter(approval, { waitMs, left });
  if (place === undefined) {
    throw new AppError("rate_limited", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      detail: "Too many callers wait for approvals. Repeat the request later, or without wait_seconds.",
    });
  }
  await place;
  return left.aborted ? approval : getApproval(app, wanted);
}

/**
 * Wakes the callers of this process whose approvals are no longer pending. One query covers all of them, so that they
 * also see decisions made by other processes. Returns the number of approvals.
 */
export async function wakeWaitingCallers({ db, clock, waitingCallers }: Waiting): Promise<number> {
  const waitedFor: readonly ApprovalKey[] = waitingCallers.list();
  if (waitedFor.length === 0) return 0;
  const ended = await listEndedApprovals(db, waitedFor, clock.now());
  for (const approvalId of ended) waitingCallers.wake(approvalId);
  return ended.length;
}

/** Returns the newest approval of the subject in its API representation. Null if there is none. */
export async function readNewestApproval(
  app: Pick<App, "db" | "clock" | "settings">,
  tenantId: TenantId,
  subject: { readonly type: string; readonly id: string },
): Promise<Static<typeof ApprovalResource> | null> {
  const approval = (await listApprovalsOf(app.db, { tenantId, subject })).at(-1);
  return approval === undefined ? null : presentApproval(app, approval, app.clock.now());
}

/** An approval as its page shows it. */
export interface EmailedApproval {
  readonly approval: Approval;
  /** Null if the developer asked, or if the agent has no row. */
  readonly agentName: string | null;
}

/** Returns the approval whose emailed URL contains this token, or undefined if there is none. */
export async function findEmailedApproval(
  { db }: Pick<App, "db">,
  token: string,
): Promise<EmailedApproval | undefined> {
  const approval = await approvalRowsByToken.find(db, { tokenHash: sha256Hex(token) });
  if (approval === undefined) return undefined;
  return { approval, agentName: await findAgentName(db, approval) };
}

/** Returns the tenant's approval in any mode, or undefined if there is none. */
export async function findOwnApproval({ db }: Pick<App, "db">, key: ApprovalKey): Promise<EmailedApproval | undefined> {
  const approval = await approvalRows.find(db, key);
  return approval && { approval, agentName: await findAgentName(db, approval) };
}

/** Returns the name of the agent that asked, or null if the developer did. */
export async function findAgentName(
  db: Db,
  { tenantId, mode, agentId }: Pick<Approval, "tenantId" | "mode" | "agentId">,
): Promise<string | null> {
  const agent = agentId === null ? undefined : await agentRows.find(db, { tenantId, mode, agentId });
  return agent?.name ?? null;
}

export function approvalNotFound(approvalId: ApprovalId): AppError {
  return new AppError("approval_not_found", {
    internal: `approval ${approvalId} does not exist in this mode, or the key cannot read it`,
  });
}
