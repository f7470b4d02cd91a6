import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import type { Tx } from "../../../db/database.ts";
import type { FoundProject, Project } from "../../projects/queries.ts";
import { insertBilling } from "./queries.ts";

/**
 * Creates the project's customer at the payment processor. The idempotency key depends only on the project, so a retry
 * after a timeout returns the same customer.
 */
export async function createCustomer(
  app: Pick<App, "billing">,
  project: Pick<Project, "tenantId" | "projectId" | "mode" | "name">,
): Promise<string> {
  const { customerId } = await app.billing[project.mode].createCustomer({
    name: project.name,
    metadata: { project_id: project.projectId, tenant_id: project.tenantId },
    idempotencyKey: vendorIdempotencyKey(project.projectId, "customer"),
  });
  return customerId;
}

/** Returns the billing row for a project whose customer was just created. */
function newBilling({ tenantId, projectId }: FoundProject, customerId: string, at: Date) {
  const status = "requires_payment_method" as const;
  return { tenantId, projectId, customerId, status, createdAt: at, updatedAt: at };
}

/** Stores the project's customer and writes the audit entry. Does nothing if the project already has a customer. */
export async function saveCustomer(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { project, customerId }: { readonly project: FoundProject; readonly customerId: string },
): Promise<void> {
  const occurredAt = clock.now();
  if (!(await insertBilling(tx, newBilling(project, customerId, occurredAt)))) return;
  await appendAuditEntry(tx, actor, {
    action: "payment_customer.created",
    subject: { type: "project", id: project.projectId },
    facts: { customer_id: customerId },
    occurredAt,
  });
}
