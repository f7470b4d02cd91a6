import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { invariant } from "../../foundation/invariant.ts";
import { Count, ListOf, NamedObject, Nullable, OneOf } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { ChargeResource, presentCharge } from "../../modules/charges/charges.ts";
import { cancelWaitingServices } from "../../modules/services/cancel-waiting-services.ts";
import { finishRemoval, type Removal } from "../../modules/services/remove-service.ts";
import { removalEffectOf } from "../../modules/services/service-resource.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import type { OperationRow } from "../../operations/queries.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { type Commit, databaseStep, type SagaRun, vendorStep } from "../../operations/saga.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { canReadProject } from "../pull-env.ts";
import { releaseService } from "../release-service.ts";
import {
  completeDeletion,
  type Deletion,
  failDeletion,
  findCustomer,
  listServicesLeft,
  startServiceRemoval,
} from "./deletion-steps.ts";
import {
  type DeletionPreview,
  type DeletionReport,
  getDeletionReport,
  type RequestDeletion,
  requestDeletion,
} from "./request-deletion.ts";

const DeletionEffectResource = NamedObject("DeletionEffect", {
  service_id: Type.String(),
  effect: OneOf(
    ["destroyed", "detached", "failed"],
    "What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider. `failed`: it could not be deleted.",
  ),
  detail: Nullable(Type.String(), "Why the resource could not be deleted. Null unless `effect` is `failed`."),
});

export const ProjectDeletionResource = NamedObject("ProjectDeletion", {
  project_id: Type.String(),
  status: OneOf(
    ["deleting", "deleted"],
    "Status of the deletion. `deleting` until all services are removed. Repeat the request to check the progress.",
  ),
  services: ListOf(DeletionEffectResource, "What happens to each of the project's services, oldest first."),
  kept_customer_id: Nullable(
    Type.String(),
    "The id of the project's customer at the payment processor, if it stays until the project's last invoice is paid or void. Otherwise null.",
  ),
});

export function presentProjectDeletion(report: DeletionReport): Static<typeof ProjectDeletionResource> {
  return toWire(ProjectDeletionResource, report, {
    services: report.services.map((service) => toWire(DeletionEffectResource, service)),
  });
}

export const ProjectDeletionPreviewResource = NamedObject("ProjectDeletionPreview", {
  object: Type.Literal("project_deletion_preview"),
  project_id: Type.String(),
  name: Type.String(),
  services: ListOf(DeletionEffectResource, "What happens to each of the project's services, oldest first."),
  charges: ListOf(
    Type.Pick(ChargeResource, [
      "service_id",
      "provider",
      "description",
      "amount",
      "currency",
      "billed_by",
      "estimated",
      "period_start",
      "period_end",
    ]),
    "What will still be billed if the project is deleted now, and what Purser bills and is not paid yet. An item is `estimated` if the provider bills metered use.",
  ),
  variables: Count("Number of variables that will be deleted."),
});

export function presentProjectDeletionPreview({
  project,
  services,
  finalCharges,
  variableCount,
}: DeletionPreview): Static<typeof ProjectDeletionPreviewResource> {
  return toWire(ProjectDeletionPreviewResource, project, {
    services: services.map((service) =>
      toWire(DeletionEffectResource, service, { effect: removalEffectOf(service), detail: null }),
    ),
    charges: finalCharges.map(presentCharge),
    variables: variableCount,
  });
}

const POLL_MS = 500;

/**
 * Deletes a project, its services, its variables and its customer at the payment processor. Also revokes its provider
 * links.
 */
export const deleteProjectSaga = defineSaga<Deletion>({
  type: "project.delete",
  readScope: "projects:read",
  canRead: canReadProject,
  load: async (tx, _app, operation) => {
    const project = projectOf(operation);
    return { ...project, customerId: await findCustomer(tx, project) };
  },
  steps: [
    vendorStep("services", removeServices),
    vendorStep("payment_customer", deleteCustomer),
    databaseStep("project_record", (tx, { app, actor, state }) => completeDeletion(tx, app, actor, state)),
  ],
  onEscalated: (tx, app, operation) => failDeletion(tx, app, projectOf(operation)),
});

function projectOf({ tenantId, mode, projectId }: OperationRow) {
  invariant(projectId !== null, "an operation that deletes a project has its id");
  return { tenantId, mode, projectId };
}

/**
 * Removes services until none is left. A service that is still being added or changed can be removed only after that has
 * ended, so this function lists the services repeatedly. A change can also start after they were listed.
 */
async function removeServices(run: SagaRun<Deletion>, commit: Commit<Deletion>): Promise<void> {
  const { app, context, actor, state } = run;
  for (;;) {
    const left = await context.transaction("services: list", async (tx) => {
      await cancelWaitingServices(tx, app, actor, state);
      return listServicesLeft(tx, state);
    });
    for (const removal of left.removals) await removeOne(run, removal);
    if (left.beingChanged === 0 && left.removals.length === 0) break;
    if (left.removals.length === 0) await context.sleep("services", POLL_MS);
  }
  await commit(async (tx) => ({ customerId: await findCustomer(tx, state) }));
}

async function removeOne(run: SagaRun<Deletion>, removal: Removal): Promise<void> {
  const { app, context, actor, state } = run;
  const { serviceId } = removal;
  const step = `services: ${serviceId}`;
  const isStarted = await context.transaction(`${step}: begin`, (tx) =>
    startServiceRemoval(tx, app, actor, { ...state, listed: removal }),
  );
  // An operation that an earlier version of Purser ran has stored null.
  if (isStarted === false) return;
  await releaseService(run, step, removal);
  await context.call(`${step}: forget`, () => deleteProvisioningHistory(app, removal));
  await context.transaction(`${step}: finish`, async (tx) => {
    await finishRemoval(tx, app, actor, removal);
    return null;
  });
}

async function deleteCustomer(run: SagaRun<Deletion>, commit: Commit<Deletion>): Promise<void> {
  const { app, state } = run;
  const { customerId, mode } = state;
  if (customerId !== null) {
    await callVendor(run, "payment_customer", async () => {
      await app.billing[mode].deleteCustomer(customerId);
      return null;
    });
  }
  await commit(async () => ({}));
}

/**
 * Deletes a project and its services, and waits for at most `syncWaitMs`. If a deletion is already running, waits for
 * it and returns its report. Throws `project_not_found`.
 */
export async function deleteProject(app: App, command: Omit<RequestDeletion, "kind">): Promise<DeletionReport> {
  const { projectId, tenantId } = command.key;
  const kind = deleteProjectSaga;
  const operationId = await requestDeletion(app, { ...command, kind });
  if (operationId === null) {
    return { projectId, status: "deleted", services: [], keptCustomerId: null };
  }
  await runOperation(app, kind.type, { tenantId, operationId });
  return getDeletionReport(app, command.key, operationId);
}
