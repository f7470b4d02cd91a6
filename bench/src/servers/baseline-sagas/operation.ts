import type { IncomingMessage } from "node:http";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import { type BaselineService, serviceResponse } from "./service-response.ts";
import { type Context, inTransaction, type Tx } from "./transaction.ts";

/** An operation of a service. */
export type OwnOperation = Pick<BaselineService, "tenantId" | "projectId" | "serviceId" | "operationId" | "at">;

/** The primary key of an idempotency record. */
export type RecordKey = readonly [tenantId: string, mode: string, method: string, route: string, key: string];

/** Claims the request's idempotency key. */
export async function claimKey(context: Context, request: IncomingMessage): Promise<RecordKey> {
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

/** Stores the response as a reference to the objects it describes. */
export async function storeResponse(tx: Tx, record: RecordKey, body: Readonly<Record<string, string>>): Promise<void> {
  await tx.run(
    `update idempotency_records set state = 'stored', answer_status = 202, answer_body = $6
     where tenant_id = $1 and mode = $2 and method = $3 and route = $4 and idempotency_key = $5 and state = 'in_flight'`,
    [...record, JSON.stringify(body)],
  );
}

export async function insertSecret(
  tx: Tx,
  { tenantId: tenant_id, serviceId: service_id }: OwnOperation,
  secret: { readonly kind: string; readonly version: number; readonly value_sealed: Buffer },
): Promise<void> {
  await tx.insert("service_secrets", { tenant_id, service_id, ...secret, created_at: new Date() });
}

export async function insertOperation(
  tx: Tx,
  { tenantId: tenant_id, operationId: operation_id, serviceId: service_id, ...rest }: OwnOperation,
  { type, steps }: { readonly type: string; readonly steps: readonly string[] },
): Promise<void> {
  const { projectId: project_id, at } = rest;
  await tx.insert("operations", {
    ...{ tenant_id, operation_id, project_id, subject_type: "service", subject_id: service_id, mode: "live", type },
    ...{ status: "running", actor: ACTOR, created_at: at, updated_at: at },
  });
  await tx.run(
    `insert into operation_steps (tenant_id, operation_id, position, name, status)
     select $1, $2, place - 1, name, case place when 1 then 'running' else 'pending' end
     from unnest($3::text[]) with ordinality as steps (name, place)`,
    [tenant_id, operation_id, steps],
  );
}

const ACTOR = { type: "api_key", id: "bench" };

/** Writes the audit entry and the event for one change. */
export async function insertChange(
  tx: Tx,
  service: BaselineService,
  action: string,
  type: string,
  status: string,
): Promise<void> {
  const { tenantId: tenant_id, serviceId: id, projectId: project_id, operationId } = service;
  await insertAudit(tx, service, action, { project_id, operation_id: operationId });
  const data = serviceResponse({ ...service, status }, undefined).service;
  await insertEvent(tx, { tenant_id, type, subject: { type: "service", id }, data });
}

export async function insertEvent(
  tx: Tx,
  {
    tenant_id,
    type,
    subject,
    data,
  }: {
    readonly tenant_id: string;
    readonly type: string;
    readonly subject: { readonly type: string; readonly id: string };
    readonly data: object;
  },
): Promise<void> {
  await tx.run(
    `with counter as (
       insert into event_counters (tenant_id, subject_type, subject_id, sequence) values ($1, $4, $5, 1)
       on conflict (tenant_id, subject_type, subject_id) do update set sequence = event_counters.sequence + 1
       returning sequence)
     insert into events
       (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, occurred_at)
     values ($1, $2, 'live', $3, $4, $5, (select sequence from counter), $6, $7, $8)`,
    [tenant_id, newId("evt"), type, subject.type, subject.id, data, ACTOR, new Date()],
  );
}

export async function insertAudit(tx: Tx, service: OwnOperation, action: string, facts: object): Promise<void> {
  const place = { tenant_id: service.tenantId, audit_id: newId("aud"), chain: "tenant" };
  const subject = { type: "service", id: service.serviceId };
  await tx.insert("audit_entries", {
    ...{ ...place, mode: "live", actor: ACTOR, action, subject, facts, occurred_at: new Date() },
  });
  await tx.insert("audit_pending", place);
}

/** Runs a step, sets its status, and sets the next step to `running`, in one transaction. */
export async function step(
  context: Context,
  { tenantId, operationId }: OwnOperation,
  position: number,
  work: (tx: Tx) => Promise<void> = async () => {},
  finalStatus = "succeeded",
): Promise<void> {
  await inTransaction(context, async (tx) => {
    await work(tx);
    await tx.run(
      `update operation_steps set status = case position when $3 then $4 else 'running' end, at = now()
       where tenant_id = $1 and operation_id = $2 and position in ($3, $3 + 1)`,
      [tenantId, operationId, position, finalStatus],
    );
  });
}
