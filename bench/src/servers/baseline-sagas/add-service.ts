import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import {
  claimKey,
  insertAudit,
  insertChange,
  insertOperation,
  insertSecret,
  type RecordKey,
  step,
  storeResponse,
} from "./operation.ts";
import { seal } from "./seal.ts";
import { type BaselineService, ENV_NAMES, STEPS, serviceResponse } from "./service-response.ts";
import { type Context, inTransaction, type Tx } from "./transaction.ts";

interface AddServiceInput {
  readonly service: string;
  readonly name: string;
  readonly region: string;
}

type AddContext = Context & { readonly neon: Neon };

export async function addService(context: AddContext, request: IncomingMessage, input: AddServiceInput) {
  const projectId = (request.url ?? "").split("/").at(-2) ?? "";
  const record = await claimKey(context, request);
  const requested = await requestService(context, projectId, input, record);
  const { resourceId, env } = await runSteps(context, requested);
  await inTransaction(context, (tx) =>
    insertAudit(tx, requested, "env.pulled", { project_id: projectId, by: "service.add" }),
  );
  const { service, operation } = await readBack(context, requested);
  return {
    ...serviceResponse({ ...service, resourceId }, operation),
    env,
    env_names: Object.keys(env).sort(),
    fingerprint: sha256Hex(JSON.stringify(env, Object.keys(env).sort())),
  };
}

async function requestService(
  context: Context,
  projectId: string,
  input: AddServiceInput,
  record: RecordKey,
): Promise<BaselineService> {
  const { tenantId } = context;
  const at = new Date();
  return inTransaction(context, async (tx) => {
    const [project] = await tx.run(
      "select * from projects where tenant_id = $1 and project_id = $2 for no key update",
      [tenantId, projectId],
    );
    const [link] = await tx.run(
      "select * from provider_links where tenant_id = $1 and project_id = $2 and provider = $3 and status = 'linked'",
      [tenantId, projectId, "neon"],
    );
    const others = await tx.run(
      "select * from services where tenant_id = $1 and project_id = $2 and status not in ('removed', 'failed')",
      [tenantId, projectId],
    );
    const taken = new Set(others.flatMap(({ env_names }) => Object.values(env_names)));
    const service: BaselineService = {
      ...{ tenantId, projectId, at, ...input, linkId: link?.link_id },
      ...{ serviceId: newId("srv"), operationId: newId("op") },
      envNames: envNamesOf(input.name, taken),
      environments: project?.environments,
    };
    await insertRequested(tx, service);
    const value_sealed = seal(context, randomBytes(24).toString("base64url"));
    await insertSecret(tx, service, { kind: "password", version: 1, value_sealed });
    await insertOperation(tx, service, { type: "service.add", steps: STEPS });
    await insertChange(tx, service, "service.requested", "service.provisioning", "pending");
    await storeResponse(tx, record, { serviceId: service.serviceId });
    return service;
  });
}

/**
 * Maps the vendor's variable names to the names in the project. If another service already uses a name, this service's
 * name is added as a prefix.
 */
function envNamesOf(name: string, taken: ReadonlySet<unknown>): Record<string, string> {
  const prefix = `${name.toUpperCase().replaceAll("-", "_")}_`;
  return Object.fromEntries(ENV_NAMES.map((own) => [own, taken.has(own) ? prefix + own : own]));
}

async function insertRequested(tx: Tx, service: BaselineService): Promise<void> {
  const { tenantId, serviceId, projectId, linkId, name, region, environments, at } = service;
  await tx.insert("services", {
    ...{ tenant_id: tenantId, service_id: serviceId, project_id: projectId, link_id: linkId },
    ...{ mode: "live", provider: "neon", service: service.service, name, plan: "free", region },
    ...{ config: {}, status: "pending", environments, env_names: service.envNames },
    ...{ adopted: false, price_cents: 0, billed_by: "vendor", metadata: {}, created_at: at, updated_at: at },
  });
}

/** Runs the eight steps, each in its own transaction, with the vendor calls between the transactions. */
async function runSteps(context: AddContext, service: BaselineService) {
  const { neon } = context;
  const { tenantId, serviceId, projectId, operationId } = service;
  const own = [tenantId, serviceId] as const;
  await step(context, service, 0);
  await step(context, service, 1, async (tx) => {
    await tx.run("select status from projects where tenant_id = $1 and project_id = $2 for no key update", [
      tenantId,
      projectId,
    ]);
  });
  await step(context, service, 2);
  await step(context, service, 3, undefined, "skipped");

  const resourceId = await neon.createOrFind(service);
  await step(context, service, 4, async (tx) => {
    await tx.run(
      "update services set status = 'provisioning', provider_resource_id = $3, updated_at = now() where tenant_id = $1 and service_id = $2",
      [...own, resourceId],
    );
  });
  const values = await neon.readEnv(resourceId);
  const value_sealed = seal(context, JSON.stringify(values));
  await step(context, service, 5, async (tx) => {
    await insertSecret(tx, service, { kind: "env", version: 1, value_sealed });
    await tx.run(
      "update services set credential_version = 1, credential_rotated_at = now(), updated_at = now() where tenant_id = $1 and service_id = $2",
      own,
    );
  });
  await step(context, service, 6, async (tx) => {
    await tx.run("update services set updated_at = now() where tenant_id = $1 and service_id = $2", own);
  });
  await step(context, service, 7, async (tx) => {
    await tx.run(
      "update services set status = 'active', updated_at = now() where tenant_id = $1 and service_id = $2",
      own,
    );
    await tx.run(
      "update projects set env_version = env_version + 1, updated_at = now() where tenant_id = $1 and project_id = $2",
      [tenantId, projectId],
    );
    await insertChange(tx, service, "service.added", "service.active", "active");
    await tx.run(
      "update operations set status = 'succeeded', updated_at = now() where tenant_id = $1 and operation_id = $2",
      [tenantId, operationId],
    );
  });
  const named = Object.entries(service.envNames).map(([own, name]) => [name, values[own]] as const);
  return { resourceId, env: Object.fromEntries(named) };
}

async function readBack({ pool }: Context, { tenantId, serviceId, operationId }: BaselineService) {
  const own = [tenantId, operationId];
  const operations = await pool.query({
    name: "operation",
    text: "select * from operations where tenant_id = $1 and operation_id = $2",
    values: own,
  });
  const steps = await pool.query({
    name: "steps",
    text: "select * from operation_steps where tenant_id = $1 and operation_id = $2 order by position",
    values: own,
  });
  const services = await pool.query({
    name: "service",
    text: "select * from services where tenant_id = $1 and service_id = $2",
    values: [tenantId, serviceId],
  });
  const [row] = services.rows;
  const service: BaselineService = {
    ...{ tenantId, serviceId, operationId, projectId: row.project_id, linkId: row.link_id },
    ...{ service: row.service, name: row.name, region: row.region, envNames: row.env_names },
    ...{ environments: row.environments, status: row.status, at: row.created_at },
    credential: { version: row.credential_version, rotatedAt: row.credential_rotated_at },
  };
  return { service, operation: { ...operations.rows[0], steps: steps.rows } };
}

export interface NeonAccess {
  readonly neonUrl: string;
  readonly neonToken: string;
}

type Neon = ReturnType<typeof createNeon>;

/** Makes the same calls as Purser's adapter, in the same order, without validating the responses. */
export function createNeon({ neonUrl, neonToken }: NeonAccess) {
  // biome-ignore lint/suspicious/noExplicitAny: the responses are not validated
  const call = async (path: string, body?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${neonToken}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(neonUrl + path, { headers, ...sent });
    if (!response.ok) throw new Error(`${path} responded ${response.status}`);
    return response.json();
  };
  return {
    createOrFind: async ({ serviceId, region }: BaselineService): Promise<string> => {
      const name = `svc-${serviceId}`;
      const { projects } = await call(`/projects?search=${name}&limit=100`);
      const branch = { database_name: "neondb", role_name: "neondb_owner" };
      const { project } = await call("/projects", { project: { name, region_id: region, branch } });
      return projects[0]?.id ?? project.id;
    },
    readEnv: async (id: string): Promise<Readonly<Record<string, string>>> => {
      await call(`/projects/${id}`);
      const query = "database_name=neondb&role_name=neondb_owner";
      const pooled = await call(`/projects/${id}/connection_uri?${query}&pooled=true`);
      const unpooled = await call(`/projects/${id}/connection_uri?${query}&pooled=false`);
      const { hostname, username, password, pathname } = new URL(pooled.uri);
      return {
        DATABASE_URL: pooled.uri,
        DATABASE_URL_UNPOOLED: unpooled.uri,
        PGHOST: hostname,
        PGUSER: username,
        PGDATABASE: pathname.slice(1),
        PGPASSWORD: password,
      };
    },
  };
}
