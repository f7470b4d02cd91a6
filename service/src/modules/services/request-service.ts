import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { newId, type OperationId, type ServiceId } from "../../foundation/ids.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { createOperationInQuota, type NewOperation } from "../../operations/operations.ts";
import { openVault } from "../../vault/vault.ts";
import { type PlanSelection, type ResolvedPlan, resolvePlan } from "../catalog/plans.ts";
import { findActiveLink } from "../links/queries.ts";
import { lockProject, type Project, type ProjectKey } from "../projects/queries.ts";
import { isUsablePrefix, nameServiceEnv } from "./env-names.ts";
import { FIRST_CREDENTIAL } from "./provisioning/provisioning-context.ts";
import { listServicesInPlace, type Service, serviceRows, serviceSecretRows } from "./queries.ts";
import { throwIfBundleTooLarge } from "./service-env.ts";
import { newServicePassword } from "./service-secrets.ts";
import { recordServiceChange } from "./services.ts";

const SERVICES_MAX = 100;
/** The expected size in bytes of a new service's variables in a bundle. */
const SERVICE_ENV_BYTES = 32n * 1024n;

export interface RequestService {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly selection: PlanSelection;
  /** Defaults to the service's slug in the catalog, with a number appended if another service has that name. */
  readonly name: string | undefined;
  /** Defaults to all of the project's environments. */
  readonly environments: readonly string[] | undefined;
  readonly envPrefix: string | null;
  /** The provider's ID of an existing resource to adopt. Null if a new resource is created. */
  readonly existingResourceId: string | null;
  /** A UUID in lowercase. */
  readonly agentId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RequestedService {
  readonly operationId: OperationId;
  readonly serviceId: ServiceId;
}

/**
 * Stores a new service and the operation that adds it. The saga `kind` runs the operation; this function calls no
 * provider.
 */
export async function requestService(
  app: Pick<App, "settings" | "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">,
  command: RequestService & { readonly kind: NewOperation["kind"] },
  saveResponse: SaveResponse<RequestedService>,
): Promise<RequestedService> {
  const { actor, key, kind } = command;
  const offer = resolvePlan(app, command.selection);
  checkPrefix(command.envPrefix, offer);
  checkAdoption(app, command.existingResourceId, offer);
  const vault = await openVault(app, key.tenantId);
  const createdAt = app.clock.now();
  const serviceId = newId("srv");
  // Some providers require a password for the new resource.
  const password = newServicePassword(vault, serviceId, FIRST_CREDENTIAL);

  return throwIfConflicting(() =>
    withTransaction(app.db, key.tenantId, async (tx) => {
      const project = await lockProject(tx, key);
      if (project.status !== "active") {
        const detail = `The project is ${project.status}. Services can be added to active projects only.`;
        throw new AppError("conflict", { detail });
      }
      await throwIfBundleTooLarge(tx, project, SERVICE_ENV_BYTES);
      const row = await newServiceRow(tx, project, offer, command);
      const times = { createdAt, updatedAt: createdAt };
      const service = await serviceRows.insertAndGet(tx, { ...row, ...times, serviceId });
      const { tenantId, projectId } = service;
      const secret = { tenantId, serviceId, kind: "password" as const, version: FIRST_CREDENTIAL };
      await serviceSecretRows.insert(tx, { ...secret, valueSealed: password, createdAt });
      const subject = { type: "service", id: serviceId };
      const operationId = await createOperationInQuota(tx, app, actor, {
        kind,
        subject,
        projectId,
      });
      await recordServiceChange(tx, actor, {
        action: "service.requested",
        service,
        facts: { operation_id: operationId, agent_id: service.agentId },
        occurredAt: createdAt,
      });
      const requested = { operationId, serviceId };
      await saveResponse(tx, requested);
      return requested;
    }),
  );
}

function checkPrefix(envPrefix: string | null, { service }: ResolvedPlan): void {
  const names = service.env_vars.map(({ name }) => name);
  if (envPrefix === null || isUsablePrefix(envPrefix, names)) return;
  throw invalidField("/body/env_prefix", "reserved", "would result in an invalid or reserved variable name");
}

function checkAdoption(
  { providers }: Pick<App, "providers">,
  resourceId: string | null,
  { provider: { provider, display_name: name } }: ResolvedPlan,
): void {
  if (resourceId === null || providers.get(provider)?.canAdopt) return;
  const detail = `cannot be adopted: ${name} does not return the password of an existing resource`;
  throw invalidField("/body/existing_resource_id", "not_supported", detail);
}

/**
 * Builds the row for a new service. Throws `provider_not_linked`, or `conflict` if the project has too many services.
 */
async function newServiceRow(tx: Tx, project: Project, offer: ResolvedPlan, command: RequestService) {
  const { tenantId, projectId, mode } = project;
  const provider = offer.provider.provider;
  const link = await findActiveLink(tx, { tenantId, projectId, provider });
  if (link === undefined) {
    const detail = `${offer.provider.display_name} is not linked to this project. Link it first: POST /projects/${projectId}/link.`;
    throw new AppError("provider_not_linked", { detail });
  }
  const others = await listServicesInPlace(tx, project);
  if (others.length >= SERVICES_MAX) {
    const detail = `A project can have at most ${SERVICES_MAX} services. Remove a service first.`;
    throw new AppError("conflict", { detail });
  }
  const named = {
    name: command.name ?? freeName(offer, others),
    envPrefix: command.envPrefix,
    environments: environmentsOf(project, command.environments),
  };
  const providerNames = offer.service.env_vars.map(({ name }) => name);
  return {
    tenantId,
    projectId,
    mode,
    linkId: link.linkId,
    provider,
    service: offer.service.service,
    ...named,
    envNames: JSON.stringify(nameServiceEnv(named, { providerNames, others })),
    plan: offer.plan.plan,
    region: offer.region,
    config: JSON.stringify(command.selection.config),
    status: "pending" as const,
    providerResourceId: command.existingResourceId,
    adopted: command.existingResourceId !== null,
    ...offer.price,
    agentId: command.agentId,
    metadata: JSON.stringify(command.metadata),
  };
}

function environmentsOf(project: Project, requested: readonly string[] | undefined): readonly string[] {
  const unknown = requested?.find((name) => !project.environments.includes(name));
  if (unknown !== undefined) {
    const detail = `must contain only ${project.environments.join(", ")}`;
    throw invalidField("/body/environments", "unknown", detail);
  }
  return requested ?? project.environments;
}

/** Returns the first unused name: for example `postgres`, `postgres-2`, `postgres-3` and so on. */
function freeName({ service }: ResolvedPlan, others: readonly Service[]): string {
  const [, slug = ""] = service.service.split("/");
  const taken = new Set(others.map(({ name }) => name));
  let name = slug;
  for (let count = 2; taken.has(name); count += 1) name = `${slug}-${count}`;
  return name;
}

async function throwIfConflicting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "resource_in_use")) {
      const detail = "Another service uses this resource.";
      const pointer = "/body/existing_resource_id";
      const errors = [{ pointer, code: "taken", detail: "is already used by another service" }];
      throw new AppError("conflict", { detail, errors, cause: error });
    }
    if (!isUniqueViolation(error, "service_name_taken")) throw error;
    const detail = "The project already has a service with this name. Choose a different name.";
    const errors = [{ pointer: "/body/name", code: "taken", detail: "is already taken" }];
    throw new AppError("already_exists", { detail, errors, cause: error });
  }
}
