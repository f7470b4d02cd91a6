import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError } from "../../../foundation/errors.ts";
import { type AdminId, type AuditId, newId, type TenantId } from "../../../foundation/ids.ts";
import type { Settings } from "../../../foundation/settings.ts";
import { NamedObject, Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault, type TenantVault, type VaultAccess, type VaultContext } from "../../../vault/vault.ts";
import { DeveloperResource } from "../developer-resource.ts";
import { type Developer, type DeveloperProfile, developerRows, getDeveloper, getDeveloperProfile } from "../queries.ts";
import { type KybStatus, kybStatusAt, recordKybChange } from "./kyb-status.ts";
import {
  findAppliedDecision,
  findPendingDecision,
  type KybColumns,
  type KybDecisionRow,
  kybCaseRows,
  kybDecisionRows,
  listDecisions,
  supersedePending,
} from "./queries.ts";

/** What a developer sends about the business. */
export interface KybDetails {
  readonly legalName: string;
  readonly registrationNumber: string;
  /** ISO 3166-1 alpha-2. */
  readonly jurisdiction: string;
}

export interface KybCase extends Partial<KybDetails> {
  readonly status: KybStatus["status"];
  readonly submittedAt: Date | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

/** A developer's KYB case (docs/rules/kyb.md). */
export const KybCaseResource = NamedObject("KybCase", {
  object: Type.Literal("kyb_case"),
  status: Type.Enum(["none", "pending", "verified", "rejected", "revoked", "expired"], {
    description: "Status of the business verification (KYB). `none` until the developer or an admin begins it.",
  }),
  legal_name: Nullable(Type.String(), "The business's registered name. Null if the developer has sent no data."),
  registration_number: Nullable(Type.String()),
  jurisdiction: Nullable(Type.String(), "Where the business is registered: a two-letter country code."),
  submitted_at: Nullable(Timestamp, "When the developer sent the data. Null if the developer has sent none."),
  decided_at: Nullable(Timestamp, "When admins decided. Null while they have not."),
  reason: Nullable(Type.String(), "The `reference` of the admins' decision. Null if there is none."),
});

export function presentKybCase(kybCase: KybCase): Static<typeof KybCaseResource> {
  const { status, legalName = null, registrationNumber = null, jurisdiction = null } = kybCase;
  return toWire(KybCaseResource, kybCase, {
    status: status === "unverified" ? "none" : status,
    legal_name: legalName,
    registration_number: registrationNumber,
    jurisdiction,
  });
}

export function kybCaseContext(tenantId: TenantId): VaultContext {
  return { kind: "kyb_case", subject: tenantId, field: "details", version: 1 };
}

interface SubmitKyb {
  readonly actor: Actor;
  readonly details: KybDetails;
  readonly saveResponse: SaveResponse<object>;
}

/**
 * Stores what the developer sends about the business, in place of what was sent before, and sets the KYB status to
 * `pending`. A decision that waits for a second admin is dropped, because it is about other data.
 */
export async function submitKyb(app: VaultAccess, { actor, details, saveResponse }: SubmitKyb): Promise<void> {
  const { tenantId } = actor;
  const vault = await openVault(app, tenantId);
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, async (tx) => {
    const before = await developerRows.lockAndGet(tx, { tenantId });
    if (kybStatusAt(before, at).status === "verified") {
      throw new AppError("conflict", { detail: "The business is verified. Its data cannot be replaced." });
    }
    await supersedePending(tx, tenantId, at);
    const detailsSealed = vault.seal(kybCaseContext(tenantId), JSON.stringify(details));
    await kybCaseRows.put(tx, { tenantId, detailsSealed });
    await developerRows.updateAndGet(tx, { tenantId }, { ...PENDING_KYB, kybSubmittedAt: at, updatedAt: at });
    await recordKybChange(tx, actor, {
      action: "developer.kyb_submitted",
      facts: { given: ["legal_name", "registration_number", "jurisdiction"] },
      changedTo: PENDING_KYB,
      at,
    });
    await saveResponse(tx, {});
  });
}

/** Returns the developer's KYB case. Throws `developer_not_found`. */
export async function readKybCase(app: VaultAccess, tenantId: TenantId): Promise<KybCase> {
  const { status, submittedAt, decision, sealed } = await withTransaction(app.db, tenantId, async (tx) => {
    const developer = await getDeveloper(tx, tenantId);
    const { status } = kybStatusAt(developer, app.clock.now());
    const isOpen = status === "unverified" || status === "pending";
    return {
      status,
      submittedAt: developer.kybSubmittedAt,
      decision: isOpen ? undefined : await findAppliedDecision(tx, tenantId),
      sealed: (await kybCaseRows.find(tx, { tenantId }))?.detailsSealed,
    };
  });
  const details = sealed && detailsOf(await openVault(app, tenantId), tenantId, sealed);
  return {
    ...details,
    ...{ status, submittedAt, decidedAt: decision?.appliedAt ?? null, reason: decision?.reference ?? null },
  };
}

function detailsOf(vault: TenantVault, tenantId: TenantId, sealed: Buffer): KybDetails {
  return JSON.parse(vault.open(kybCaseContext(tenantId), sealed).toString("utf8"));
}

const HISTORY_MAX = 20;

export interface KybHistory {
  readonly kybCase: KybCase;
  /** The decision that waits for a second admin. */
  readonly waiting: KybDecisionRow | undefined;
  /** The newest decisions, the newest first. */
  readonly decisions: readonly KybDecisionRow[];
}

/** Returns what admins see of the developer's KYB. Throws `developer_not_found`. */
export async function readKybHistory(app: VaultAccess, tenantId: TenantId): Promise<KybHistory> {
  const kybCase = await readKybCase(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => ({
    kybCase,
    waiting: await findPendingDecision(tx, tenantId),
    decisions: await listDecisions(tx, tenantId, HISTORY_MAX),
  }));
}

/** A developer after a KYB decision, with the ID of the decision's audit entry (docs/rules/kyb.md). */
export const KybVerificationResource = NamedObject("KybVerification", {
  ...DeveloperResource.properties,
  audit_id: Type.String({ description: "The id of the audit entry for the decision." }),
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
const PENDING_KYB: KybColumns = {
  kybStatus: "pending",
  kybVerifiedAt: null,
  kybExpiresAt: null,
  kybReference: null,
};

/**
 * Records an admin's decision about a developer's KYB status. If two admins are required, the first decision stays
 * pending until another admin makes the same decision. A different decision replaces the pending one. While a decision
 * is pending, the KYB status is `pending`, except that a verified developer stays verified during a renewal.
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
