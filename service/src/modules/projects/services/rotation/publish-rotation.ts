import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { appendEvent } from "../../../../events/append-event.ts";
import type { RotatedCredentials } from "../../../../ports/service-provider.ts";
import { updateProjectRow } from "../../queries.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import { insertServiceSecret, lockServiceById, type Service, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { getRotationRow, updateRotation } from "./queries.ts";
import { scheduleRetirement } from "./retirement.ts";
import { hasNoGrace, type RotationContext } from "./rotation-context.ts";

/**
 * Stores the new credential as the service's next version, which env bundles contain from then on, and schedules the
 * retirement of the former one. That remains stored until `finishRetirement`. Returns whether it has no grace period.
 */
export async function publishRotation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
  {
    valueSealed,
    mode,
    isVerified,
  }: Pick<RotatedCredentials, "mode"> & {
    readonly valueSealed: Buffer;
    /** Whether Purser has used the new credential once. */
    readonly isVerified: boolean;
  },
): Promise<boolean> {
  const { tenantId, serviceId, operationId } = rotation;
  const at = clock.now();
  const project = await lockOwnProject(tx, rotation);
  const service = await lockServiceById(tx, rotation);
  const version = service.credentialVersion + 1;
  await insertServiceSecret(tx, {
    ...{ tenantId, serviceId, kind: "env", version, valueSealed },
    createdAt: at,
  });
  const { gracePeriodSeconds } = await getRotationRow(tx, rotation);
  const endsAt = new Date(at.getTime() + gracePeriodSeconds * 1_000);
  const isOwn = hasNoGrace({ mode, gracePeriodSeconds });
  await scheduleRetirement(tx, { clock }, service, { endsAt, isOwn });
  const published = await updateServiceRow(tx, rotation, {
    status: "active",
    credentialVersion: version,
    credentialRotatedAt: at,
    credentialPreviousValidUntil: mode === "overlap" ? endsAt : null,
    updatedAt: at,
  });
  await updateRotation(tx, rotation, {
    ...{ mode, changed: true, credentialVersion: version, verified: isVerified },
  });
  const { envVersion } = await updateProjectRow(tx, project, {
    envVersion: project.envVersion + 1,
    updatedAt: at,
  });
  await recordServiceChange(tx, actor, {
    action: "service.rotation_published",
    service: published,
    facts: { operation_id: operationId, credential_version: version, mode },
    occurredAt: at,
  });
  await recordEnvChange(tx, actor, published, { version: envVersion, occurredAt: at });
  return isOwn;
}

async function recordEnvChange(
  tx: Tx,
  actor: Actor,
  { projectId, environments, envNames }: Service,
  { version, occurredAt }: { readonly version: number; readonly occurredAt: Date },
): Promise<void> {
  await appendEvent(tx, actor, {
    type: "env.changed",
    subject: { type: "project", id: projectId },
    data: {
      project_id: projectId,
      version,
      environments: [...environments],
      names: Object.values(envNames).sort(),
      change: "set",
    },
    occurredAt,
  });
}
