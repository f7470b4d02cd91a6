import type { App } from "../../../app.ts";
import { operationKey } from "../../../crypto/operation-key.ts";
import type { FoundProject, Project } from "../queries.ts";

/**
 * Makes the project's customer at the payment processor. Its key is the project's, whoever asks and whenever: a customer that
 * was made by a call whose answer was lost is found again by it.
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

/** The row of a project whose customer has just been made. */
export function newBilling({ tenantId, projectId }: FoundProject, customerId: string, at: Date) {
  const status = "requires_payment_method" as const;
  return { tenantId, projectId, customerId, status, createdAt: at, updatedAt: at };
}
