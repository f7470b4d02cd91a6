import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import { deleteServiceSecretsOf, lockServiceById, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { updateRotation } from "./queries.ts";
import type { RotationContext } from "./rotation-context.ts";

/**
 * Deletes the former credential, which the provider refuses by now, and sets the service to `active`. If the provider has
 * returned the same credential, nothing was published, and only the rotation is recorded.
 */
export async function finishRotation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
): Promise<void> {
  const { operationId, formerVersion, isPublished } = rotation;
  const at = clock.now();
  await lockOwnProject(tx, rotation);
  const service = await lockServiceById(tx, rotation);
  if (!isPublished) {
    await deleteServiceSecretsOf(tx, rotation, formerVersion + 1);
    await updateRotation(tx, rotation, { changed: false });
    const facts = { operation_id: operationId };
    const action = "service.rotation_unchanged";
    return recordServiceChange(tx, actor, { action, service, facts, occurredAt: at });
  }
  await deleteServiceSecretsOf(tx, rotation, formerVersion);
  const rotated = await updateServiceRow(tx, rotation, {
    status: "active",
    credentialPreviousValidUntil: null,
    updatedAt: at,
  });
  await recordServiceChange(tx, actor, {
    action: "service.rotated",
    service: rotated,
    facts: { operation_id: operationId, credential_version: rotated.credentialVersion },
    occurredAt: at,
  });
}

/** Records that the service could not be rotated. Its credential is the same as before. */
export async function failRotation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
  code: string,
): Promise<void> {
  await lockOwnProject(tx, rotation);
  const service = await lockServiceById(tx, rotation);
  await deleteServiceSecretsOf(tx, rotation, rotation.formerVersion + 1);
  await recordServiceChange(tx, actor, {
    action: "service.rotation_failed",
    service,
    facts: { operation_id: rotation.operationId, code },
    occurredAt: clock.now(),
  });
}
