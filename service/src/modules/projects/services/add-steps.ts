import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import type { OperationError } from "../../../db/schema.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { LinkId, OperationId, ProjectId, ServiceId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { newBilling } from "../billing/customer.ts";
import { findBilling, insertBilling, updateBilling } from "../billing/queries.ts";
import { moveCharges } from "../charges/queries.ts";
import { reserveCharge } from "../charges/reserve-charge.ts";
import { getOperationById, type OperationKey, updateOperationRow } from "../operations/queries.ts";
import {
  actorOfOperation,
  expectCallback,
  failOperation,
  passStep,
  succeedOperation,
} from "../operations/track-operation.ts";
import { lockProject, type Project, updateProjectRow } from "../queries.ts";
import { monthlyPriceCents, reservedCents } from "./choose-offer.ts";
import { findOffer } from "./find-offer.ts";
import {
  deleteServiceSecrets,
  insertServiceSecret,
  lockServiceById,
  type Service,
  updateServiceRow,
} from "./queries.ts";
import { recordServiceChange } from "./record-service-change.ts";
import type { AddServiceStep } from "./request-service.ts";
import { resourceNameOf } from "./resource-name.ts";

type Clocked = Pick<App, "clock">;

/** What the saga knows of the service that it adds: ids and words, no secret. */
export interface Addition {
  readonly operationId: OperationId;
  readonly serviceId: ServiceId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly mode: Mode;
  readonly agentId: string | null;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly plan: string;
  readonly region: string;
  readonly config: Readonly<Record<string, Json>>;
  /** By its own id, which the provider may be asked for again and again. */
  readonly resourceName: string;
  /** A resource that was there before us. */
  readonly existingResourceId: string | null;
  /** Whether the plan asks for a payment method, and whether something of the budget is set aside for it. */
  readonly needsPayment: boolean;
  readonly reserves: boolean;
  /** The provider's names of what it must give, to their names in the project. */
  readonly envNames: Readonly<Record<string, string>>;
}

/** A step is passed, or refused for a reason. Refused steps have changed nothing. */
export type StepVerdict = { readonly refused: OperationError | null };

const PASSED: StepVerdict = { refused: null };

export async function loadAddition(tx: Tx, key: OperationKey): Promise<Addition> {
  const { operationId, serviceId } = await getOperationById(tx, key);
  invariant(serviceId !== null, "an operation that adds a service names it");
  const service = await lockServiceById(tx, { tenantId: key.tenantId, serviceId });
  const project = await lockOwnProject(tx, service);
  const offer = findOffer(service);
  const { projectId, mode, provider, plan, region, config, agentId, linkId } = service;
  return {
    operationId,
    serviceId,
    projectId,
    projectName: project.name,
    mode,
    agentId,
    provider,
    linkId,
    plan,
    region,
    config,
    resourceName: resourceNameOf(service),
    existingResourceId: service.adopted ? service.providerResourceId : null,
    needsPayment: offer?.plan.payment_method_required ?? false,
    reserves: offer !== undefined && reservedCents(offer.plan) > 0n,
    envNames: service.envNames,
  };
}

/** Passes the gate where `check` does not refuse. */
export async function passGate(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  check: () => Promise<void>,
): Promise<StepVerdict> {
  const refused = await refusalOf(check);
  if (refused === null) await passStep(tx, app, key, { step: "kya_gate", next: "policy" });
  return { refused };
}

/** The policy, as far as there is one: the project takes services, and the budget has room, which is reserved. */
export async function passPolicy(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<StepVerdict> {
  const service = await lockServiceById(tx, { tenantId: key.tenantId, serviceId });
  const project = await lockOwnProject(tx, service);
  const refused = await refusalOf(async () => {
    refuseUnlessActive(project);
    const offer = findOffer(service);
    if (offer !== undefined) {
      await reserveCharge(tx, app, { project, service, amountCents: reservedCents(offer.plan) });
    }
  });
  if (refused === null)
    await passStep(tx, app, key, { step: "policy", next: "catalog_validation" });
  return { refused };
}

/** The catalog still offers what was asked for, at the price that was reserved. */
export async function passCatalogValidation(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<StepVerdict> {
  const service = await lockServiceById(tx, { tenantId: key.tenantId, serviceId });
  const offer = findOffer(service);
  if (offer === undefined || monthlyPriceCents(offer.plan) !== service.priceCents) {
    return refusedFor("conflict", "The catalog does not offer this plan at this price any more.");
  }
  await passStep(tx, app, key, { step: "catalog_validation", next: "payment_setup" });
  return PASSED;
}

/** Nothing is to be paid: the processor is not asked. */
export async function skipPayment(tx: Tx, app: Clocked, key: OperationKey): Promise<null> {
  await passStep(tx, app, key, {
    step: "payment_setup",
    as: "skipped",
    next: "provider_provisioning",
  });
  return null;
}

export interface KnownPayment {
  readonly customerId: string | null;
  /** A setup that waited for its owner when it was last looked at. */
  readonly openSetupIntentId: string | null;
}

export async function readPayment(
  tx: Tx,
  key: OperationKey,
  { projectId }: Pick<Addition, "projectId">,
): Promise<KnownPayment> {
  const billing = await findBilling(tx, { tenantId: key.tenantId, projectId });
  return {
    customerId: billing?.customerId ?? null,
    openSetupIntentId: billing?.status === "requires_action" ? billing.setupIntentId : null,
  };
}

/** The project has a customer, and a payment method that can be charged. Keeps the customer either way. */
export async function passPayment(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  {
    addition: { projectId },
    customerId,
    setupSucceeded,
  }: {
    readonly addition: Pick<Addition, "projectId">;
    readonly customerId: string;
    readonly setupSucceeded: boolean;
  },
): Promise<StepVerdict> {
  const place = { tenantId: key.tenantId, projectId };
  const updatedAt = app.clock.now();
  await insertBilling(tx, newBilling(place, customerId, updatedAt));
  if (setupSucceeded) await updateBilling(tx, place, { status: "ready", updatedAt });
  const billing = await findBilling(tx, place);
  if (billing?.status !== "ready") {
    const detail = `This plan costs money, and the project has no payment method that can be charged. Attach one first: POST /projects/${projectId}/billing/payment-methods.`;
    return refusedFor("payment_method_required", detail);
  }
  await passStep(tx, app, key, { step: "payment_setup", next: "provider_provisioning" });
  return PASSED;
}

/** The provider works on it. */
export async function awaitProvider(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  {
    addition: { serviceId },
    resourceId,
    expectedSeconds,
  }: {
    readonly addition: Pick<Addition, "serviceId">;
    readonly resourceId: string;
    readonly expectedSeconds: number;
  },
): Promise<null> {
  await updateServiceRow(
    tx,
    { tenantId: key.tenantId, serviceId },
    {
      status: "provisioning",
      providerResourceId: resourceId,
      updatedAt: app.clock.now(),
    },
  );
  await expectCallback(tx, app, key, expectedSeconds);
  return null;
}

export async function passProvisioning(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  {
    addition: { serviceId },
    resourceId,
  }: { readonly addition: Pick<Addition, "serviceId">; readonly resourceId: string },
): Promise<null> {
  await updateServiceRow(
    tx,
    { tenantId: key.tenantId, serviceId },
    {
      status: "provisioning",
      providerResourceId: resourceId,
      updatedAt: app.clock.now(),
    },
  );
  await passStep(tx, app, key, { step: "provider_provisioning", next: "credential_storage" });
  return null;
}

export async function passCredentialStorage(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  {
    addition: { serviceId },
    valueSealed,
  }: { readonly addition: Pick<Addition, "serviceId">; readonly valueSealed: Buffer },
): Promise<null> {
  const at = app.clock.now();
  const place = { tenantId: key.tenantId, serviceId };
  const secret = { ...place, kind: "env" as const, version: 1, valueSealed, createdAt: at };
  await insertServiceSecret(tx, secret);
  const change = { credentialVersion: 1, credentialRotatedAt: at, updatedAt: at };
  await updateServiceRow(tx, place, change);
  await passStep(tx, app, key, { step: "credential_storage", next: "service_record" });
  return null;
}

/** What a plan costs a month is owed from here on; what is set aside for use stays reserved until the use is billed. */
export async function passServiceRecord(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<null> {
  const place = { tenantId: key.tenantId, serviceId };
  const { priceCents } = await updateServiceRow(tx, place, { updatedAt: app.clock.now() });
  if (priceCents > 0n) await moveCharges(tx, place, { from: "reserved", to: "pending" });
  await passStep(tx, app, key, { step: "service_record", next: "audit" });
  return null;
}

/** The service is there: for its project's environment, for the audit trail and for whoever listens, all at once. */
export async function activateService(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<null> {
  const at = app.clock.now();
  const place = { tenantId: key.tenantId, serviceId };
  const service = await updateServiceRow(tx, place, { status: "active", updatedAt: at });
  const project = await lockOwnProject(tx, service);
  await updateProjectRow(tx, project, { envVersion: project.envVersion + 1, updatedAt: at });
  const actor = await actorOfOperation(tx, key);
  const facts = {
    operation_id: key.operationId,
    provider_resource_id: service.providerResourceId,
    env_names: Object.values(service.envNames).sort(),
  };
  await recordServiceChange(tx, actor, { action: "service.added", service, facts, occurredAt: at });
  await succeedOperation(tx, app, key, "audit");
  await updateOperationRow(tx, key, { expectedCallbackSeconds: null });
  return null;
}

/** Ends an addition that came to nothing: what was reserved is released, what was stored is destroyed. */
export async function abandonService(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  {
    addition: { serviceId },
    error,
    undone,
  }: {
    readonly addition: Pick<Addition, "serviceId">;
    readonly error: OperationError;
    readonly undone: readonly AddServiceStep[];
  },
): Promise<null> {
  const place = { tenantId: key.tenantId, serviceId };
  await moveCharges(tx, place, { from: "reserved", to: "released" });
  await moveCharges(tx, place, { from: "pending", to: "released" });
  await deleteServiceSecrets(tx, place);
  const at = app.clock.now();
  const service = await updateServiceRow(tx, place, { status: "failed", updatedAt: at });
  await failOperation(tx, app, key, { error, undone });
  await updateOperationRow(tx, key, { expectedCallbackSeconds: null });
  await recordServiceChange(tx, await actorOfOperation(tx, key), {
    action: "service.failed",
    service,
    facts: { operation_id: key.operationId, code: error.code, undone: [...undone] },
    occurredAt: at,
  });
  return null;
}

function lockOwnProject(tx: Tx, { tenantId, mode, projectId }: Service): Promise<Project> {
  return lockProject(tx, { tenantId, mode, projectId, agentIds: [], projectIds: [] });
}

function refuseUnlessActive({ status }: Project): void {
  if (status !== "active") throw new AppError("conflict", { detail: `The project is ${status}.` });
}

function refusedFor(code: string, detail: string): StepVerdict {
  return { refused: { code, detail } };
}

/** What refuses is a result like any other: a thrown error would undo the step's own checkpoint with it. */
async function refusalOf(check: () => Promise<void>): Promise<OperationError | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { code: error.code, detail: error.message };
  }
}
