import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { APPROVAL_STATUSES, type ApprovalStatus } from "../../foundation/vocabulary.ts";
import {
  ActorOut,
  approvalUrls,
  DecimalOut,
  FailureOut,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  SubjectOut,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { Approval } from "./queries.ts";

/**
 * Returns the approval's status at the given time. A pending approval counts as expired once `expiresAt` is reached,
 * even if the job that stores the new status has not run yet.
 */
export function approvalStatusAt({ status, expiresAt }: Approval, at: Date): ApprovalStatus {
  return status === "pending" && expiresAt <= at ? "expired" : status;
}

const Summary = Type.Object(
  {
    title: Text("What happens after the approval, in one line."),
    amount: Nullable(DecimalOut, "The amount that is spent. Null if nothing is spent."),
    currency: Nullable(Type.String(), "Currency or token of the amount. Null if `amount` is null."),
    payee: Nullable(Type.String(), "Who receives the amount."),
    reason: Nullable(Type.String(), "The reason that the caller gave. Purser has not checked it."),
    line_items: ListOf(Type.Object({ description: Type.String(), amount: DecimalOut }), "The parts of the amount."),
    risk_flags: ListOf(Type.String(), "What is unusual about the request, for example `new_payee`."),
  },
  { description: "What a person is shown before deciding." },
);

const Vote = Type.Object({
  decision: Type.Enum(["approved", "denied"]),
  by: ActorOut,
  via: OneOf(
    ["api", "dashboard", "email_link"],
    "How the person decided: with an API key, with a dashboard session, or on the page of the emailed URL.",
  ),
  at: Timestamp,
  note: Nullable(Type.String()),
});

const Rule = Type.Object({
  policy_id: Nullable(Type.String(), "The policy of the rule. Null if the rule does not belong to a policy."),
  policy_version: Nullable(Type.Integer()),
  rule_id: Type.String(),
});

const Outcome = Type.Object(
  {
    status: Text("The payment's status, or the operation's."),
    failure: Nullable(FailureOut, "Why it was not carried out. Null if it was, or if it still runs."),
  },
  {
    description:
      "What has happened to what waited. Only in the responses of approve and deny, and if one approval is read that is no longer pending. An operation can still run.",
  },
);

export const ApprovalResource = NamedObject("Approval", {
  object: Type.Literal("approval"),
  approval_id: Type.String(),
  mode: ModeName,
  status: OneOf(
    APPROVAL_STATUSES,
    "Status of the approval. `pending` until a person decides, then `approved` or `denied`. `expired` from the second of `expires_at`. `canceled` if what waits for the approval has ended.",
  ),
  subject: { ...SubjectOut, description: "What waits for the approval, for example a service." },
  agent_id: Nullable(Type.String(), "The agent that made the request. Null if the developer made it."),
  summary: Summary,
  approve_url: Text(
    "URL path that approves the request with POST. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents.",
  ),
  approve_page_url: Text("URL of the page on which the developer decides, after logging in. Show it to a person."),
  requested_by: ActorOut,
  approvers: ListOf(Type.String(), "Who may decide. `role:owner` is the developer."),
  votes: ListOf(Vote, "The decision, with its time and its way."),
  rules: ListOf(Rule, "The rules that require this approval. After the approval they count as satisfied."),
  expires_at: Timestamp,
  decided_at: Nullable(Timestamp, "When `status` stopped being `pending`. Null while it is `pending`."),
  long_poll_url: Text("URL path that responds as soon as the approval is decided, or after 30 seconds."),
  outcome: Type.Optional(Outcome),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function presentApproval(
  app: Pick<App, "settings">,
  approval: Approval,
  at: Date,
): Static<typeof ApprovalResource> {
  const { approvalId, subjectType, subjectId, requestedBy } = approval;
  const hasJustExpired = approval.status === "pending" && approvalStatusAt(approval, at) === "expired";
  const { decidedAt, updatedAt } = hasJustExpired
    ? { decidedAt: approval.expiresAt, updatedAt: approval.expiresAt }
    : approval;
  return toWire(ApprovalResource, approval, {
    status: approvalStatusAt(approval, at),
    subject: { type: subjectType, id: subjectId },
    summary: toWire(Summary, approval.summary),
    ...approvalUrls(app, approvalId),
    requested_by: { type: requestedBy.type, id: requestedBy.id },
    rules: approval.rules.map((rule) => toWire(Rule, rule)),
    decided_at: decidedAt?.toISOString() ?? null,
    updated_at: updatedAt.toISOString(),
  });
}
