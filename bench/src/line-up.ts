import { deepStrictEqual } from "node:assert/strict";
import { type AuditLineUp, startAuditLineUp } from "./audit-line-up.ts";
import type { Pair } from "./compare.ts";
import { fetchJson } from "./fetch-json.ts";
import type { Target } from "./measure.ts";
import { OPEN_PATH, PROJECTS_PATH, SIGNED_PATH, TIME_PATH } from "./paths.ts";
import { type SagaLineUp, startSagaLineUp } from "./saga-line-up.ts";
import { type ServerProcess, type StartServer, startServerProcess } from "./server-process.ts";
import type { BareProjectInput } from "./servers/bare-project.ts";
import type { PurserReady } from "./servers/purser.ts";
import { createSigner, type Signer } from "./signer.ts";
import { openStores, type Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);
const BARE_TIME = new URL("./servers/bare-time.ts", import.meta.url);
const BARE_PROJECT = new URL("./servers/bare-project.ts", import.meta.url);

/** What can be started for the bench, over one database. */
export interface LineUp {
  startPairs(): Promise<readonly Pair[]>;
  /** Starts one more server of ours, over this Redis, and gives a function that sends one signed request to it. */
  startOverRedis(redisUrl: string): Promise<() => Promise<void>>;
  /** Starts one more server of ours, with a chain of that many audit entries to verify. */
  startAudit(entries: number): Promise<AuditLineUp>;
  /** Starts the whole service and what its saga is compared with. Its jobs run from then on, so it comes last. */
  startSagas(): Promise<SagaLineUp>;
  /** Ends every server and the database. */
  close(): Promise<void>;
}

/** A server that listens, as a pair names it. */
type Listening = Pick<ServerProcess<{ readonly origin: string }>, "cpuMicros" | "ready">;

export async function createLineUp({
  profileDir,
}: {
  readonly profileDir: string | undefined;
}): Promise<LineUp> {
  const started: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    const stores = await openStores();
    started.push(() => stores.close());
    const start: StartServer = async <Ready>(file: URL, input: object) => {
      const server = await startServerProcess<Ready>(file, input, { profileDir });
      started.push(() => server.stop());
      return server;
    };
    return {
      startPairs: () => startPairs(start, stores),
      startOverRedis: (redisUrl) => startOverRedis(start, stores, redisUrl),
      startAudit: (entries) => startAuditLineUp(start, stores, entries),
      startSagas: async () => {
        const sagas = await startSagaLineUp(start, stores);
        started.push(() => sagas.close());
        return sagas;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startPairs(start: StartServer, stores: Stores): Promise<Pair[]> {
  // Two of ours, so that what a signed request leaves in memory does not weigh on the unsigned ones.
  const open = await start<PurserReady>(PURSER, stores.configFor("open"));
  const signed = await start<PurserReady>(PURSER, stores.configFor("signed"));
  const bareTime = await start<{ origin: string }>(BARE_TIME, {});
  const { databaseUrl, databaseConnectionsMax: connectionsMax } = stores.configFor("bare");
  const bareInput: BareProjectInput = { ...signed.ready, databaseUrl, connectionsMax };
  const bareProject = await start<{ origin: string }>(BARE_PROJECT, bareInput);

  const signer = createSigner(signed.ready);
  const projectPath = await createProject(signed.ready.origin, signer);
  await checkSameAnswer(signed, bareProject, projectPath, signer);

  return [
    {
      title: "GET /time ÷ bare node:http",
      goal: 0.8,
      ours: targetOf("Purser", open, TIME_PATH),
      baseline: targetOf("bare", bareTime, TIME_PATH),
    },
    {
      title: "signed GET in memory ÷ the same route without auth",
      goal: 0.6,
      ours: targetOf("signed", signed, SIGNED_PATH, signer),
      baseline: targetOf("without auth", open, OPEN_PATH, signer),
    },
    {
      title: "GET /projects/{id}, signed, one select ÷ bare node:http doing the same",
      goal: 0.8,
      ours: targetOf("Purser", signed, projectPath, signer),
      baseline: targetOf("bare", bareProject, projectPath, signer),
    },
  ];
}

function targetOf(name: string, server: Listening, path: string, signer?: Signer): Target {
  return { name, process: server, origin: server.ready.origin, path, signer };
}

async function startOverRedis(start: StartServer, stores: Stores, redisUrl: string) {
  const config = { ...stores.configFor("redis"), redisUrl, claimsFile: null };
  const server = await start<PurserReady>(PURSER, config);
  const signer = createSigner(server.ready);
  return async () => {
    await fetchJson(server.ready.origin, SIGNED_PATH, signer("GET", SIGNED_PATH));
  };
}

/** A project of the signer's, and the path that reads it. */
async function createProject(origin: string, signer: Signer): Promise<string> {
  const body = JSON.stringify({ name: "Bench", metadata: { purpose: "bench" } });
  const headers = {
    ...signer("POST", PROJECTS_PATH, body),
    "content-type": "application/json",
  };
  const project = await fetchJson(origin, PROJECTS_PATH, headers, body);
  return `${PROJECTS_PATH}/${project["project_id"]}`;
}

/** A baseline that answers something else does other work, and would measure nothing. */
async function checkSameAnswer(ours: Listening, baseline: Listening, path: string, signer: Signer) {
  const [expected, actual] = await Promise.all(
    [ours, baseline].map(({ ready }) => fetchJson(ready.origin, path, signer("GET", path))),
  );
  deepStrictEqual(actual, expected);
}
