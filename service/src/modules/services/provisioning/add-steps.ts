import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { completeSetup, saveCustomer } from "../../charges/billing/payment-setup.ts";
import { billingRows } from "../../charges/billing/queries.ts";
import { incrementEnvVersion } from "../../projects/queries.ts";
import { nameServiceEnv } from "../env-names.ts";
import { listServicesInPlace, serviceRows, serviceSecretRows, serviceSecretVersionRows } from "../queries.ts";
import { recordServiceChange } from "../services.ts";
import { FIRST_CREDENTIAL, lockOwnProject, type ProvisioningContext } from "./provisioning-context.ts";

interface RequirePaymentMethod {
  readonly provisioning: Pick<ProvisioningContext, "tenantId" | "projectId">;
  readonly customerId: string;
  /** The ID of the payment setup that the processor has reported as succeeded, or null. */
  readonly succeededSetupId: string | null;
}

/**
 * Stores the ID of the project's customer at the payment processor. Then throws `payment_method_required` if the
 * project has no payment method that can be charged, or has not paid an invoice. The ID is stored even if this function
 * throws, because a saga commits the transaction of a rejected step.
 */
export async function requirePaymentMethod(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  { provisioning: { tenantId, projectId }, customerId, succeededSetupId }: RequirePaymentMethod,
): Promise<void> {
  const project = { tenantId, projectId };
  const updatedAt = app.clock.now();
  await saveCustomer(tx, app, actor, { project, customerId });
  if (succeededSetupId !== null) {
    await completeSetup(tx, actor, { project, setupIntentId: succeededSetupId, at: updatedAt });
  }
  const billing = await billingRows.find(tx, project);
  if (billing?.status === "ready") return;
  const reason =
    billing?.status === "past_due"
      ? "and an invoice of the project could not be paid. Attach another payment method to pay it"
      : "and the project has no payment method that can be charged. Attach one first";
  const url = `${app.settings.publicUrl}/dashboard/projects/${projectId}?tab=billing`;
  throw new AppError("payment_method_required", {
    detail: `This plan costs money, ${reason}: POST /projects/${projectId}/billing/payment-methods.`,
    nextAction: { type: "attach_payment_method", actor: "human", url },
  });
}

/** A service's encrypted variables in base64, and their names at the provider. */
export interface SealedEnv {
  readonly sealed: string;
  readonly names: readonly string[];
}

type Named = Pick<ProvisioningContext, "tenantId" | "serviceId">;

/**
 * Stores the service's encrypted variables. If the catalog does not contain the names of the service's variables, they are
 * fixed now.
 */
export async function saveCredentials(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  provisioning: Named & Pick<ProvisioningContext, "mode" | "projectId" | "envNames">,
  { sealed, names }: SealedEnv,
): Promise<void> {
  const createdAt = clock.now();
  if (Object.keys(provisioning.envNames).length === 0) {
    const project = await lockOwnProject(tx, provisioning);
    const service = await serviceRows.get(tx, provisioning);
    const others = (await listServicesInPlace(tx, project)).filter(({ serviceId }) => serviceId !== service.serviceId);
    const envNames = JSON.stringify(nameServiceEnv(service, { providerNames: names, others }));
    await serviceRows.updateAndGet(tx, provisioning, { envNames, updatedAt: createdAt });
  }
  await serviceSecretRows.insert(tx, {
    ...secretKeyOf(provisioning),
    valueSealed: Buffer.from(sealed, "base64"),
    createdAt,
  });
}

/** Returns whether the service's variables are stored. */
export function hasCredentials({ db }: Pick<App, "db">, provisioning: Named): Promise<boolean> {
  return withTransaction(
    db,
    provisioning.tenantId,
    async (tx) => (await serviceSecretVersionRows.find(tx, secretKeyOf(provisioning))) !== undefined,
  );
}

function secretKeyOf({ tenantId, serviceId }: Named) {
  return { tenantId, serviceId, kind: "env" as const, version: FIRST_CREDENTIAL };
}

/** Stores the provider's ID of the resource, which may not be ready yet. */
export async function saveResource(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  provisioning: Pick<ProvisioningContext, "tenantId" | "serviceId">,
  providerResourceId: string,
): Promise<void> {
  const updatedAt = clock.now();
  const change = { status: "provisioning" as const, providerResourceId, updatedAt };
  await serviceRows.updateAndGet(tx, provisioning, change);
}

/** Sets the service to `active`. Once the transaction commits, env bundles contain its variables. */
export async function activateService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  provisioning: Pick<ProvisioningContext, "tenantId" | "operationId" | "serviceId" | "projectId">,
): Promise<void> {
  const at = app.clock.now();
  // Incrementing the version locks the project. All transactions lock the project before the service, which prevents
  // deadlocks.
  await incrementEnvVersion(tx, provisioning, at);
  const service = await serviceRows.updateAndGet(tx, provisioning, {
    status: "active",
    credentialVersion: FIRST_CREDENTIAL,
    credentialRotatedAt: at,
    updatedAt: at,
  });
  const facts = {
    operation_id: provisioning.operationId,
    provider_resource_id: service.providerResourceId,
    env_names: Object.values(service.envNames).sort(),
  };
  await recordServiceChange(tx, actor, { action: "service.added", service, facts, occurredAt: at });
}

interface FailService {
  readonly provisioning: Pick<ProvisioningContext, "tenantId" | "operationId" | "serviceId">;
  /** The code of the error that prevented the service from being added. */
  readonly code: string;
  /** The names of the steps that were undone. */
  readonly undone: readonly string[];
}

/** Sets the service to `failed` and deletes its secrets. Call it after undoing the steps that had completed. */
export async function failService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { provisioning, code, undone }: FailService,
): Promise<void> {
  await serviceSecretRows.remove(tx, provisioning);
  const at = app.clock.now();
  const service = await serviceRows.updateAndGet(tx, provisioning, { status: "failed", updatedAt: at });
  await recordServiceChange(tx, actor, {
    action: "service.failed",
    service,
    facts: { operation_id: provisioning.operationId, code, undone: [...undone] },
    occurredAt: at,
  });
}
