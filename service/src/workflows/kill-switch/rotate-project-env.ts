import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ProjectId } from "../../foundation/ids.ts";
import { cancelWaitingPlanChanges } from "../../modules/services/cancel-waiting-services.ts";
import { lockServicesInPlace } from "../../modules/services/provisioning/provisioning-context.ts";
import { startRotation } from "../../modules/services/rotation/request-rotation.ts";
import { rotateServiceSaga } from "../rotate-service/rotate-service.ts";
import type { Killed, KillRun } from "./target-kind.ts";

const ORDER = { reason: "compromised", gracePeriodSeconds: 0, confirmsDowntime: true, retiresPrevious: true } as const;

type InPlace = Awaited<ReturnType<typeof lockServicesInPlace>>[number];

/**
 * Starts a rotation of each service of the project that has not been rotated since the kill switch was triggered. A
 * background job runs the rotations. The project's credentials are `killed` once no rotation is left, which a
 * reconciliation finds out.
 */
export async function rotateProjectEnv(
  tx: Tx,
  app: App,
  { killSwitch, actor }: KillRun,
  projectId: string,
): Promise<Killed> {
  const { tenantId, mode, createdAt } = killSwitch;
  const key = { tenantId, mode, projectId: projectId as ProjectId };
  await cancelWaitingPlanChanges(tx, app, actor, key);
  const left: string[] = [];
  for (const service of await lockServicesInPlace(tx, key)) {
    if (isRotatedSince(service, createdAt)) continue;
    left.push(await startOrExplain(tx, app, actor, service));
  }
  if (left.length === 0) return { outcome: "killed" };
  return { outcome: "blocked_pending", detail: left.join(" ").slice(0, DETAIL_LENGTH_MAX) };
}

const DETAIL_LENGTH_MAX = 1_000;

function isRotatedSince({ status, credentialRotatedAt, credentialPreviousValidUntil }: InPlace, since: Date): boolean {
  const isRetired = status === "active" && credentialPreviousValidUntil === null;
  return isRetired && credentialRotatedAt !== null && credentialRotatedAt > since;
}

async function startOrExplain(tx: Tx, app: App, actor: KillRun["actor"], service: InPlace): Promise<string> {
  const { serviceId } = service;
  try {
    const kind = rotateServiceSaga;
    const operationId = await startRotation(tx, app, { actor, service, order: ORDER, kind });
    return `${serviceId} is rotated by the operation ${operationId}.`;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !isRefusal(thrown)) throw thrown;
    return `${serviceId}: ${thrown.message}`;
  }
}

/** A provider that is not configured prevents only the rotation of its own services. */
function isRefusal({ code, status }: AppError): boolean {
  return status < 500 || code === "provider_unavailable";
}
