import type { App } from "../../app.ts";
import { adminActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { AdminId } from "../../foundation/ids.ts";
import { asOperators } from "./operators.ts";

export interface RecordAdminAccess {
  readonly adminId: AdminId;
  readonly network: string;
  readonly requestId: string;
  readonly action: "developers.listed" | "developer.shown";
  /** The developer that was looked at; the admin, where it was many. */
  readonly subject: { readonly type: "developer" | "admin"; readonly id: string };
  readonly facts: Readonly<Record<string, Json>>;
}

/** Notes in the operators' own trail what an admin looks at, before they see it. */
export async function recordAdminAccess(
  { db, clock }: Pick<App, "db" | "clock">,
  { adminId, network, requestId, action, subject, facts }: RecordAdminAccess,
): Promise<void> {
  const occurredAt = clock.now();
  await asOperators(db, (tx) =>
    appendAuditEntry(tx, adminActor(adminId, { network, requestId }), {
      action,
      subject,
      facts,
      occurredAt,
    }),
  );
}
