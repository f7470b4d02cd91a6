import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError } from "../../../foundation/errors.ts";
import { type AdminId, type AuditId, newId } from "../../../foundation/ids.ts";
import type { Settings } from "../../../foundation/settings.ts";
import { NamedObject, Text } from "../../../foundation/wire/fields.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { DeveloperResource } from "../developer-resource.ts";
import { type Developer, type DeveloperProfile, developerRows, getDeveloper, getDeveloperProfile } from "../queries.ts";
import { kybStatusAt, recordKybChange } from "./kyb-status.ts";
import {
  findAppliedDecision,
  findPendingDecision,
  type KybColumns,
  type KybDecisionRow,
  kybDecisionRows,
  supersedePending,
} from "./queries.ts";

/** A developer after a KYB decision, with the ID of the decision's audit entry (docs/rules/kyb.md). */
export const KybVerificationResource = NamedObject("KybVerification", {
  ...DeveloperResource.properties,
  audit_id: Text("The id of the audit entry for the decision."),
});

/** An admin's decision about the verification of a developer's business. */
export type KybDecision = Pick<
  KybDecisionRow,
  "status" | "legalName" | "registrationNumber" | "jurisdiction" | "reference" | "expiresAt"
>;

export interface VerifyKyb {
  readonly admin: { readonly adminId: AdminId; readonly sessionId: string };
  /** The admin, as recorded in the developer's audit log. */
  readonly actor: Actor;
  readonly decision: KybDecision;
  /** A note for other admins. Two admins' decisions can match even if their notes differ. */
  readonly note: string | null;
  /** When the developer sent the data that the admin has checked. Null if there was none. Undefined to check no time. */
  readonly submittedAt: Date | null | undefined;
  readonly saveResponse: SaveResponse<KybVerification>;
}

export interface KybVerification {
  readonly developer: DeveloperProfile;
  readonly auditId: AuditId;
}

/**
 * The effect of a decision: `proposed` waits for a second admin, `applied` takes effect without a second admin,
 * `approved` applies the pending decision of another admin, and `confirmed` repeats the current decision.
 */
type DecisionEffect =
  | { readonly kind: "proposed" | "applied" | "confirmed" }
  | { readonly kind: "approved"; readonly waiting: KybDecisionRow };

const ACTIONS = {
  proposed: "developer.kyb_proposed",
  applied: "developer.kyb_updated",
  approved: "developer.kyb_updated",
  confirmed: "developer.kyb_confirmed",
} as const;

/** The columns of a developer whose verification has begun. */
export const PENDING_KYB: KybColumns = {
  kybStatus: "pending",
  kybVerifiedAt: null,
  kybExpiresAt: null,
  kybReference: null,
};

/**
 * Records an admin's decision about a developer's KYB status. If two admins are required, the first decision stays
 * pending until another admin makes the same decision. A different decision replaces the pending one. While a decision
 * is pending, the KYB status is `pending`, except that a verified developer stays verified during a renewal.
 *
 * Throws `developer_not_found`, `conflict` if the developer has sent other data than the admin has checked, and
 * `admin_review_required` if the admin repeats their own pending decision.
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
    // The lock serializes concurrent decisions about the same developer.
    const before = await developerRows.lockAndGet(tx, { tenantId });
    throwIfReplaced(before, command);
    const effect = await resolveEffect(tx, before, command, app.settings);
    const after = kybColumnsAfter(effect, { before, decision: command.decision, at });
    await saveDecision(tx, effect, command, at);
    const isChanged = !isDeepStrictEqual(kybStatusAt(before, at), kybStatusAt(after, at));
    if (isChanged) await developerRows.updateAndGet(tx, { tenantId }, { ...after, updatedAt: at });
    const auditId = await recordKybChange(tx, actor, {
      action: ACTIONS[effect.kind],
      facts: factsOf(effect, command),
      changedTo: isChanged ? after : null,
      at,
    });
    const verification = { developer: await getDeveloperProfile(tx, tenantId), auditId };
    await command.saveResponse(tx, verification);
    return verification;
  });
}

function throwIfReplaced({ kybSubmittedAt }: Developer, { submittedAt }: VerifyKyb): void {
  if (submittedAt === undefined || submittedAt?.getTime() === kybSubmittedAt?.getTime()) return;
  const detail = "The developer has sent other data since. Read the developer again, then decide.";
  throw new AppError("conflict", { detail });
}

async function resolveEffect(
  tx: Tx,
  { tenantId, kybStatus }: Developer,
  { decision, admin: { adminId } }: VerifyKyb,
  { kybApprovals }: Settings,
): Promise<DecisionEffect> {
  const waiting = await findPendingDecision(tx, tenantId);
  if (waiting === undefined && kybStatus === decision.status) {
    const applied = await findAppliedDecision(tx, tenantId);
    if (applied !== undefined && isSame(applied, decision)) return { kind: "confirmed" };
  }
  if (kybApprovals === 1) return { kind: "applied" };
  if (waiting === undefined || !isSame(waiting, decision)) return { kind: "proposed" };
  if (waiting.proposedBy === adminId) {
    const internal = `${adminId} cannot approve their own ${waiting.decisionId}`;
    throw new AppError("admin_review_required", { internal });
  }
  return { kind: "approved", waiting };
}

/** Returns true if two decisions match. Notes are not compared. */
function isSame(one: KybDecision, other: KybDecision): boolean {
  return isDeepStrictEqual(comparedFields(one), comparedFields(other));
}

function comparedFields(decision: KybDecision): KybDecision {
  const { status, legalName, registrationNumber, jurisdiction, reference, expiresAt } = decision;
  return { status, legalName, registrationNumber, jurisdiction, reference, expiresAt };
}

function kybColumnsAfter(
  { kind }: DecisionEffect,
  {
    before,
    decision: { status, reference, expiresAt },
    at,
  }: { readonly before: Developer; readonly decision: KybDecision; readonly at: Date },
): KybColumns {
  const { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference } = before;
  const unchanged = { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference };
  if (kind === "confirmed") return unchanged;
  const isVerified = status === "verified";
  if (kind === "proposed") {
    const isRenewal = isVerified && kybStatusAt(before, at).status === "verified";
    return isRenewal ? unchanged : PENDING_KYB;
  }
  return {
    kybStatus: status,
    kybVerifiedAt: isVerified ? at : null,
    kybExpiresAt: isVerified ? expiresAt : null,
    kybReference: reference,
  };
}

async function saveDecision(
  tx: Tx,
  effect: DecisionEffect,
  { actor: { tenantId }, admin: { adminId }, decision, note }: VerifyKyb,
  at: Date,
): Promise<void> {
  if (effect.kind === "confirmed") return;
  if (effect.kind === "approved") {
    return kybDecisionRows.update(tx, effect.waiting, { approvedBy: adminId, appliedAt: at });
  }
  await supersedePending(tx, tenantId, at);
  await kybDecisionRows.insert(tx, {
    ...decision,
    tenantId,
    decisionId: newId("kyb"),
    note,
    proposedBy: adminId,
    proposedAt: at,
    appliedAt: effect.kind === "applied" ? at : null,
  });
}

/**
 * Returns the facts for the audit entry. The legal name, registration number, jurisdiction and note are listed by field
 * name only. Their values are stored only with the decision.
 */
function factsOf(effect: DecisionEffect, { admin, decision, note }: VerifyKyb): Readonly<Record<string, Json>> {
  const { status, reference, expiresAt, legalName, registrationNumber, jurisdiction } = decision;
  const details = {
    legal_name: legalName,
    registration_number: registrationNumber,
    jurisdiction,
    note,
  };
  return {
    status,
    reference,
    expires_at: expiresAt?.toISOString() ?? null,
    given: Object.entries(details).flatMap(([name, value]) => (value === null ? [] : [name])),
    session_id: admin.sessionId,
    ...(effect.kind === "approved" && { proposed_by: effect.waiting.proposedBy }),
  };
}
