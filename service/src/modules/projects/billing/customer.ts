import type { App } from "../../../app.ts";
import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import type { FoundProject, Project } from "../queries.ts";

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
export function newBilling({ tenantId, projectId }: FoundProject, customerId: string, at: Date) {
  const status = "requires_payment_method" as const;
  return { tenantId, projectId, customerId, status, createdAt: at, updatedAt: at };
}
