import { deepStrictEqual } from "node:assert/strict";
import type { Config } from "@purser/service/config.ts";
import { type AuditScenario, startAuditScenario } from "./audit-scenario.ts";
import type { Pair } from "./compare.ts";
import { createProjects, seedDevelopers } from "./developers.ts";
import { startEnvPullPair } from "./env-pull-pair.ts";
import { fetchJson } from "./fetch-json.ts";
import { type KeyScenario, startKeyScenario } from "./key-scenario.ts";
import { type LoginScenario, startLoginScenario } from "./login-scenario.ts";
import { type IdleScenario, startIdleScenario } from "./measure-idle.ts";
import { OPEN_PATH, PROFILE_PATH, SIGNED_PATH, TIME_PATH } from "./paths.ts";
import { type SagaScenario, startSagaScenario } from "./sagas/saga-scenario.ts";
import { type ServerProcess, type StartServer, startServerProcess } from "./server-process.ts";
import type { BareProjectInput } from "./servers/bare-project.ts";
import type { PurserReady } from "./servers/purser.ts";
import type { Developer } from "./servers/seed-developer.ts";
import { type Caller, createSigner, inTurn } from "./signer.ts";
import { openStores, type Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);
const BARE_TIME = new URL("./servers/bare-time.ts", import.meta.url);
const BARE_PROJECT = new URL("./servers/bare-project.ts", import.meta.url);

/** What can be started for the bench, over one database. */
export interface Scenario {
  startPairs(): Promise<readonly Pair[]>;
  /** Two servers that read projects for requests of many keys, and what else ours is asked. */
  startProjectPairs(): Promise<readonly Pair[]>;
  /** Two servers of ours that give out environments: of this checkout, and of the earlier one in this folder. */
  startEnvPullPair(before: string): Promise<Pair>;
  /** Starts one more server of ours, over this Redis, and gives a function that sends it a signed request of the next of many keys. */
  startOverRedis(redisUrl: string): Promise<() => Promise<void>>;
  /** Starts two more servers of ours, over databases with few keys and with many. */
  startKeys(): Promise<KeyScenario>;
  /** Starts one more server of ours, and those who log in there. */
  startLogins(): Promise<LoginScenario>;
  /** Starts the whole service over a database of its own. */
  startIdle(): Promise<IdleScenario>;
  /** Starts one more server of ours, with a chain of that many audit entries to verify. */
  startAudit(entries: number): Promise<AuditScenario>;
  /** Starts the whole service and what its saga is compared with. Its jobs run from then on, so it comes last. */
  startSagas(): Promise<SagaScenario>;
  /** Ends every server and the database. */
  close(): Promise<void>;
}

/** A server that listens, as a pair names it. */
type Listening = Pick<ServerProcess<{ readonly origin: string }>, "cpuMicros" | "ready">;

export async function createScenario({
  profileDir,
}: {
  readonly profileDir: string | undefined;
}): Promise<Scenario> {
  const started: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    const open = async (openThem = openStores) => {
      const stores = await openThem();
      started.push(() => stores.close());
      return stores;
    };
    const stores = await open();
    const start: StartServer = async <Ready>(file: URL, input: object) => {
      const server = await startServerProcess<Ready>(file, input, { profileDir });
      started.push(() => server.stop());
      return server;
    };
    let seeding: Promise<readonly Developer[]> | undefined;
    const seed = () => {
      seeding ??= seedDevelopers(start, stores);
      return seeding;
    };
    return {
      startPairs: () => startPairs(start, stores),
      startProjectPairs: async () => startProjectPairs(start, stores, await seed()),
      startEnvPullPair: (before) => startEnvPullPair(start, open, before),
      startOverRedis: async (redisUrl) => {
        const config = { ...stores.configFor("redis"), redisUrl };
        return startOverRedis(start, config, await seed());
      },
      startKeys: async () => startKeyScenario(start, { few: await open(), many: await open() }),
      startLogins: async () => startLoginScenario(start, stores, await seed()),
      startIdle: async () => startIdleScenario(start, await open()),
      startAudit: (entries) => startAuditScenario(start, stores, entries),
      startSagas: async () => {
        const sagas = await startSagaScenario(start, stores);
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
  // One of ours for each pair, so that what the requests of one leave in memory does not weigh on another's.
  const open = await start<PurserReady>(PURSER, stores.configFor("open"));
  const signed = await start<PurserReady>(PURSER, stores.configFor("signed"));
  const bareTime = await start<{ origin: string }>(BARE_TIME, {});

  const signer = createSigner(signed.ready);
  const sentTo = (path: string) => inTurn([{ signer, path }]);
  return [
    {
      title: "GET /time ÷ bare node:http",
      goal: 0.8,
      ours: { ...targetOf("Purser", open), sent: TIME_PATH },
      baseline: { ...targetOf("bare", bareTime), sent: TIME_PATH },
    },
    {
      title: "signed GET in memory ÷ the same route without auth",
      goal: 0.6,
      ours: { ...targetOf("signed", signed), sent: sentTo(SIGNED_PATH) },
      baseline: { ...targetOf("without auth", open), sent: sentTo(OPEN_PATH) },
    },
  ];
}

/** Both verify the same requests of many keys, remember their nonces in memory alone, and run the same select. */
async function startProjectPairs(
  start: StartServer,
  stores: Stores,
  developers: readonly Developer[],
): Promise<Pair[]> {
  const config = { ...stores.configFor("projects"), claimsFile: null };
  const { databaseUrl } = config;
  const { requests: connectionsMax } = config.databaseConnectionsMax;
  const ours = await start<PurserReady>(PURSER, config);
  const bareInput: BareProjectInput = { developers, databaseUrl, connectionsMax };
  const bare = await start<{ origin: string }>(BARE_PROJECT, bareInput);

  const readers = await createProjects(ours.ready.origin, developers);
  for (const reader of readers.slice(0, 2)) await checkSameAnswer(ours, bare, reader);
  const projects = { ...targetOf("projects", ours), sent: inTurn(readers) };
  const profiles = readers.map(({ signer }) => ({ signer, path: PROFILE_PATH }));
  return [
    {
      title: `GET /projects/{id}, signed, ${developers.length} keys, one select ÷ bare node:http doing the same`,
      goal: 0.8,
      ours: projects,
      baseline: { ...targetOf("bare", bare), sent: inTurn(readers) },
    },
    {
      title: "GET /developers/me ÷ GET /projects/{id}, both signed",
      goal: 1,
      ours: { ...targetOf("profiles", ours), sent: inTurn(profiles) },
      baseline: projects,
    },
  ];
}

function targetOf(name: string, server: Listening) {
  return { name, process: server, origin: server.ready.origin };
}

async function startOverRedis(
  start: StartServer,
  config: Config,
  developers: readonly Developer[],
): Promise<() => Promise<void>> {
  const { origin } = (await start<PurserReady>(PURSER, { ...config, claimsFile: null })).ready;
  const signers = developers.map(createSigner);
  const next = inTurn(signers.map((signer) => ({ signer, path: SIGNED_PATH })));
  return async () => {
    const { path, headers } = next();
    await fetchJson(origin, path, headers);
  };
}

/** A baseline that answers something else does other work, and would measure nothing. */
async function checkSameAnswer(ours: Listening, baseline: Listening, { signer, path }: Caller) {
  const [expected, actual] = await Promise.all(
    [ours, baseline].map(({ ready }) => fetchJson(ready.origin, path, signer("GET", path))),
  );
  deepStrictEqual(actual, expected);
}
