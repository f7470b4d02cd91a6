import { deepStrictEqual } from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { fetchJson } from "../fetch-json.ts";
import { PROJECTS_PATH } from "../paths.ts";
import type { ServerProcess, StartServer } from "../server-process.ts";
import type { BaselineSagaInput } from "../servers/baseline-saga.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, type Signer } from "../signer.ts";
import type { Stores } from "../stores.ts";
import { type Rotations, startRotations } from "./rotation-scenario.ts";
import { withoutUniqueValues } from "./without-unique-values.ts";

const PURSER_SERVICE = new URL("../servers/purser-service.ts", import.meta.url);
const BASELINE_SAGA = new URL("../servers/baseline-saga.ts", import.meta.url);
const NEON = new URL("../servers/neon.ts", import.meta.url);
const ACME_DB = new URL("../servers/acme-db.ts", import.meta.url);

const CALLERS = 8;
/**
 * Each caller spreads its services over this many projects, because a real project has only a few services. Callers do
 * not share projects, so that they do not wait for each other's locks.
 */
const PROJECTS_PER_CALLER = 10;
const NEON_TOKEN = "bench-token";
const NEON_LINK = { provider: "neon", token: NEON_TOKEN };
const ACME_DB_TOKEN = "sandbox-bench";

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
  /** Adds two more services, one for each server, whose credentials the returned functions rotate. */
  startRotations(): Promise<Rotations>;
  close(): Promise<void>;
}

/**
 * Starts a Purser process, a baseline server that does the same work as Purser's saga for adding a service, and a
 * simulated vendor that responds immediately. A service of another simulated vendor is rotated.
 */
export async function startSagaScenario(start: StartServer, stores: Stores): Promise<SagaScenario> {
  const { apiUrl } = (await start<{ apiUrl: string }>(NEON, {})).ready;
  const { url: acmeDbUrl } = (await start<{ url: string }>(ACME_DB, { databaseUrl: stores.simulatorsUrl })).ready;
  const base = stores.configFor("saga");
  const urls = { ...base.vendors.urls, NEON_API_URL: apiUrl, ACME_DB_API_URL: acmeDbUrl };
  const config = { ...base, vendors: { ...base.vendors, urls } };
  const service = await start<PurserReady>(PURSER_SERVICE, config);
  const { databaseUrl } = config;
  const { requests: connectionsMax } = config.databaseConnectionsMax;
  const sealingKey = randomBytes(32);
  const baselineInput: BaselineSagaInput = {
    ...service.ready,
    ...{ databaseUrl, connectionsMax, neonUrl: apiUrl, neonToken: NEON_TOKEN },
    ...{ acmeDbUrl, acmeDbToken: ACME_DB_TOKEN, sealingKeyHex: sealingKey.toString("hex") },
  };
  const baselineSaga = await start<{ origin: string }>(BASELINE_SAGA, baselineInput);

  const signer = createSigner(service.ready);
  const { origin } = service.ready;
  const projects: string[][] = [];
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const names = Array.from({ length: PROJECTS_PER_CALLER }, (_, i) => `Bench ${caller}.${i}`);
    projects.push(await Promise.all(names.map((name) => createLinkedProject({ origin, signer, name, ...NEON_LINK }))));
  }
  const purser = { process: service, add: createAdder(origin, signer) };
  const baseline = { process: baselineSaga, add: createAdder(baselineSaga.ready.origin, signer) };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // If starting fails, the database stops while the pool is still open.
  pool.on("error", () => {});
  const clear = () => clearServices(pool, service.ready.tenantId);
  await checkSameResponse(purser, baseline, projects[0]?.[0] ?? "", clear);
  const rotate = async () => {
    const link = { origin, signer, provider: "acme-db", token: ACME_DB_TOKEN };
    return startRotations({
      origins: { purser: origin, baseline: baselineSaga.ready.origin },
      projectIds: {
        purser: await createLinkedProject({ ...link, name: "Rotated by Purser" }),
        baseline: await createLinkedProject({ ...link, name: "Rotated by the baseline" }),
      },
      ...{ signer, tenantId: service.ready.tenantId, sealingKey, pool },
    });
  };
  const close = () => pool.end();
  return { purser, baseline, projects, clear, startRotations: rotate, close };
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
    if (status !== "succeeded") throw new Error(`Adding a service failed: the operation's status is ${status}.`);
    return added;
  };
}

interface LinkedProject {
  readonly origin: string;
  readonly signer: Signer;
  readonly name: string;
  readonly provider: string;
  readonly token: string;
}

/** Creates a project over HTTP, then links it to the provider by submitting a token in a form. */
async function createLinkedProject({ origin, signer, name, provider, token }: LinkedProject): Promise<string> {
  const post = (path: string, input: object) => {
    const body = JSON.stringify(input);
    const headers = { ...signer("POST", path, body), "content-type": "application/json" };
    return fetchJson(origin, path, headers, body);
  };
  const { project_id } = await post(PROJECTS_PATH, { name });
  const link = await post(`${PROJECTS_PATH}/${project_id}/link`, { provider });
  const { pathname, search } = new URL(String(link["url"]));
  const form = await (await fetch(origin + pathname + search)).text();
  const [, once = ""] = /name="once" value="([\w-]+)"/.exec(form) ?? [];
  const fields = new URLSearchParams({ token, once }).toString();
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
