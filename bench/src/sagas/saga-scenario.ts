import { deepStrictEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { fetchJson } from "../fetch-json.ts";
import { PROJECTS_PATH } from "../paths.ts";
import type { ServerProcess, StartServer } from "../server-process.ts";
import type { BareSagaInput } from "../servers/bare-saga.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, type Signer } from "../signer.ts";
import type { Stores } from "../stores.ts";

const PURSER_SERVICE = new URL("../servers/purser-service.ts", import.meta.url);
const BARE_SAGA = new URL("../servers/bare-saga.ts", import.meta.url);
const NEON = new URL("../servers/neon.ts", import.meta.url);

const CALLERS = 8;
/** A caller goes round its own projects, so that each stays as small as people's are and no caller waits for another. */
const PROJECTS_PER_CALLER = 10;
const NEON_TOKEN = "bench-token";

/** One of the two servers that add services. */
export interface SagaServer {
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros" | "statements">;
  /** Adds a service to a project and answers when it is there. */
  add(projectId: string): Promise<unknown>;
}

export interface SagaScenario {
  readonly ours: SagaServer;
  readonly bare: SagaServer;
  /** Each caller's own projects, all of them linked. Both servers add to the same ones. */
  readonly projects: readonly (readonly string[])[];
  /** Takes the services out of all projects again. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the whole service, a vendor that answers at once, and a bare server that does what the saga does. */
export async function startSagaScenario(start: StartServer, stores: Stores): Promise<SagaScenario> {
  const { apiUrl } = (await start<{ apiUrl: string }>(NEON, {})).ready;
  const base = stores.configFor("saga");
  const urls = { ...base.vendors.urls, NEON_API_URL: apiUrl };
  const config = { ...base, vendors: { ...base.vendors, urls } };
  const service = await start<PurserReady>(PURSER_SERVICE, config);
  const { databaseUrl } = config;
  const { requests: connectionsMax } = config.databaseConnectionsMax;
  const bareInput: BareSagaInput = {
    ...service.ready,
    ...{ databaseUrl, connectionsMax, neonUrl: apiUrl, neonToken: NEON_TOKEN },
  };
  const bareSaga = await start<{ origin: string }>(BARE_SAGA, bareInput);

  const signer = createSigner(service.ready);
  const { origin } = service.ready;
  const projects: string[][] = [];
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const names = Array.from({ length: PROJECTS_PER_CALLER }, (_, i) => `Bench ${caller}.${i}`);
    projects.push(
      await Promise.all(names.map((name) => createLinkedProject(origin, signer, name))),
    );
  }
  const ours = { process: service, add: adderOf(origin, signer) };
  const bare = { process: bareSaga, add: adderOf(bareSaga.ready.origin, signer) };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const clear = () => clearServices(pool, service.ready.tenantId);
  await checkSameAnswer(ours, bare, projects[0]?.[0] ?? "", clear);
  return { ours, bare, projects, clear, close: () => pool.end() };
}

function adderOf(origin: string, signer: Signer): SagaServer["add"] {
  return async (projectId) => {
    const path = `${PROJECTS_PATH}/${projectId}/services`;
    const wish = {
      service: "neon/postgres",
      // Its own, so that the baseline need not look for a free one.
      name: `db-${randomUUID()}`,
      region: "aws-us-east-1",
    };
    const body = JSON.stringify(wish);
    const headers = {
      ...signer("POST", path, body),
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    };
    const added = await fetchJson(origin, path, headers, body);
    const status: unknown = Reflect.get(Object(added["operation"]), "status");
    if (status !== "succeeded") throw new Error(`A service was not added: it is ${status}.`);
    return added;
  };
}

/** A project as people have it: made over HTTP, and linked by the form that a token is pasted into. */
async function createLinkedProject(origin: string, signer: Signer, name: string): Promise<string> {
  const post = (path: string, wish: object) => {
    const body = JSON.stringify(wish);
    const headers = { ...signer("POST", path, body), "content-type": "application/json" };
    return fetchJson(origin, path, headers, body);
  };
  const { project_id } = await post(PROJECTS_PATH, { name });
  const link = await post(`${PROJECTS_PATH}/${project_id}/link`, { provider: "neon" });
  const { pathname, search } = new URL(String(link["url"]));
  const form = await (await fetch(origin + pathname + search)).text();
  const [, once = ""] = /name="once" value="([\w-]+)"/.exec(form) ?? [];
  const pasted = new URLSearchParams({ token: NEON_TOKEN, once }).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  await fetchJson(origin, pathname + search, headers, pasted);
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

/** A baseline that answers something else does other work, and would measure nothing. */
async function checkSameAnswer(
  ours: SagaServer,
  bare: SagaServer,
  projectId: string,
  clear: () => Promise<void>,
): Promise<void> {
  const expected = withoutOwn(await ours.add(projectId));
  await clear();
  const actual = withoutOwn(await bare.add(projectId));
  await clear();
  deepStrictEqual(actual, expected);
}

/** An answer without what is each service's own: ids, names, moments and passwords. */
function withoutOwn(answer: unknown): unknown {
  const own =
    /^(service_id|operation_id|id|name|fingerprint|provider_resource_id|DATABASE_.*|PG.*|.*_?at)$/;
  return JSON.parse(JSON.stringify(answer), (key, value) => {
    const isStep = key === "name" && /^[a-z_]+$/.test(value);
    return own.test(key) && !isStep && typeof value === "string" ? typeof value : value;
  });
}
