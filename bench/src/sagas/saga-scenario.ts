import { deepStrictEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { fetchJson } from "../fetch-json.ts";
import { PROJECTS_PATH } from "../paths.ts";
import type { ServerProcess, StartServer } from "../server-process.ts";
import type { BaselineSagaInput } from "../servers/baseline-saga.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, type Signer } from "../signer.ts";
import type { Stores } from "../stores.ts";

const PURSER_SERVICE = new URL("../servers/purser-service.ts", import.meta.url);
const BASELINE_SAGA = new URL("../servers/baseline-saga.ts", import.meta.url);
const NEON = new URL("../servers/neon.ts", import.meta.url);

const CALLERS = 8;
/**
 * Each caller spreads its services over this many projects, because a real project has only a few services. Callers do
 * not share projects, so that they do not wait for each other's locks.
 */
const PROJECTS_PER_CALLER = 10;
const NEON_TOKEN = "bench-token";

export interface SagaServer {
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros" | "roundTrips">;
  /** Adds a service to a project. Resolves when the service is active. */
  add(projectId: string): Promise<unknown>;
}

export interface SagaScenario {
  readonly purser: SagaServer;
  readonly baseline: SagaServer;
  /** Each caller's projects, which are linked to Neon. Both servers use the same projects. */
  readonly projects: readonly (readonly string[])[];
  /** Deletes every project's services. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a Purser process, a baseline server that does the same work as Purser's saga for adding a service, and a
 * simulated vendor that responds immediately.
 */
export async function startSagaScenario(start: StartServer, stores: Stores): Promise<SagaScenario> {
  const { apiUrl } = (await start<{ apiUrl: string }>(NEON, {})).ready;
  const base = stores.configFor("saga");
  const urls = { ...base.vendors.urls, NEON_API_URL: apiUrl };
  const config = { ...base, vendors: { ...base.vendors, urls } };
  const service = await start<PurserReady>(PURSER_SERVICE, config);
  const { databaseUrl } = config;
  const { requests: connectionsMax } = config.databaseConnectionsMax;
  const baselineInput: BaselineSagaInput = {
    ...service.ready,
    ...{ databaseUrl, connectionsMax, neonUrl: apiUrl, neonToken: NEON_TOKEN },
  };
  const baselineSaga = await start<{ origin: string }>(BASELINE_SAGA, baselineInput);

  const signer = createSigner(service.ready);
  const { origin } = service.ready;
  const projects: string[][] = [];
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const names = Array.from({ length: PROJECTS_PER_CALLER }, (_, i) => `Bench ${caller}.${i}`);
    projects.push(
      await Promise.all(names.map((name) => createLinkedProject(origin, signer, name))),
    );
  }
  const purser = { process: service, add: createAdder(origin, signer) };
  const baseline = { process: baselineSaga, add: createAdder(baselineSaga.ready.origin, signer) };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const clear = () => clearServices(pool, service.ready.tenantId);
  await checkSameResponse(purser, baseline, projects[0]?.[0] ?? "", clear);
  return { purser, baseline, projects, clear, close: () => pool.end() };
}

function createAdder(origin: string, signer: Signer): SagaServer["add"] {
  return async (projectId) => {
    const path = `${PROJECTS_PATH}/${projectId}/services`;
    const input = {
      service: "neon/postgres",
      // The baseline does not check for name conflicts, so each name must be unique.
      name: `db-${randomUUID()}`,
      region: "aws-us-east-1",
    };
    const body = JSON.stringify(input);
    const headers = {
      ...signer("POST", path, body),
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    };
    const added = await fetchJson(origin, path, headers, body);
    const status: unknown = Reflect.get(Object(added["operation"]), "status");
    if (status !== "succeeded")
      throw new Error(`Adding a service failed: the operation's status is ${status}.`);
    return added;
  };
}

/** Creates a project over HTTP, then links it to Neon by submitting a token in a form. */
async function createLinkedProject(origin: string, signer: Signer, name: string): Promise<string> {
  const post = (path: string, input: object) => {
    const body = JSON.stringify(input);
    const headers = { ...signer("POST", path, body), "content-type": "application/json" };
    return fetchJson(origin, path, headers, body);
  };
  const { project_id } = await post(PROJECTS_PATH, { name });
  const link = await post(`${PROJECTS_PATH}/${project_id}/link`, { provider: "neon" });
  const { pathname, search } = new URL(String(link["url"]));
  const form = await (await fetch(origin + pathname + search)).text();
  const [, once = ""] = /name="once" value="([\w-]+)"/.exec(form) ?? [];
  const fields = new URLSearchParams({ token: NEON_TOKEN, once }).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  await fetchJson(origin, pathname + search, headers, fields);
  return String(project_id);
}

async function clearServices(pool: pg.Pool, tenantId: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('purser.tenant_id', $1, true)", [tenantId]);
    await client.query("delete from service_secrets where tenant_id = $1", [tenantId]);
    await client.query("delete from services where tenant_id = $1", [tenantId]);
    await client.query("commit");
  } finally {
    client.release();
  }
}

/** Throws if the responses of the two servers differ. A comparison would then not be valid. */
async function checkSameResponse(
  purser: SagaServer,
  baseline: SagaServer,
  projectId: string,
  clear: () => Promise<void>,
): Promise<void> {
  const expected = withoutUniqueValues(await purser.add(projectId));
  await clear();
  const actual = withoutUniqueValues(await baseline.add(projectId));
  await clear();
  deepStrictEqual(actual, expected);
}

/** Replaces the values that differ between services (IDs, names, times, passwords) with their types. */
function withoutUniqueValues(response: unknown): unknown {
  const unique =
    /^(service_id|operation_id|id|name|fingerprint|provider_resource_id|DATABASE_.*|PG.*|.*_?at)$/;
  return JSON.parse(JSON.stringify(response), (key, value) => {
    const isStep = key === "name" && /^[a-z_]+$/.test(value);
    return unique.test(key) && !isStep && typeof value === "string" ? typeof value : value;
  });
}
