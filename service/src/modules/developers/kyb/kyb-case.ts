import { type Static, Type } from "typebox";
import type { Actor } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { NamedObject, Nullable, OneOf, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault, type TenantVault, type VaultAccess, type VaultContext } from "../../../vault/vault.ts";
import { developerRows, getDeveloper } from "../queries.ts";
import { type KybStatus, kybStatusAt, recordKybChange } from "./kyb-status.ts";
import {
  findAppliedDecision,
  findPendingDecision,
  type KybDecisionRow,
  kybCaseRows,
  listDecisions,
  supersedePending,
} from "./queries.ts";
import { PENDING_KYB } from "./verify-kyb.ts";

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
  status: OneOf(
    ["none", "pending", "verified", "rejected", "revoked", "expired"],
    "Status of the business verification (KYB). `none` until the developer or an admin begins it.",
  ),
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
