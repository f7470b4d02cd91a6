import { deepStrictEqual } from "node:assert/strict";
import type { Config } from "@purser/service/config.ts";
import { type AuditScenario, startAuditScenario } from "./audit-scenario.ts";
import { startBudgetPair } from "./calls/budget-pair.ts";
import { startLedgerPair } from "./calls/ledger-pair.ts";
import { startMoneyPair } from "./calls/money-pair.ts";
import { startNetworkPairs } from "./calls/network-pairs.ts";
import { startPurgePair } from "./calls/purge-pair.ts";
import type { Pair } from "./compare.ts";
import { createProjects, seedDevelopers } from "./developers.ts";
import { fetchJson } from "./fetch-json.ts";
import { type KeyScenario, startKeyScenario } from "./key-scenario.ts";
import { type LoginScenario, startLoginScenario } from "./login-scenario.ts";
import { type IdleScenario, startIdleScenario } from "./measure-idle.ts";
import { startDecisionPair } from "./pairs/decision-pair.ts";
import { startEnvPullPairs } from "./pairs/env-pull-pair.ts";
import { startFiatPairs } from "./pairs/fiat-pairs.ts";
import { startFlatProjectPairs } from "./pairs/flat-projects.ts";
import { startProcessPairs } from "./pairs/process-pairs.ts";
import { OPEN_PATH, PROFILE_PATH, SIGNED_PATH, TIME_PATH } from "./paths.ts";
import { STATEMENT_SETTINGS } from "./payments/cpu-table.ts";
import { startFlatOverviewPair, startFlatPaymentPair } from "./payments/flat-payments.ts";
import { startLivePaymentPairs } from "./payments/live-payment-pairs.ts";
import { type PaymentScenario, startPaymentScenario } from "./payments/payment-scenario.ts";
import { type SagaScenario, startSagaScenario } from "./sagas/saga-scenario.ts";
import { type ServerProcess, type StartServer, startServerProcess } from "./server-process.ts";
import type { BaselineProjectInput } from "./servers/baseline-project.ts";
import type { PurserInput, PurserReady } from "./servers/purser.ts";
import type { Developer } from "./servers/seed-developer.ts";
import { type Caller, createSigner, roundRobin } from "./signer.ts";
import { openStores, type Stores } from "./stores.ts";

const PURSER = new URL("./servers/purser.ts", import.meta.url);
const BASELINE_TIME = new URL("./servers/baseline-time.ts", import.meta.url);
const BASELINE_PROJECT = new URL("./servers/baseline-project.ts", import.meta.url);

/** Starts the servers for each benchmark. */
export interface Scenario {
  startPairs(): Promise<readonly Pair[]>;
  /** Starts the pairs of servers for requests that are signed with many keys. */
  startProjectPairs(): Promise<readonly Pair[]>;
  /**
   * Starts a server and a baseline for pulls of an environment. With `before`, the folder of an earlier checkout, also a
   * server from that checkout.
   */
  startEnvPullPairs(before: string | undefined): Promise<readonly Pair[]>;
  /** Opens connections for moves of the ledger, by Purser and by the baseline. */
  startLedgerPair(): Promise<Pair>;
  /** Opens connections for reservations in budgets, by Purser and by the baseline. */
  startBudgetPair(): Promise<Pair>;
  /** Starts a local network, and opens connections for deposits. */
  startNetworkPairs(): Promise<readonly Pair[]>;
  /** Starts Purser with a local network. */
  startLivePaymentPairs(): Promise<readonly Pair[]>;
  /** Starts servers whose databases have few and many projects and charges. */
  startFlatProjectPairs(): Promise<readonly Pair[]>;
  /** Starts servers for rates, and whose databases have few and many conversions. */
  startFiatPairs(): Promise<readonly Pair[]>;
  /** Starts a server for decisions about an agent's operations, and for reads of a project. */
  startDecisionPair(): Promise<Pair>;
  /** Starts a server for money requests, and connections for the baseline. */
  startMoneyPair(): Promise<Pair>;
  /** Starts servers on which agents pay. */
  startPayments(): Promise<PaymentScenario>;
  /** Starts servers whose databases have few and many payments and wallets. */
  startFlatPaymentPair(factor: number): Promise<Pair>;
  startFlatOverviewPair(factor: number): Promise<Pair>;
  /** Starts API processes and workers that use the Redis at `redisUrl`. */
  startProcessPairs(redisUrl: string): Promise<readonly Pair[]>;
  /** Writes this many logged requests, and ten times as many, and opens connections for their purge. */
  startPurgePair(rows: number): Promise<Pair>;
  /** Starts a new database, for processes that the measurement starts itself. */
  openStores(settings?: "with statements"): Promise<{ readonly start: StartServer; readonly stores: Stores }>;
  /**
   * Starts a server that uses the Redis at `redisUrl`. Returns a function that sends the server one signed request. The
   * calls of the function use several API keys in turn.
   */
  startOverRedis(redisUrl: string): Promise<() => Promise<void>>;
  /** Starts two servers: one whose database has few keys, and one whose database has many. */
  startKeys(): Promise<KeyScenario>;
  /** Starts a server for signed requests and concurrent logins. */
  startLogins(): Promise<LoginScenario>;
  /** Starts a Purser process with both roles (API and worker) and a new database. */
  startIdle(): Promise<IdleScenario>;
  /** Writes an audit chain with this many entries. */
  startAudit(entries: number): Promise<AuditScenario>;
  /**
   * Starts a Purser process and the saga baseline. Call this last, because the process runs jobs until `close` is
   * called, and these jobs would disturb other measurements.
   */
  startSagas(): Promise<SagaScenario>;
  /** Stops all servers and databases. */
  close(): Promise<void>;
}

type ListeningServer = Pick<ServerProcess<{ readonly origin: string }>, "cpuMicros" | "ready">;

export async function createScenario({ profileDir }: { readonly profileDir: string | undefined }): Promise<Scenario> {
  const started: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    const open = async (openStoresOfCheckout = openStores) => {
      const stores = await openStoresOfCheckout();
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
    const openPair = async (startPair: typeof startLedgerPair) => {
      const { pair, close: closePair } = await startPair(stores.configFor("calls").databaseUrl);
      started.push(closePair);
      return pair;
    };
    return {
      startPairs: () => startPairs(start, stores),
      startProjectPairs: async () => startProjectPairs(start, stores, await seed()),
      startEnvPullPairs: (before) => startEnvPullPairs(start, open, before),
      startLedgerPair: () => openPair(startLedgerPair),
      startBudgetPair: () => openPair(startBudgetPair),
      startNetworkPairs: async () => {
        const { pairs, close: closeNetwork } = await startNetworkPairs(stores.configFor("calls").databaseUrl);
        started.push(closeNetwork);
        return pairs;
      },
      startLivePaymentPairs: async () => {
        const { pairs, close: closeLive } = await startLivePaymentPairs();
        started.push(closeLive);
        return pairs;
      },
      startFlatProjectPairs: async () => startFlatProjectPairs(start, { few: await open(), many: await open() }),
      startFiatPairs: async () => startFiatPairs(start, { few: await open(), many: await open() }),
      startDecisionPair: () => startDecisionPair(start, stores),
      startMoneyPair: async () => {
        const { pair, close: closeMoney } = await startMoneyPair(start, stores);
        started.push(closeMoney);
        return pair;
      },
      startPayments: async () => {
        const payments = await startPaymentScenario(start, await open());
        started.push(() => payments.close());
        return payments;
      },
      startFlatPaymentPair: async (factor) =>
        startFlatPaymentPair(start, { few: await open(), many: await open(), factor }),
      startFlatOverviewPair: async (factor) =>
        startFlatOverviewPair(start, { few: await open(), many: await open(), factor }),
      startProcessPairs: async (redisUrl) => startProcessPairs(start, await open(), redisUrl),
      startPurgePair: async (rows) => {
        const { pair, close: closePurge } = await startPurgePair(await open(), await open(), rows);
        started.push(closePurge);
        return pair;
      },
      openStores: async (settings) => {
        const measured = settings === undefined ? {} : STATEMENT_SETTINGS;
        return { start, stores: await open(() => openStores(measured)) };
      },
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
  const startSigned = async (name: string, changes: Partial<PurserInput>) => {
    const input: PurserInput = { ...stores.configFor(name.replaceAll(" ", "-")), ...changes };
    const server = await start<PurserReady>(PURSER, input);
    const sent = roundRobin([{ signer: createSigner(server.ready), path: SIGNED_PATH }]);
    return { ...targetOf(name, server), sent };
  };
  // Signed and unsigned requests use separate servers, because signed requests leave data in memory that would slow the
  // unsigned ones.
  const open = await start<PurserReady>(PURSER, stores.configFor("open"));
  const signed = await start<PurserReady>(PURSER, stores.configFor("signed"));
  const logged = await startSigned("request log written", { requestLog: "written" });
  const unlogged = await startSigned("request log off", { requestLog: "off" });
  const counted = await startSigned("metrics on", { metrics: { host: "127.0.0.1", port: 0 } });
  // The spans are sent to a closed port, so that the load does not share its processor with a receiver.
  const traced = await startSigned("traces on", { traces: { endpoint: "http://127.0.0.1:9", ratio: 0.01 } });
  const unobserved = await startSigned("neither", {});
  const baselineTime = await start<{ origin: string }>(BASELINE_TIME, {});

  const signer = createSigner(signed.ready);
  const sentTo = (path: string) => roundRobin([{ signer, path }]);
  return [
    {
      title: "GET /time ÷ baseline (node:http)",
      goal: 0.8,
      candidate: { ...targetOf("Purser", open), sent: TIME_PATH },
      baseline: { ...targetOf("baseline", baselineTime), sent: TIME_PATH },
    },
    {
      title: "signed GET in memory ÷ the same route without auth",
      goal: 0.6,
      candidate: { ...targetOf("signed", signed), sent: sentTo(SIGNED_PATH) },
      baseline: { ...targetOf("without auth", open), sent: sentTo(OPEN_PATH) },
    },
    {
      title: "signed GET in memory, request log written ÷ off",
      goal: 0.95,
      candidate: logged,
      baseline: unlogged,
    },
    {
      title: "signed GET in memory, metrics on ÷ off",
      goal: 0.99,
      candidate: counted,
      baseline: unobserved,
    },
    {
      title: "signed GET in memory, one in a hundred requests traced ÷ none",
      goal: 0.95,
      candidate: traced,
      baseline: unobserved,
    },
  ];
}

/**
 * Starts a Purser server and a baseline server for requests that are signed with many keys. Both servers store nonces
 * only in memory and run the same SELECT.
 */
async function startProjectPairs(
  start: StartServer,
  stores: Stores,
  developers: readonly Developer[],
): Promise<Pair[]> {
  const config = { ...stores.configFor("projects"), claimsFile: null };
  const { databaseUrl } = config;
  const { requests: connectionsMax } = config.databaseConnectionsMax;
  const candidate = await start<PurserReady>(PURSER, config);
  const baselineInput: BaselineProjectInput = { developers, databaseUrl, connectionsMax };
  const baseline = await start<{ origin: string }>(BASELINE_PROJECT, baselineInput);

  const callers = await createProjects(candidate.ready.origin, developers);
  for (const caller of callers.slice(0, 2)) await checkSameResponse(candidate, baseline, caller);
  const projects = { ...targetOf("projects", candidate), sent: roundRobin(callers) };
  const profiles = callers.map(({ signer }) => ({ signer, path: PROFILE_PATH }));
  return [
    {
      title: `GET /projects/{id}, signed, ${developers.length} keys, one select ÷ baseline (node:http)`,
      goal: 0.8,
      candidate: projects,
      baseline: { ...targetOf("baseline", baseline), sent: roundRobin(callers) },
    },
    {
      title: "GET /developers/me ÷ GET /projects/{id}, both signed",
      goal: 1,
      candidate: { ...targetOf("profiles", candidate), sent: roundRobin(profiles) },
      baseline: projects,
    },
  ];
}

function targetOf(name: string, server: ListeningServer) {
  return { name, process: server, origin: server.ready.origin };
}

async function startOverRedis(
  start: StartServer,
  config: Config,
  developers: readonly Developer[],
): Promise<() => Promise<void>> {
  const { origin } = (await start<PurserReady>(PURSER, { ...config, claimsFile: null })).ready;
  const signers = developers.map(createSigner);
  const next = roundRobin(signers.map((signer) => ({ signer, path: SIGNED_PATH })));
  return async () => {
    const { path, headers } = next();
    await fetchJson(origin, path, headers);
  };
}

/** Throws if the responses of the two servers differ. A comparison would then not be valid. */
async function checkSameResponse(candidate: ListeningServer, baseline: ListeningServer, { signer, path }: Caller) {
  const [expected, actual] = await Promise.all(
    [candidate, baseline].map(({ ready }) => fetchJson(ready.origin, path, signer("GET", path))),
  );
  deepStrictEqual(actual, expected);
}
