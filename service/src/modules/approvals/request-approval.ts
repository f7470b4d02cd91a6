import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import type { Tx } from "../../db/database.ts";
import type { ApprovalSummary, AskingRule } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { TenantVault } from "../../vault/open-vault.ts";
import { enqueueApprovalEmail, isEmailedAlone } from "./approval-emails.ts";
import { type Approval, approvalRows, countPendingLocked } from "./queries.ts";
import { recordApprovalChange } from "./record-approval-change.ts";

/** The maximum number of pending approvals of one agent. */
const PENDING_MAX = QUOTAS.pendingApprovals.max;

export interface ApprovalRequest {
  /** What waits for the decision. */
  readonly subject: { readonly type: string; readonly id: string };
  /** In lowercase. Null if the developer asks. */
  readonly agentId: string | null;
  readonly summary: ApprovalSummary;
  /** The rules that ask. */
  readonly rules: readonly AskingRule[];
  readonly expiresAt: Date;
}

/**
 * Asks the developer for an approval, and enqueues an email with the URL of the page on which to decide. The queued email
 * contains the URL's token in encrypted form. Apart from that, only the token's hash is stored. Throws `conflict` if the
 * agent already waits for 100 approvals.
 */
export async function requestApproval(
  tx: Tx,
  app: Pick<App, "clock" | "settings"> & { readonly vault: TenantVault },
  actor: Actor,
  { subject, agentId, summary, rules, expiresAt }: ApprovalRequest,
): Promise<Approval> {
  const { tenantId, mode } = actor;
  const at = app.clock.now();
  if ((await countPendingLocked(tx, { tenantId, mode, agentId }, at)) >= PENDING_MAX) {
    throw new AppError("conflict", {
      detail: `${PENDING_MAX} approvals are pending. Decide some of them, or wait until they expire.`,
    });
  }
  const { token, tokenHash } = newSecretToken();
  const approval = await approvalRows.insertAndGet(tx, {
    tenantId,
    approvalId: newId("apr"),
    mode,
    status: "pending",
    subjectType: subject.type,
    subjectId: subject.id,
    agentId,
    summary: JSON.stringify(summary),
    rules: JSON.stringify(rules),
    requestedBy: JSON.stringify(actor.actor),
    approvers: ["role:owner"],
    tokenHash,
    isEmailed: await isEmailedAlone(tx, { tenantId, mode, agentId }, at),
    expiresAt,
    createdAt: at,
    updatedAt: at,
  });
  await enqueueApprovalEmail(tx, app, approval, token);
  await recordApprovalChange(tx, app, actor, approval, at);
  return approval;
}
