import { developerActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { wasVerifiedBy } from "./email-verification/queries.ts";
import { type AuthMethod, type Developer, updateDeveloper } from "./queries.ts";

/**
 * How long after following the verification URL a login from the same browser proves the account (docs/api.md, section
 * 16.1).
 */
export const PROOF_SECONDS = 900;

/**
 * Marks an account as proven if its password login comes from the browser that followed the verification URL: one
 * person has shown both mailbox and password.
 */
export async function proveAccount(
  tx: Tx,
  {
    developer: { tenantId, provenAt },
    method,
    verificationToken,
    client,
    at,
  }: {
    readonly developer: Developer;
    readonly method: AuthMethod;
    /** The token of the verification URL that the browser followed. */
    readonly verificationToken?: string | undefined;
    readonly client: ClientInfo;
    readonly at: Date;
  },
): Promise<void> {
  if (method !== "password" || provenAt !== null) return;
  if (verificationToken === undefined) return;
  const tokenHash = sha256Hex(verificationToken);
  const after = new Date(at.getTime() - PROOF_SECONDS * 1000);
  if (!(await wasVerifiedBy(tx, { tokenHash, tenantId, after }))) return;
  await updateDeveloper(tx, tenantId, { provenAt: at, updatedAt: at });
  await appendAuditEntry(tx, developerActor({ tenantId }, client), {
    action: "developer.proven",
    subject: { type: "developer", id: tenantId },
    facts: { by: "login_after_verification" },
    occurredAt: at,
  });
}
