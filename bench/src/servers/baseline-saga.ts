import { createCipheriv, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import { serveParent } from "../server-process.ts";
import type { KeyPair } from "../signer.ts";
import { type BaselineService, ENV_NAMES, STEPS, serviceResponse } from "./baseline-service.ts";
import { listenOnLoopback, readBody, sendJson } from "./listen.ts";
import { createVerifier } from "./verifier.ts";

export interface BaselineSagaInput extends KeyPair {
  readonly tenantId: string;
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  readonly neonUrl: string;
  readonly neonToken: string;
}

/**
 * Baseline for `POST /projects/{id}/services`: a `node:http` and `pg` server that verifies the signature like Purser,
 * makes the same vendor calls, writes the same rows and sends the same response. Each of the eight steps has its own
 * transaction. The baseline cannot recover from a failure. The additional time that Purser needs is the cost of its
 * layers, checkpoints and crash recovery.
 */
serveParent((input: BaselineSagaInput) => {
  const pool = new pg.Pool({ connectionString: input.databaseUrl, max: input.connectionsMax });
  const context = { pool, ...input, neon: createNeon(input), sealingKey: randomBytes(32) };
  const verify = createVerifier([input]);
  return listenOnLoopback(async (request, response) => {
    const body = await readBody(request);
    if (verify(request, sha256Hex(body)) === undefined) return sendJson(response, 401, {});
    sendJson(response, 202, await addService(context, request, JSON.parse(body)));
  });
});

interface Context extends BaselineSagaInput {
  readonly pool: pg.Pool;
  readonly neon: Neon;
  readonly sealingKey: Buffer;
}

interface AddServiceInput {
  readonly service: string;
  readonly name: string;
  readonly region: string;
}

async function addService(context: Context, request: IncomingMessage, input: AddServiceInput) {
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

/** The primary key of an idempotency record. */
type RecordKey = readonly [
  tenantId: string,
  mode: string,
  method: string,
  route: string,
  key: string,
];

async function claimKey(context: Context, request: IncomingMessage): Promise<RecordKey> {
  const key = String(request.headers["idempotency-key"]);
  const record = [context.tenantId, "live", "POST", "/services", key] as const;
  const [tenant_id, mode, method, route, idempotency_key] = record;
  const leaseEnd = new Date(Date.now() + 60_000);
  const expires_at = new Date(Date.now() + 30 * 86_400_000);
  await inTransaction(context, (tx) =>
    tx.insert("idempotency_records", {
      ...{ tenant_id, mode, method, route, idempotency_key, expires_at },
      ...{ fingerprint: sha256Hex(key), state: "in_flight" },
      ...{ lease_expires_at: leaseEnd, agent_ids: [], created_at: new Date() },
    }),
  );
  return record;
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
    const password = seal(context, randomBytes(24).toString("base64url"));
    await insertSecret(tx, service, "password", password);
    await insertOperation(tx, service);
    await insertChange(tx, service, "service.requested", "service.provisioning", "pending");
    await tx.run(
      `update idempotency_records set state = 'stored', answer_status = 202, answer_body = $6
       where tenant_id = $1 and mode = $2 and method = $3 and route = $4 and idempotency_key = $5 and state = 'in_flight'`,
      [...record, JSON.stringify({ serviceId: service.serviceId })],
    );
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
    ...{ adopted: false, price_cents: 0, metadata: {}, created_at: at, updated_at: at },
  });
}

async function insertSecret(tx: Tx, service: BaselineService, kind: string, value_sealed: Buffer) {
  const { tenantId: tenant_id, serviceId: service_id } = service;
  const row = { tenant_id, service_id, kind, version: 1, value_sealed, created_at: new Date() };
  await tx.insert("service_secrets", row);
}

async function insertOperation(tx: Tx, service: BaselineService): Promise<void> {
  const { tenantId: tenant_id, operationId: operation_id, at } = service;
  const { serviceId: service_id, projectId: project_id } = service;
  await tx.insert("operations", {
    ...{ tenant_id, operation_id, project_id, service_id, mode: "live", type: "service.add" },
    ...{ status: "running", actor: ACTOR, created_at: at, updated_at: at },
  });
  await tx.run(
    `insert into operation_steps (tenant_id, operation_id, position, name, status)
     select $1, $2, place - 1, name, case place when 1 then 'running' else 'pending' end
     from unnest($3::text[]) with ordinality as steps (name, place)`,
    [tenant_id, operation_id, STEPS],
  );
}

const ACTOR = { type: "api_key", id: "bench" };

/** Writes the audit entry and the event for one change. */
async function insertChange(
  tx: Tx,
  service: BaselineService,
  action: string,
  type: string,
  status: string,
): Promise<void> {
  const { tenantId: tenant_id, serviceId: id, projectId: project_id, operationId } = service;
  await insertAudit(tx, service, action, { project_id, operation_id: operationId });
  const data = serviceResponse({ ...service, status }, undefined).service;
  await tx.run(
    `with counter as (
       insert into event_counters (tenant_id, subject_type, subject_id, sequence) values ($1, 'service', $4, 1)
       on conflict (tenant_id, subject_type, subject_id) do update set sequence = event_counters.sequence + 1
       returning sequence)
     insert into events
       (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, occurred_at)
     values ($1, $2, 'live', $3, 'service', $4, (select sequence from counter), $5, $6, $7)`,
    [tenant_id, newId("evt"), type, id, data, ACTOR, new Date()],
  );
}

async function insertAudit(tx: Tx, service: BaselineService, action: string, facts: object) {
  const place = { tenant_id: service.tenantId, audit_id: newId("aud"), chain: "tenant" };
  const subject = { type: "service", id: service.serviceId };
  await tx.insert("audit_entries", {
    ...{ ...place, mode: "live", actor: ACTOR, action, subject, facts, occurred_at: new Date() },
  });
  await tx.insert("audit_pending", place);
}

/** Runs the eight steps, each in its own transaction, with the vendor calls between the transactions. */
async function runSteps(context: Context, service: BaselineService) {
  const { neon } = context;
  const { tenantId, serviceId, projectId, operationId } = service;
  const own = [tenantId, serviceId] as const;
  await step(context, service, 0);
  await step(context, service, 1, async (tx) => {
    await tx.run(
      "select status from projects where tenant_id = $1 and project_id = $2 for no key update",
      [tenantId, projectId],
    );
  });
  await step(context, service, 2);
  await step(context, service, 3);

  const resourceId = await neon.createOrFind(service);
  await step(context, service, 4, async (tx) => {
    await tx.run(
      "update services set status = 'provisioning', provider_resource_id = $3, updated_at = now() where tenant_id = $1 and service_id = $2",
      [...own, resourceId],
    );
  });
  const values = await neon.readEnv(resourceId);
  const sealed = seal(context, JSON.stringify(values));
  await step(context, service, 5, async (tx) => {
    await insertSecret(tx, service, "env", sealed);
    await tx.run(
      "update services set credential_version = 1, credential_rotated_at = now(), updated_at = now() where tenant_id = $1 and service_id = $2",
      own,
    );
  });
  await step(context, service, 6, async (tx) => {
    await tx.run(
      "update services set updated_at = now() where tenant_id = $1 and service_id = $2",
      own,
    );
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

/** Runs a step, sets its status, and sets the next step to `running`, in one transaction. */
async function step(
  context: Context,
  { tenantId, operationId }: BaselineService,
  position: number,
  work: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const finalStatus = STEPS[position] === "payment_setup" ? "skipped" : "succeeded";
  await inTransaction(context, async (tx) => {
    await work(tx);
    await tx.run(
      `update operation_steps set status = case position when $3 then $4 else 'running' end, at = now()
       where tenant_id = $1 and operation_id = $2 and position in ($3, $3 + 1)`,
      [tenantId, operationId, position, finalStatus],
    );
  });
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

interface Tx {
  // biome-ignore lint/suspicious/noExplicitAny: pg rows are untyped
  run(text: string, values: readonly unknown[]): Promise<any[]>;
  insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void>;
}

async function inTransaction<Result>(
  { pool, tenantId }: Context,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const run = async (text: string, values: readonly unknown[]) => {
    const { rows } = await client.query({ name: nameOf(text), text, values: [...values] });
    return rows;
  };
  const insert = async (table: string, row: Readonly<Record<string, unknown>>) => {
    const columns = Object.keys(row);
    const places = columns.map((_, index) => `$${index + 1}`);
    const text = `insert into ${table} (${columns.join(", ")}) values (${places.join(", ")})`;
    await run(text, Object.values(row));
  };
  try {
    await client.query("begin");
    await run("select set_config('purser.tenant_id', $1, true)", [tenantId]);
    const result = await work({ run, insert });
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Encrypts a text with AES-256-GCM. The result has the same layout as in Purser. The header contains format 1 and data
 * key version 1.
 */
function seal({ sealingKey }: Context, plaintext: string): Buffer {
  const header = Buffer.from([1, 0, 0, 0, 1]);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey, iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

type Neon = ReturnType<typeof createNeon>;

/** Makes the same calls as Purser's adapter, in the same order, without validating the responses. */
function createNeon({ neonUrl, neonToken }: BaselineSagaInput) {
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
