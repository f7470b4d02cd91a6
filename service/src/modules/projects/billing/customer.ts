import type { App } from "../../../app.ts";
import { operationKey } from "../../../crypto/operation-key.ts";
import type { FoundProject, Project } from "../queries.ts";

/**
 * Creates the project's customer at the payment processor. The idempotency key depends on the project only, so a
 * repeated call returns the customer of a call whose response was lost.
 */
export async function createCustomer(
  app: Pick<App, "billing">,
  project: Pick<Project, "tenantId" | "projectId" | "mode" | "name">,
): Promise<string> {
  const { customerId } = await app.billing[project.mode].createCustomer({
    name: project.name,
    metadata: { project_id: project.projectId, tenant_id: project.tenantId },
    idempotencyKey: operationKey(project.projectId, "customer"),
  });
  return customerId;
}

/** The billing row of a project with a new customer. */
export function newBilling({ tenantId, projectId }: FoundProject, customerId: string, at: Date) {
  const status = "requires_payment_method" as const;
  return { tenantId, projectId, customerId, status, createdAt: at, updatedAt: at };
}
