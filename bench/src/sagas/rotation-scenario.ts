import { deepStrictEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { fetchJson } from "../fetch-json.ts";
import { PROJECTS_PATH } from "../paths.ts";
import { seal } from "../servers/baseline-sagas/seal.ts";
import type { Signer } from "../signer.ts";
import { withoutUniqueValues } from "./without-unique-values.ts";

/** Rotates the credentials of one service. Resolves when the former credentials are retired. */
export type Rotate = () => Promise<unknown>;

export interface Rotations {
  readonly purser: Rotate;
  readonly baseline: Rotate;
}

export interface RotationOptions {
  readonly origins: { readonly purser: string; readonly baseline: string };
  readonly signer: Signer;
  readonly tenantId: string;
  /** The two projects whose services are rotated. Both are linked to Acme DB. */
  readonly projectIds: { readonly purser: string; readonly baseline: string };
  /** The key with which the baseline encrypts credentials. */
  readonly sealingKey: Buffer;
  readonly pool: pg.Pool;
}

/**
 * Adds a service of Acme DB to each project. Returns functions that rotate the service of the first project with Purser,
 * and that of the second with the baseline.
 */
export async function startRotations(options: RotationOptions): Promise<Rotations> {
  const { origins, projectIds, pool } = options;
  const purser = rotator(options, origins.purser, await addService(options, projectIds.purser));
  const ofBaseline = await addService(options, projectIds.baseline);
  await pool.query("select set_config('purser.tenant_id', $1, false)", [options.tenantId]);
  await pool.query("update service_secrets set value_sealed = $2 where service_id = $1 and kind = 'env'", [
    ofBaseline.serviceId,
    seal(options, JSON.stringify(ofBaseline.env)),
  ]);
  const baseline = rotator(options, origins.baseline, ofBaseline);
  deepStrictEqual(withoutUniqueValues(await rowsOf(pool, baseline)), withoutUniqueValues(await rowsOf(pool, purser)));
  return { purser, baseline };
}

interface AddedService {
  readonly path: string;
  readonly serviceId: string;
  readonly env: unknown;
}

async function addService({ origins: { purser }, signer }: RotationOptions, projectId: string): Promise<AddedService> {
  const path = `${PROJECTS_PATH}/${projectId}/services`;
  const input = { service: "acme-db/postgres", name: "db", config: { rotation: "overlap" } };
  const { service, env } = await post({ origin: purser, signer, path, input });
  const serviceId = String(Object(service).service_id);
  return { path: `${path}/${serviceId}`, serviceId, env };
}

function rotator({ signer }: RotationOptions, origin: string, { path }: AddedService): Rotate {
  const input = { grace_period_seconds: 0, confirm_downtime: true };
  return async () => {
    const rotation = await post({ origin, signer, path: `${path}/rotate`, input });
    if (rotation["status"] === "completed") return rotation;
    throw new Error(`A rotation did not complete: ${JSON.stringify(rotation)}`);
  };
}

let posts = 0;

async function post({
  origin,
  signer,
  path,
  input,
}: {
  readonly origin: string;
  readonly signer: Signer;
  readonly path: string;
  readonly input: object;
}): Promise<Record<string, unknown>> {
  posts += 1;
  // The server rejects the same signature within a second, so equal requests differ in their white space.
  const body = JSON.stringify(input) + " ".repeat(posts % 1_000);
  const headers = {
    ...signer("POST", path, body),
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  return fetchJson(origin, path, headers, body);
}

const TABLES = [
  "audit_entries",
  "events",
  "idempotency_records",
  "operations",
  "operation_steps",
  "service_rotations",
  "service_secrets",
];

/** Rotates, and returns the response with the number of rows that were added to each table. */
async function rowsOf(pool: pg.Pool, rotate: Rotate) {
  const count = async () => {
    const counts = TABLES.map((table) => `(select count(*) from ${table}) as ${table}`);
    const { rows } = await pool.query(`select ${counts.join(", ")}`);
    return Object.values(rows[0]).map(Number);
  };
  const before = await count();
  const response = await rotate();
  const added = (await count()).map((rows, index) => rows - (before[index] ?? 0));
  return { response, added };
}
