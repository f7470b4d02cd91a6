import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { OperationRow } from "../../../operations/queries.ts";
import type { RotatedCredentials } from "../../../ports/service-provider.ts";
import type { TenantVault } from "../../../vault/vault.ts";
import { recordEnvChange } from "../../projects/projects.ts";
import { lockOwnProject } from "../provisioning/provisioning-context.ts";
import { deleteServiceSecretsOf, serviceRows, serviceSecretRows, serviceSecretVersionRows } from "../queries.ts";
import { newServicePassword } from "../service-secrets.ts";
import { recordServiceChange } from "../services.ts";
import { rotationRows } from "./queries.ts";
import { hasNoGrace, type RotationContext, scheduleRetirement } from "./rotation.ts";

/**
 * Stores a password for the new credential, unless an earlier rotation, whose outcome is unknown, has sent one to the
 * provider.
 */
export async function prepareRotation(
  tx: Tx,
  { clock, vault }: Pick<App, "clock"> & { readonly vault: TenantVault },
  { tenantId, serviceId, formerVersion }: RotationContext,
): Promise<void> {
  const version = formerVersion + 1;
  const secret = { tenantId, serviceId, kind: "password" as const, version };
  if ((await serviceSecretVersionRows.find(tx, secret)) !== undefined) return;
  const valueSealed = newServicePassword(vault, serviceId, version);
  await serviceSecretRows.insert(tx, { ...secret, valueSealed, createdAt: clock.now() });
}

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
  const service = await serviceRows.lockAndGet(tx, rotation);
  const version = service.credentialVersion + 1;
  await serviceSecretRows.insert(tx, {
    ...{ tenantId, serviceId, kind: "env", version, valueSealed },
    createdAt: at,
  });
  const { gracePeriodSeconds } = await rotationRows.get(tx, rotation);
  const endsAt = new Date(at.getTime() + gracePeriodSeconds * 1_000);
  const isOwn = hasNoGrace({ mode, gracePeriodSeconds });
  await scheduleRetirement(tx, { clock }, service, { endsAt, isOwn });
  const published = await serviceRows.updateAndGet(tx, rotation, {
    status: "active",
    credentialVersion: version,
    credentialRotatedAt: at,
    credentialPreviousValidUntil: mode === "overlap" ? endsAt : null,
    updatedAt: at,
  });
  await rotationRows.update(tx, rotation, {
    ...{ mode, changed: true, credentialVersion: version, verified: isVerified },
  });
  await recordServiceChange(tx, actor, {
    action: "service.rotation_published",
    service: published,
    facts: { operation_id: operationId, credential_version: version, mode },
    occurredAt: at,
  });
  const { environments, envNames } = published;
  const names = Object.values(envNames).sort();
  const times = { occurredAt: at, updatedAt: at };
  await recordEnvChange(tx, actor, project, { change: "set", environments, names, ...times });
  return isOwn;
}

/** Records that the provider has returned the credential that the service had already. Nothing is published. */
export async function keepCredential(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
): Promise<void> {
  await rotationRows.update(tx, rotation, { changed: false });
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

interface EndUnpublished {
  readonly action: "service.rotation_unchanged" | "service.rotation_failed";
  readonly facts: { readonly code?: string };
}

async function endUnpublished(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  rotation: RotationContext,
  { action, facts }: EndUnpublished,
): Promise<void> {
  const occurredAt = clock.now();
  await lockOwnProject(tx, rotation);
  await serviceRows.lockAndGet(tx, rotation);
  await deleteServiceSecretsOf(tx, rotation, rotation.formerVersion + 1);
  const service = await serviceRows.updateAndGet(tx, rotation, { status: "active", updatedAt: occurredAt });
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
  await serviceRows.updateAndGet(tx, { tenantId, serviceId }, { status: "active", updatedAt: clock.now() });
}
