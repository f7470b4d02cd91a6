import type { App } from "../../../app.ts";
import { operationActor } from "../../../audit/actors.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { cancelWork, scheduleWork } from "../../../due-work/due-work.ts";
import { AppError } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { findOpenOperation, operationRows } from "../../../operations/queries.ts";
import { ROTATE_SERVICE } from "../operation-types.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import {
  CONTRIBUTING_STATUSES,
  deleteServiceSecretsOf,
  type Service,
  type ServiceKey,
  serviceRows,
} from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { rotationRows, rotationRowsByCredential } from "./queries.ts";
import { type FormerCredential, findFormerCredential, type RotationContext } from "./rotation-context.ts";

/** The due work that retires the former credential of a service when its grace period ends. The subject is the service. */
export const RETIREMENT = { kind: "retire-credentials" } as const;

/** Longer than the calls of one attempt can take. */
const ATTEMPT_MAX_MS = 120_000;
/** A rotation that retires a credential itself has usually ended by then. */
const OWN_ATTEMPT_MS = 60_000;

/** A former credential whose grace period has ended. */
export interface Retirement extends FormerCredential, Pick<RotationContext, "operationId" | "projectId" | "mode"> {
  /** Who asked for the rotation. */
  readonly actor: Actor;
  /** When the attempt that has begun is over. */
  readonly retiringUntil: Date;
}

/**
 * Schedules the retirement of the service's former credential. `isOwn`: a rotation retires it now, so the work is left only
 * if that fails.
 */
export function scheduleRetirement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId: subject }: ServiceKey,
  { endsAt, isOwn }: { readonly endsAt: Date; readonly isOwn: boolean },
): Promise<void> {
  const dueAt = isOwn ? new Date(clock.now().getTime() + OWN_ATTEMPT_MS) : endsAt;
  return scheduleWork(tx, RETIREMENT, { tenantId, subject, dueAt });
}

/**
 * Begins an attempt to retire the service's former credential. Until `endAttempt` or `finishRetirement`, no rotation can
 * start, because a provider can issue the next credential under the login of the one that is being retired. Returns
 * `nothing` if there is nothing to retire, for example because the service was removed, and `later` while a rotation runs,
 * which retires the credential itself, and while another attempt may run.
 */
export async function beginRetirement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  key: ServiceKey,
): Promise<Retirement | "nothing" | "later"> {
  const { tenantId, serviceId } = key;
  const service = await serviceRows.lockAndGet(tx, key);
  const isInPlace = CONTRIBUTING_STATUSES.some((status) => status === service.status);
  const former = isInPlace ? await findFormerCredential(tx, service) : null;
  const rotation = former === null ? undefined : await rotationRowsByCredential.find(tx, service);
  if (former === null || rotation === undefined) return "nothing";
  const isRetiring = rotation.retiringUntil !== null && rotation.retiringUntil > clock.now();
  const open = await findOpenOperation(tx, { tenantId, type: ROTATE_SERVICE, subjectId: serviceId });
  if (isRetiring || open !== undefined) return "later";
  const retiringUntil = new Date(clock.now().getTime() + ATTEMPT_MAX_MS);
  await rotationRows.update(tx, rotation, { retiringUntil });
  const { operationId } = rotation;
  const actor = operationActor(await operationRows.get(tx, rotation));
  return { ...former, operationId, projectId: service.projectId, mode: service.mode, actor, retiringUntil };
}

/** Ends an attempt that did not succeed. Does nothing if its time is over, because another may have begun. */
export async function endAttempt(tx: Tx, { clock }: Pick<App, "clock">, retirement: Retirement): Promise<void> {
  if (retirement.retiringUntil > clock.now()) await rotationRows.update(tx, retirement, { retiringUntil: null });
}

/** Throws `conflict` while the former credential is being retired. */
export async function throwIfRetiring(tx: Tx, { clock }: Pick<App, "clock">, service: Service): Promise<void> {
  const until = (await rotationRowsByCredential.find(tx, service))?.retiringUntil ?? null;
  if (until === null || until <= clock.now()) return;
  const detail = "The former credential of the service is being retired. Repeat the call in a few seconds.";
  throw new AppError("conflict", { detail, retryAfterSeconds: 5 });
}

/** Deletes the former credential, which the provider refuses by now. Ends the rotation that replaced it. */
export async function finishRetirement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  retired: Pick<Retirement, "tenantId" | "serviceId" | "projectId" | "mode" | "formerVersion">,
): Promise<void> {
  const { tenantId, serviceId, formerVersion } = retired;
  const at = clock.now();
  await lockOwnProject(tx, retired);
  await serviceRows.lockAndGet(tx, retired);
  await deleteServiceSecretsOf(tx, retired, formerVersion);
  await cancelWork(tx, RETIREMENT, { tenantId, subject: serviceId });
  const service = await serviceRows.updateAndGet(tx, retired, { credentialPreviousValidUntil: null, updatedAt: at });
  const rotation = await rotationRowsByCredential.find(tx, service);
  invariant(rotation !== undefined, "a rotation has published the credential that replaces the former one");
  await rotationRows.update(tx, rotation, { retiringUntil: null });
  await recordServiceChange(tx, actor, {
    action: "service.rotated",
    service,
    facts: { operation_id: rotation.operationId, credential_version: service.credentialVersion },
    occurredAt: at,
  });
}
