import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId, ServiceId } from "../../../foundation/ids.ts";
import { mustBeOneOf } from "../../../foundation/schema-violations.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { createOperationInQuota, type NewOperation } from "../../../operations/operations.ts";
import type { UnitPrice } from "../../catalog/catalog.ts";
import { agreedPriceOf, findOfferedPlan, type PlanSelection, resolvePlan } from "../../catalog/plans.ts";
import {
  downgradeCents,
  findMeteredPlan,
  isProratedDaily,
  monthlyCostCents,
  upgradeCents,
} from "../../charges/charge-amount.ts";
import { lockProject, type Project, type ProjectKey } from "../../projects/queries.ts";
import { lockService, type Service, serviceRows } from "../queries.ts";
import { recordServiceChange, throwIfChanging, throwIfUndecided } from "../services.ts";
import { planChangeRows } from "./queries.ts";
import { readKeptCents } from "./reserve-plan-change.ts";

export interface RequestPlanChange extends Pick<PlanSelection, "maxMonthlyCostCents" | "acceptTermsVersion"> {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly serviceId: ServiceId;
  readonly plan: string;
  /** Default: at once, unless the change frees money only at the start of the next month. */
  readonly effective: "immediate" | "period_end" | undefined;
  /** The request is rejected if the service has another plan. Undefined: not checked. */
  readonly expectedPlan: string | undefined;
  /** A UUID in lowercase. */
  readonly agentId: string | null;
}

/** A requested change of plan. It is stored with the Idempotency-Key, so amounts are decimal strings of cents. */
export interface RequestedPlanChange {
  readonly serviceId: ServiceId;
  /** Null if nothing had to be changed. */
  readonly operationId: OperationId | null;
  readonly previousPlan: string;
  readonly plan: string;
  readonly oldCents: string;
  readonly newCents: string;
  /** The unit prices of metered use. Empty if the plan is not metered. */
  readonly oldUsage: readonly UnitPrice[];
  readonly newUsage: readonly UnitPrice[];
  /** What the change costs for the rest of the month. Negative if it costs less. */
  readonly prorationCents: string;
}

/**
 * Stores the change of a service's plan and the operation that carries it out. The saga `kind` runs the operation; this
 * function calls no provider. A change to the plan that the service has cancels the pending plan, if there is one.
 */
export async function requestPlanChange(
  app: Pick<App, "settings" | "db" | "clock" | "providers">,
  command: RequestPlanChange & { readonly kind: NewOperation["kind"] },
  saveResponse: SaveResponse<RequestedPlanChange>,
): Promise<RequestedPlanChange> {
  const { key, plan } = command;
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const service = await lockService(tx, project, command.serviceId);
    throwUnlessExpected(service, command.expectedPlan);
    await throwIfChanging(tx, service);
    await throwIfUndecided(tx, service);
    throwUnlessChangeable(project, service);
    throwIfDue(service, app.clock.now());
    const requested =
      plan === service.plan
        ? await keepPlan(tx, app, command.actor, service)
        : await createChange(tx, app, command, service);
    await saveResponse(tx, requested);
    return requested;
  });
}

function throwUnlessExpected({ plan }: Service, expected: string | undefined): void {
  if (expected === undefined || expected === plan) return;
  const detail = `The service has the plan ${plan}, not ${expected}.`;
  const errors = [{ pointer: "/body/expected_current_plan", code: "mismatch", detail: "is not the current plan" }];
  throw new AppError("conflict", { detail, errors });
}

function throwUnlessChangeable(project: Project, service: Service): void {
  if (project.status !== "active") {
    const detail = `The project is ${project.status}. Services can be changed in active projects only.`;
    throw new AppError("conflict", { detail });
  }
  if (service.status === "active") return;
  const detail = `The service is ${service.status}. Only the plan of an active service can be changed.`;
  throw new AppError("conflict", { detail });
}

/** Once the new month has begun, its price is reserved for the pending plan, so the change cannot be canceled any more. */
function throwIfDue({ pendingPlan, pendingPlanAt }: Service, now: Date): void {
  if (pendingPlanAt === null || pendingPlanAt > now) return;
  const detail = `The service is about to change to the plan ${pendingPlan}. Repeat the call when it has.`;
  throw new AppError("conflict", { detail, retryAfterSeconds: 10 });
}

async function keepPlan(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  service: Service,
): Promise<RequestedPlanChange> {
  const { serviceId, plan, pendingPlan } = service;
  if (pendingPlan !== null) {
    const updatedAt = clock.now();
    const kept = await serviceRows.updateAndGet(tx, service, {
      ...{ pendingPlan: null, pendingPlanAt: null, updatedAt },
    });
    await recordServiceChange(tx, actor, {
      action: "service.plan_change_canceled",
      service: kept,
      facts: { pending_plan: pendingPlan },
      occurredAt: updatedAt,
    });
  }
  return { serviceId, operationId: null, previousPlan: plan, plan, ...pricesOf(service, service), prorationCents: "0" };
}

async function createChange(
  tx: Tx,
  app: Pick<App, "settings" | "clock" | "providers">,
  { actor, plan, kind, agentId, ...command }: Parameters<typeof requestPlanChange>[1],
  service: Service,
): Promise<RequestedPlanChange> {
  const { tenantId, serviceId, projectId, plan: previousPlan } = service;
  const changed = resolveChange(app, { ...command, plan }, service);
  const createdAt = app.clock.now();
  const effective = effectiveOf(command, service, changed);
  const subject = { type: "service", id: serviceId };
  const operationId = await createOperationInQuota(tx, app, actor, { kind, subject, projectId });
  await planChangeRows.insert(tx, {
    ...{ tenantId, operationId, serviceId, previousPlan, plan, agentId, createdAt },
    ...agreedPriceOf(changed),
    timing: effective === "immediate" ? "immediate" : "scheduled",
  });
  await recordServiceChange(tx, actor, {
    action: "service.plan_change_requested",
    service,
    facts: { operation_id: operationId, new_plan: plan, effective, agent_id: agentId },
    occurredAt: createdAt,
  });
  const kept = { at: createdAt, keptCents: await readKeptCents(tx, service, createdAt) };
  const prorationCents =
    effective === "immediate" ? upgradeCents(service, changed, kept) + downgradeCents(service, changed, createdAt) : 0n;
  return {
    ...{ serviceId, operationId, previousPlan, plan },
    ...pricesOf(service, changed),
    prorationCents: String(prorationCents),
  };
}

function pricesOf(service: Service, changed: Service) {
  return {
    oldCents: String(monthlyCostCents(service)),
    newCents: String(monthlyCostCents(changed)),
    oldUsage: findMeteredPlan(service)?.pricing.usage ?? [],
    newUsage: findMeteredPlan(changed)?.pricing.usage ?? [],
  };
}

/** Returns the service with the requested plan, at the catalog's price. */
function resolveChange(
  app: Pick<App, "settings" | "providers">,
  {
    plan,
    maxMonthlyCostCents,
    acceptTermsVersion,
  }: Pick<RequestPlanChange, "plan" | "maxMonthlyCostCents" | "acceptTermsVersion">,
  service: Service,
): Service {
  const { price } = resolvePlan(app, {
    ...{ service: service.service, plan, region: undefined, config: service.config },
    ...{ maxMonthlyCostCents, acceptTermsVersion },
  });
  throwUnlessAllowed(app, service, plan);
  return { ...service, plan, ...price };
}

function throwUnlessAllowed({ providers }: Pick<App, "providers">, service: Service, plan: string): void {
  const { provider } = service;
  const canChange = providers.get(provider)?.changePlan !== undefined;
  const allowed = canChange ? (findOfferedPlan(service)?.plan.allowed_updates ?? []) : [];
  if (allowed.includes(plan)) return;
  const isFixed = allowed.length === 0;
  const list = isFixed ? "no other plan" : `only ${allowed.join(", ")}`;
  const detail = `From the plan ${service.plan}, the service can change to ${list}.`;
  const rule = isFixed ? `must be ${service.plan}, the current plan` : mustBeOneOf(allowed);
  const errors = [{ pointer: "/body/plan", code: "not_upgradable", detail: rule }];
  throw new AppError("not_upgradable", { detail, errors });
}

/**
 * By default, a cheaper plan waits for the start of the next month if the current plan's price would be charged in whole
 * anyway.
 */
function effectiveOf(
  { effective }: Pick<RequestPlanChange, "effective">,
  service: Service,
  changed: Service,
): "immediate" | "period_end" {
  if (effective !== undefined) return effective;
  const isCheaper = monthlyCostCents(changed) < monthlyCostCents(service);
  const freesMoney = isProratedDaily(service) || findMeteredPlan(service) !== undefined;
  return isCheaper && !freesMoney ? "period_end" : "immediate";
}
