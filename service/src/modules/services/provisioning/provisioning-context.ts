import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { OperationRow } from "../../../operations/queries.ts";
import { type AgreedPlan, agreedPriceOf, catalogPriceOf, findOfferedPlan, reservedCents } from "../../catalog/plans.ts";
import { billingRows } from "../../charges/billing/queries.ts";
import { getProjectRow, lockProject, type Project, unscopedKey } from "../../projects/queries.ts";
import { listServicesInPlace, type Service, serviceRows } from "../queries.ts";
import { resourceNameOf } from "../resource-name.ts";

/** Throws `conflict` if the catalog no longer offers the plan at the price that was agreed. */
export function checkPlan(plan: AgreedPlan): void {
  const [agreed, current] = [agreedPriceOf(plan), currentPriceOf(plan)];
  const isSame =
    agreed.priceCents === current?.priceCents &&
    agreed.preauthorizationCents === current.preauthorizationCents &&
    agreed.billedBy === current.billedBy;
  if (!isSame) throw priceChanged();
}

/** Throws `conflict` if the catalog no longer offers the plan for what was agreed, or for less. */
export function checkPlanCostsNoMore(plan: AgreedPlan): void {
  const [agreed, current] = [agreedPriceOf(plan), currentPriceOf(plan)];
  const costsNoMore =
    current !== undefined &&
    current.priceCents <= agreed.priceCents &&
    reservedCents(current) <= reservedCents(agreed) &&
    current.billedBy === agreed.billedBy;
  if (!costsNoMore) throw priceChanged();
}

function currentPriceOf(plan: AgreedPlan) {
  const offer = findOfferedPlan(plan);
  return offer && catalogPriceOf(offer.plan);
}

function priceChanged(): AppError {
  const detail = "The catalog no longer offers this plan at this price. Read the catalog and repeat the call.";
  return new AppError("conflict", { detail });
}

/**
 * Locks and returns the project of a service that a workflow changes. API key bindings are not checked again: they were
 * checked when the change was requested. Lock the project before the service: all transactions use that order, which
 * prevents deadlocks.
 */
export function lockOwnProject(tx: Tx, service: Pick<Service, "tenantId" | "mode" | "projectId">): Promise<Project> {
  return lockProject(tx, unscopedKey(service));
}

/** Locks the project and its services that have, or may have, a resource at the provider, and returns the services. */
export async function lockServicesInPlace(
  tx: Tx,
  key: Pick<Service, "tenantId" | "mode" | "projectId">,
): Promise<Service[]> {
  const project = await lockOwnProject(tx, key);
  const locked: Service[] = [];
  for (const service of await listServicesInPlace(tx, project)) {
    locked.push(await serviceRows.lockAndGet(tx, service));
  }
  return locked;
}

/** The version of a service's first credential. */
export const FIRST_CREDENTIAL = 1;

/** Data about the service to add. It is saved in workflow checkpoints, so it contains no secrets. */
export interface ProvisioningContext
  extends Pick<Service, "tenantId" | "serviceId" | "projectId" | "mode" | "agentId" | "provider" | "service">,
    Pick<Service, "linkId" | "plan" | "region" | "config" | "envNames" | "billedBy"> {
  readonly operationId: OperationId;
  /** The resource's name at the provider. Every attempt uses the same name. */
  readonly resourceName: string;
  /** The provider's ID of the resource to adopt. Null if a new resource is created. */
  readonly existingResourceId: string | null;
  /** The provider's ID of the service's resource. Null until the resource exists. */
  readonly resourceId: string | null;
  /** Null if the plan requires no payment method. */
  readonly payment: KnownPayment | null;
  /** The price that was agreed (see `agreedPriceOf`). Decimal strings of cents, because JSON has no bigint. */
  readonly priceCents: string;
  readonly preauthorizationCents: string;
}

interface KnownPayment {
  readonly projectName: string;
  readonly customerId: string | null;
  /** The ID of the payment setup if it was still incomplete when the context was loaded, otherwise null. */
  readonly openSetupIntentId: string | null;
}

export async function loadProvisioningContext(
  tx: Tx,
  { tenantId, operationId, serviceId }: OperationRow,
): Promise<ProvisioningContext> {
  invariant(serviceId !== null, "an operation that adds a service has a service ID");
  return provisioningContextOf(tx, operationId, await serviceRows.get(tx, { tenantId, serviceId }));
}

/** Returns the data about a service with a plan that it is to have. */
export async function provisioningContextOf(
  tx: Tx,
  operationId: OperationId,
  service: Service,
): Promise<ProvisioningContext> {
  const { tenantId, serviceId, projectId, mode, agentId, provider, linkId, plan, region, config, envNames } = service;
  const needsPayment = findOfferedPlan(service)?.plan.payment_method_required ?? false;
  return {
    ...{ tenantId, operationId, serviceId, projectId, mode, agentId, provider, service: service.service, linkId },
    ...{ plan, region, config, envNames, billedBy: service.billedBy },
    resourceName: resourceNameOf(service),
    existingResourceId: service.adopted ? service.providerResourceId : null,
    resourceId: service.providerResourceId,
    payment: needsPayment ? await readPayment(tx, service) : null,
    priceCents: String(service.priceCents),
    preauthorizationCents: String(service.preauthorizationCents),
  };
}

async function readPayment(tx: Tx, service: Service): Promise<KnownPayment> {
  const project = await getProjectRow(tx, unscopedKey(service));
  const billing = await billingRows.find(tx, project);
  return {
    projectName: project.name,
    customerId: billing?.customerId ?? null,
    openSetupIntentId: billing?.status === "requires_action" ? billing.setupIntentId : null,
  };
}
