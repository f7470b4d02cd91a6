import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { presentApproval } from "./approval-resource.ts";
import type { Approval } from "./queries.ts";

/**
 * Writes the audit entry and the event for a change of an approval. The event's counter is only taken by transactions
 * that have locked or inserted the approval, so other locks can follow.
 */
export async function recordApprovalChange(
  tx: Tx,
  app: Pick<App, "settings">,
  actor: Actor,
  approval: Approval,
  occurredAt: Date,
): Promise<void> {
  const { approvalId, status, subjectType, subjectId, agentId, votes } = approval;
  await recordEntryAndEvent(
    tx,
    actor,
    {
      action: `approval.${status === "pending" ? "requested" : status}`,
      subject: { type: "approval", id: approvalId },
      facts: {
        subject_type: subjectType,
        subject_id: subjectId,
        agent_id: agentId,
        via: votes.at(-1)?.via ?? null,
      },
      occurredAt,
    },
    () => presentApproval(app, approval, occurredAt),
  );
}
