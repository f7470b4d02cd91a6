import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError } from "../../../foundation/errors.ts";
import { type AdminId, type AuditId, newId } from "../../../foundation/ids.ts";
import type { Settings } from "../../../foundation/settings.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import {
  type Developer,
  type DeveloperProfile,
  getDeveloper,
  getDeveloperProfile,
  lockDeveloper,
  updateDeveloper,
} from "../queries.ts";
import { kybStatusAt } from "./kyb-status-at.ts";
import {
  approveDecision,
  findAppliedDecision,
  findPendingDecision,
  insertDecision,
  type KybColumns,
  type KybDecisionRow,
  supersedePending,
} from "./queries.ts";
import { recordKybChange } from "./record-kyb-change.ts";

/** What an admin has found out about a developer's business. */
export type KybDecision = Pick<
  KybDecisionRow,
  "status" | "legalName" | "registrationNumber" | "jurisdiction" | "reference" | "expiresAt"
>;

export interface VerifyKyb {
  readonly admin: { readonly adminId: AdminId; readonly sessionId: string };
  /** The admin, acting among the developer's rows. */
  readonly actor: Actor;
  readonly decision: KybDecision;
  /** For the other admins. Two that decide the same may give other reasons. */
  readonly note: string | null;
  readonly saveResponse: SaveResponse<KybVerification>;
}

export interface KybVerification {
  readonly developer: DeveloperProfile;
  readonly auditId: AuditId;
}

/** What becomes of a decision: it waits, holds, lets the one that waits hold, or says what holds already. */
type Course =
  | { readonly kind: "proposed" | "applied" | "confirmed" }
  | { readonly kind: "approved"; readonly waiting: KybDecisionRow };

const ACTIONS = {
  proposed: "developer.kyb_proposed",
  applied: "developer.kyb_updated",
  approved: "developer.kyb_updated",
  confirmed: "developer.kyb_confirmed",
} as const;

const PENDING: KybColumns = {
  kybStatus: "pending",
  kybVerifiedAt: null,
  kybExpiresAt: null,
  kybReference: null,
};

/**
 * Decides how a developer's business stands. Where two admins are needed, the first one's decision waits and the developer
 * is `pending`, until another admin sends the same; a different decision takes the place of the one that waits. A verified
 * developer stays so while a renewal waits.
 *
 * Throws `developer_not_found`, and `admin_review_required` where the same admin would be the second.
 */
export async function verifyKyb(
  app: Pick<App, "db" | "clock" | "settings">,
  command: VerifyKyb,
): Promise<KybVerification> {
  const { actor } = command;
  const { tenantId } = actor;
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    await getDeveloper(tx, tenantId);
    // Decisions about one developer wait for one another here.
    const before = await lockDeveloper(tx, tenantId);
    const course = await chooseCourse(tx, before, command, app.settings);
    const after = kybColumnsAfter(course, { before, decision: command.decision, at });
    await keepDecision(tx, course, command, at);
    const isChanged = !isDeepStrictEqual(kybStatusAt(before, at), kybStatusAt(after, at));
    if (isChanged) await updateDeveloper(tx, tenantId, { ...after, updatedAt: at });
    const auditId = await recordKybChange(tx, actor, {
      action: ACTIONS[course.kind],
      facts: factsOf(course, command),
      changedTo: isChanged ? after : null,
      at,
    });
    const made = { developer: await getDeveloperProfile(tx, tenantId), auditId };
    await command.saveResponse(tx, made);
    return made;
  });
}

async function chooseCourse(
  tx: Tx,
  { tenantId, kybStatus }: Developer,
  { decision, admin: { adminId } }: VerifyKyb,
  { kybApprovals }: Settings,
): Promise<Course> {
  const waiting = await findPendingDecision(tx, tenantId);
  if (waiting === undefined && kybStatus === decision.status) {
    const applied = await findAppliedDecision(tx, tenantId);
    if (applied !== undefined && isSame(applied, decision)) return { kind: "confirmed" };
  }
  if (kybApprovals === 1) return { kind: "applied" };
  if (waiting === undefined || !isSame(waiting, decision)) return { kind: "proposed" };
  if (waiting.proposedBy === adminId) {
    const internal = `${adminId} would approve their own ${waiting.decisionId}`;
    throw new AppError("admin_review_required", { internal });
  }
  return { kind: "approved", waiting };
}

/** Whether two admins say the same. Their notes may differ. */
function isSame(one: KybDecision, other: KybDecision): boolean {
  return isDeepStrictEqual(bareDecision(one), bareDecision(other));
}

function bareDecision(decision: KybDecision): KybDecision {
  const { status, legalName, registrationNumber, jurisdiction, reference, expiresAt } = decision;
  return { status, legalName, registrationNumber, jurisdiction, reference, expiresAt };
}

function kybColumnsAfter(
  { kind: course }: Course,
  {
    before,
    decision: { status, reference, expiresAt },
    at,
  }: { readonly before: Developer; readonly decision: KybDecision; readonly at: Date },
): KybColumns {
  const { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference } = before;
  const unchanged = { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference };
  if (course === "confirmed") return unchanged;
  const isVerified = status === "verified";
  if (course === "proposed") {
    const isRenewal = isVerified && kybStatusAt(before, at).status === "verified";
    return isRenewal ? unchanged : PENDING;
  }
  return {
    kybStatus: status,
    kybVerifiedAt: isVerified ? at : null,
    kybExpiresAt: isVerified ? expiresAt : null,
    kybReference: reference,
  };
}

async function keepDecision(
  tx: Tx,
  course: Course,
  { actor: { tenantId }, admin: { adminId }, decision, note }: VerifyKyb,
  at: Date,
): Promise<void> {
  if (course.kind === "confirmed") return;
  if (course.kind === "approved") {
    return approveDecision(tx, course.waiting, { approvedBy: adminId, at });
  }
  await supersedePending(tx, { tenantId, at });
  await insertDecision(tx, {
    ...decision,
    tenantId,
    decisionId: newId("kyb"),
    note,
    proposedBy: adminId,
    proposedAt: at,
    appliedAt: course.kind === "applied" ? at : null,
  });
}

/** For the trail: what was decided, and which of the particulars were given. Those themselves stand with the decision. */
function factsOf(
  course: Course,
  { admin, decision, note }: VerifyKyb,
): Readonly<Record<string, Json>> {
  const { status, reference, expiresAt, legalName, registrationNumber, jurisdiction } = decision;
  const particulars = {
    legal_name: legalName,
    registration_number: registrationNumber,
    jurisdiction,
    note,
  };
  return {
    status,
    reference,
    expires_at: expiresAt?.toISOString() ?? null,
    given: Object.entries(particulars).flatMap(([name, value]) => (value === null ? [] : [name])),
    session_id: admin.sessionId,
    ...(course.kind === "approved" && { proposed_by: course.waiting.proposedBy }),
  };
}
