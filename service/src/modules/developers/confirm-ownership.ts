import { developerActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { wasVerifiedBy } from "./email-verification/queries.ts";
import { type AuthMethod, type Developer, developerRows } from "./queries.ts";
import { recordAccountChange } from "./record-account-change.ts";

/**
 * Maximum time between opening the verification URL and the password login that confirms the account's ownership
 * (docs/api.md, section 16.1).
 */
export const OWNERSHIP_CONFIRMATION_SECONDS = 900;

interface ConfirmOwnership {
  readonly developer: Developer;
  readonly method: AuthMethod;
  /** The token from the verification URL that this browser opened. */
  readonly verificationToken?: string | undefined;
  readonly client: ClientInfo;
  readonly at: Date;
}

/**
 * Marks the account's ownership as confirmed if a password login comes from the browser that opened the verification
 * URL. Such a login shows that the same user has access to the mailbox and knows the password.
 */
export async function confirmOwnership(
  tx: Tx,
  { developer: { tenantId, provenAt }, method, verificationToken, client, at }: ConfirmOwnership,
): Promise<void> {
  if (method !== "password" || provenAt !== null) return;
  if (verificationToken === undefined) return;
  const tokenHash = sha256Hex(verificationToken);
  const after = new Date(at.getTime() - OWNERSHIP_CONFIRMATION_SECONDS * 1000);
  if (!(await wasVerifiedBy(tx, { tokenHash, tenantId, after }))) return;
  await developerRows.updateAndGet(tx, { tenantId }, { provenAt: at, updatedAt: at });
  await recordAccountChange(tx, developerActor({ tenantId }, client), {
    action: "developer.proven",
    facts: { by: "login_after_verification" },
    at,
  });
}

/** Writes the audit entry and the event for a verified email address. */
export async function recordVerification(
  tx: Tx,
  actor: Actor,
  { developer: { tenantId }, occurredAt }: { readonly developer: Developer; readonly occurredAt: Date },
): Promise<void> {
  const subject = { type: "developer", id: tenantId };
  // The address is omitted because events are stored for 30 days and delivered to other systems.
  const data = { developer_id: tenantId };
  await recordEntryAndEvent(
    tx,
    actor,
    { action: "developer.email_verified", subject, facts: {}, occurredAt },
    () => data,
  );
}
