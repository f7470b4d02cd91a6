import type { App } from "../../app.ts";
import type { OperationError } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { OperationId, ProjectId, ServiceId } from "../../foundation/ids.ts";
import { billingRows } from "../../modules/charges/billing/queries.ts";
import { hasUnpaidCharges } from "../../modules/charges/invoices/queries.ts";
import type { ProjectKey } from "../../modules/projects/queries.ts";
import { listServicesSince, type Service } from "../../modules/services/queries.ts";
import { removalEffectOf } from "../../modules/services/service-resource.ts";
import { operationRows } from "../../operations/queries.ts";

export interface DeletionReport {
  readonly projectId: ProjectId;
  readonly status: "deleting" | "deleted";
  readonly services: readonly {
    readonly serviceId: ServiceId;
    readonly effect: "destroyed" | "detached" | "failed";
    readonly detail: string | null;
  }[];
  /** The customer at the payment processor, if it stays because it owes something. Otherwise null. */
  readonly keptCustomerId: string | null;
}

/** Returns what a running or ended deletion does to each of the project's services. */
export async function getDeletionReport(
  { db }: Pick<App, "db">,
  { tenantId, projectId }: ProjectKey,
  operationId: OperationId,
): Promise<DeletionReport> {
  return withTransaction(db, tenantId, async (tx) => {
    const operation = await operationRows.get(tx, { tenantId, operationId });
    const since = operation.createdAt;
    const services = await listServicesSince(tx, { tenantId, projectId }, since);
    const billing = await billingRows.find(tx, { tenantId, projectId });
    const isKept = await hasUnpaidCharges(tx, { tenantId, projectId });
    const failure = operation.status === "needs_operator" ? operation.error : null;
    return {
      projectId,
      status: operation.status === "succeeded" ? "deleted" : "deleting",
      services: services.map((service) => effectOn(service, failure)),
      keptCustomerId: isKept ? (billing?.customerId ?? null) : null,
    };
  });
}

/**
 * Returns the deletion's effect on a service. The effect is `failed` if the deletion failed before the service was
 * removed.
 */
function effectOn(service: Service, failure: OperationError | null): DeletionReport["services"][number] {
  const { serviceId, status } = service;
  if (failure !== null && status !== "removed") {
    return { serviceId, effect: "failed", detail: failure.detail };
  }
  return { serviceId, effect: removalEffectOf(service), detail: null };
}
