import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import type { OperationRow } from "../../../../operations/queries.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import { deleteServiceSecretsOf, lockServiceById, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { updateRotation } from "./queries.ts";
import type { RotationContext } from "./rotation-context.ts";

/** Records that the provider has returned the credential that the service had already. Nothing is published. */
export async function keepCredential(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
): Promise<void> {
  await updateRotation(tx, rotation, { changed: false });
  await endUnpublished(tx, app, actor, rotation, { action: "service.rotation_unchanged", facts: {} });
}

/** Records that the service could not be rotated. Its credential is the same as before. */
export async function failRotation(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
  code: string,
): Promise<void> {
  await endUnpublished(tx, app, actor, rotation, { action: "service.rotation_failed", facts: { code } });
}

async function endUnpublished(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
  {
    action,
    facts,
  }: {
    readonly action: "service.rotation_unchanged" | "service.rotation_failed";
    readonly facts: { readonly code?: string };
  },
): Promise<void> {
  const occurredAt = clock.now();
  await lockOwnProject(tx, rotation);
  await lockServiceById(tx, rotation);
  await deleteServiceSecretsOf(tx, rotation, rotation.formerVersion + 1);
  const service = await updateServiceRow(tx, rotation, { status: "active", updatedAt: occurredAt });
  await recordServiceChange(tx, actor, {
    ...{ action, service, occurredAt },
    facts: { operation_id: rotation.operationId, ...facts },
  });
}

/** Lets the service be used and rotated again while an operator looks at the rotation. */
export async function escalateRotation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId }: OperationRow,
): Promise<void> {
  invariant(serviceId !== null, "an operation that rotates a service has its id");
  await updateServiceRow(tx, { tenantId, serviceId }, { status: "active", updatedAt: clock.now() });
}
