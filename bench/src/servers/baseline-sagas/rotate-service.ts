import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { newId } from "@purser/service/foundation/ids.ts";
import {
  claimKey,
  insertAudit,
  insertChange,
  insertEvent,
  insertOperation,
  insertSecret,
  step,
  storeResponse,
} from "./operation.ts";
import { open, seal } from "./seal.ts";
import type { BaselineService } from "./service-response.ts";
import { type Context, inTransaction, type Tx } from "./transaction.ts";

export const ROTATION_STEPS = ["credential_preparation", "provider_rotation", "provider_retirement", "audit"] as const;

const LOCK_PROJECT = "select * from projects where tenant_id = $1 and project_id = $2 for no key update";
const LOCK_SERVICE = "select * from services where tenant_id = $1 and service_id = $2 for no key update";

export interface AcmeDbAccess {
  readonly acmeDbUrl: string;
  readonly acmeDbToken: string;
}

type RotateContext = Context & { readonly acmeDb: ReturnType<typeof createAcmeDb> };

interface Rotation extends BaselineService {
  readonly resourceId: string;
  readonly formerVersion: number;
}

/** Rotates the credentials of a service of Acme DB, without a grace period. */
export async function rotateService(context: RotateContext, request: IncomingMessage) {
  const [projectId = "", , serviceId = ""] = (request.url ?? "").split("/").slice(-4);
  const record = await claimKey(context, request);
  const rotation = await inTransaction(context, async (tx) => {
    const requested = await requestRotation(tx, context.tenantId, { projectId, serviceId });
    await storeResponse(tx, record, { operationId: requested.operationId, serviceId });
    return requested;
  });
  await runSteps(context, rotation);
  return readBack(context, rotation);
}

async function requestRotation(
  tx: Tx,
  tenantId: string,
  { projectId, serviceId }: { readonly projectId: string; readonly serviceId: string },
): Promise<Rotation> {
  await tx.run(LOCK_PROJECT, [tenantId, projectId]);
  const [row] = await tx.run(LOCK_SERVICE, [tenantId, serviceId]);
  await tx.run("select operation_id from operations where tenant_id = $1 and subject_id = $2 and status = 'running'", [
    tenantId,
    serviceId,
  ]);
  const rotation: Rotation = {
    ...{ tenantId, projectId, serviceId, operationId: newId("op"), at: new Date() },
    ...{ linkId: row.link_id, service: row.service, name: row.name, region: row.region },
    ...{ envNames: row.env_names, environments: row.environments },
    ...{ resourceId: row.provider_resource_id, formerVersion: row.credential_version },
  };
  const order = { reason: "scheduled", grace_period_seconds: 0 };
  await insertOperation(tx, rotation, { type: "service.rotate", steps: ROTATION_STEPS });
  await tx.insert("service_rotations", {
    ...{ tenant_id: tenantId, operation_id: rotation.operationId, service_id: serviceId },
    ...{ ...order, confirms_downtime: true },
  });
  await tx.run(
    "update services set status = 'rotating', updated_at = now() where tenant_id = $1 and service_id = $2 returning *",
    [tenantId, serviceId],
  );
  const facts = { project_id: projectId, operation_id: rotation.operationId, ...order };
  await insertAudit(tx, rotation, "service.rotation_requested", facts);
  return rotation;
}

/** Runs the steps, each in its own transaction, with the vendor calls between the transactions. */
async function runSteps(context: RotateContext, rotation: Rotation): Promise<void> {
  const { acmeDb } = context;
  const { tenantId, serviceId, operationId, resourceId, formerVersion } = rotation;
  const version = formerVersion + 1;
  await step(context, rotation, 0, async (tx) => {
    const value_sealed = seal(context, randomBytes(24).toString("base64url"));
    await insertSecret(tx, rotation, { kind: "password", version, value_sealed });
  });
  const former = await readEnv(context, rotation);
  const url = await acmeDb.rotate(resourceId, `${serviceId}-${version}`);
  const value_sealed = seal(context, JSON.stringify({ DATABASE_URL: url }));
  if (!(await acmeDb.accepts(url))) throw new Error("the new credential is refused");
  await step(context, rotation, 1, (tx) => publish(tx, rotation, value_sealed));
  await acmeDb.retire(resourceId, new URL(former).password);
  if (await acmeDb.accepts(former)) throw new Error("the former credential is accepted");
  await step(context, rotation, 2, async (tx) => {
    await tx.run(LOCK_PROJECT, [tenantId, rotation.projectId]);
    await tx.run(LOCK_SERVICE, [tenantId, serviceId]);
    await tx.run("delete from service_secrets where tenant_id = $1 and service_id = $2 and version = $3", [
      tenantId,
      serviceId,
      formerVersion,
    ]);
    await tx.run("delete from due_work where tenant_id = $1 and kind = 'retire-credentials' and subject = $2", [
      tenantId,
      serviceId,
    ]);
    await tx.run(
      "update services set credential_previous_valid_until = null, updated_at = now() where tenant_id = $1 and service_id = $2",
      [tenantId, serviceId],
    );
    await insertChange(tx, rotation, "service.rotated", "service.rotated", "active");
  });
  await step(context, rotation, 3, async (tx) => {
    await tx.run(
      "update operations set status = 'succeeded', updated_at = now() where tenant_id = $1 and operation_id = $2",
      [tenantId, operationId],
    );
  });
}

/** Returns the URL in the stored variables. */
async function readEnv(context: Context, { tenantId, serviceId, formerVersion }: Rotation) {
  const [secret] = await inTransaction(context, (tx) =>
    tx.run(
      "select value_sealed from service_secrets where tenant_id = $1 and service_id = $2 and kind = 'env' and version = $3",
      [tenantId, serviceId, formerVersion],
    ),
  );
  return String(JSON.parse(open(context, secret.value_sealed)).DATABASE_URL);
}

async function publish(tx: Tx, rotation: Rotation, value_sealed: Buffer): Promise<void> {
  const { tenantId, projectId, serviceId, operationId, envNames, environments } = rotation;
  const version = rotation.formerVersion + 1;
  await tx.run(LOCK_PROJECT, [tenantId, projectId]);
  await tx.run(LOCK_SERVICE, [tenantId, serviceId]);
  await insertSecret(tx, rotation, { kind: "env", version, value_sealed });
  await tx.run(
    `insert into due_work (tenant_id, kind, subject, due_at, first_due_at)
       values ($1, 'retire-credentials', $2, now() + interval '1 minute', now() + interval '1 minute')`,
    [tenantId, serviceId],
  );
  await tx.run(
    `update services set status = 'active', credential_version = $3, credential_rotated_at = now(),
       credential_previous_valid_until = now(), updated_at = now() where tenant_id = $1 and service_id = $2`,
    [tenantId, serviceId, version],
  );
  await tx.run(
    "update service_rotations set mode = 'overlap', changed = true, credential_version = $3 where tenant_id = $1 and operation_id = $2",
    [tenantId, operationId, version],
  );
  const [project] = await tx.run(
    "update projects set env_version = env_version + 1, updated_at = now() where tenant_id = $1 and project_id = $2 returning env_version",
    [tenantId, projectId],
  );
  await insertChange(tx, rotation, "service.rotation_published", "service.rotation_pending", "active");
  const names = Object.values(envNames).sort();
  await insertEvent(tx, {
    tenant_id: tenantId,
    type: "env.changed",
    subject: { type: "project", id: projectId },
    data: {
      ...{ project_id: projectId, version: project.env_version, environments, names },
      change: "set",
    },
  });
}

/** Returns Purser's response for a rotation that has ended. */
async function readBack(context: Context, { tenantId, serviceId, operationId }: Rotation) {
  return inTransaction(context, async (tx) => {
    const own = [tenantId, operationId];
    const [operation] = await tx.run("select * from operations where tenant_id = $1 and operation_id = $2", own);
    const [rotation] = await tx.run("select * from service_rotations where tenant_id = $1 and operation_id = $2", own);
    const [service] = await tx.run("select * from services where tenant_id = $1 and service_id = $2", [
      tenantId,
      serviceId,
    ]);
    await tx.run(
      "select key_id from credential_pulls where tenant_id = $1 and service_id = $2 and version < $3 limit 1",
      [tenantId, serviceId, service.credential_version],
    );
    return {
      service_id: serviceId,
      credential_version: rotation.credential_version,
      mode: rotation.mode,
      status: operation.status === "succeeded" ? "completed" : "pending",
      previous_valid_until: null,
      env_names: Object.values(service.env_names).sort(),
      changed: rotation.changed,
      warnings: [],
      operation_id: operationId,
      poll_url: null,
    };
  });
}

/** Makes the same calls as Purser's adapter, in the same order, without validating the responses. */
export function createAcmeDb({ acmeDbUrl, acmeDbToken }: AcmeDbAccess) {
  const post = (path: string, authorization: string, body: object = {}) =>
    fetch(acmeDbUrl + path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const change = async (path: string, body: object) => {
    const response = await post(path, `Bearer ${acmeDbToken}`, body);
    if (!response.ok) throw new Error(`${path} responded ${response.status}`);
    return response.json();
  };
  return {
    rotate: async (id: string, rotation_id: string): Promise<string> => {
      const { url } = Object(await change(`/v1/databases/${id}/rotations`, { rotation_id }));
      return String(url);
    },
    retire: (id: string, password: string): Promise<unknown> => change(`/v1/databases/${id}/retirements`, { password }),
    /** Returns whether the database accepts the credentials in the URL. */
    accepts: async (url: string): Promise<boolean> => {
      const { hostname, username, password } = new URL(url);
      const [database = ""] = hostname.split(".");
      const credentials = Buffer.from(`${username}:${password}`).toString("base64");
      const response = await post(`/v1/databases/${database}/sessions`, `Basic ${credentials}`);
      await response.text();
      return response.ok;
    },
  };
}
