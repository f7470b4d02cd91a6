import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { appendEvent } from "../../../events/events.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import type { AuditId, TenantId } from "../../../foundation/ids.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { recordAccountChange } from "../developers.ts";
import { developerRows } from "../queries.ts";
import { expiredKyb, type KybColumns, markKybExpired } from "./queries.ts";

/** A developer's KYB (know-your-business) status, in the API's format. */
export interface KybStatus {
  readonly status: KybColumns["kybStatus"];
  readonly verified_at: string | null;
  readonly expires_at: string | null;
  readonly reference: string | null;
}

/**
 * Returns the KYB status at `now`. A verification has the status `expired` from `kybExpiresAt` on, even if `expireKyb`
 * has not marked it yet.
 */
export function kybStatusAt(
  { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference }: KybColumns,
  now: Date,
): KybStatus {
  const isExpired = kybStatus === "verified" && kybExpiresAt !== null && kybExpiresAt <= now;
  return {
    status: isExpired ? "expired" : kybStatus,
    verified_at: kybVerifiedAt?.toISOString() ?? null,
    expires_at: kybExpiresAt?.toISOString() ?? null,
    reference: kybReference,
  };
}

export async function isKybVerified(db: Db, tenantId: TenantId, now: Date): Promise<boolean> {
  return kybStatusAt(await developerRows.get(db, { tenantId }), now).status === "verified";
}

interface KybChange {
  readonly action:
    | "developer.kyb_submitted"
    | "developer.kyb_updated"
    | "developer.kyb_proposed"
    | "developer.kyb_confirmed";
  readonly facts: Readonly<Record<string, Json>>;
  /** The new KYB status. If it is null, the status did not change and no event is sent. */
  readonly changedTo: KybColumns | null;
  readonly at: Date;
}

export async function recordKybChange(
  tx: Tx,
  actor: Actor,
  { action, facts, changedTo, at }: KybChange,
): Promise<AuditId> {
  const { tenantId } = actor;
  const auditId = await recordAccountChange(tx, actor, { action, facts, at });
  if (changedTo !== null) {
    await appendEvent(tx, actor, {
      subject: { type: "developer", id: tenantId },
      occurredAt: at,
      type: "developer.kyb_updated",
      data: { developer_id: tenantId, kyb: { ...kybStatusAt(changedTo, at) } },
    });
  }
  return auditId;
}

/**
 * Sets the status of expired KYB (know-your-business) verifications to `expired` and sends an event for each. API
 * responses show the expiry even before this job runs (see `kybStatusAt`).
 */
export async function expireKyb({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await tryEach(expiredKyb(db, at), ({ tenantId }) =>
    withTransaction(db, tenantId, async (tx) => {
      const changedTo = await markKybExpired(tx, tenantId, at);
      if (changedTo === undefined) return;
      const facts = {
        status: "expired",
        expires_at: changedTo.kybExpiresAt?.toISOString() ?? null,
      };
      const action = "developer.kyb_updated";
      await recordKybChange(tx, systemActor({ tenantId, mode: "live" }), {
        action,
        facts,
        changedTo,
        at,
      });
    }),
  );
}
