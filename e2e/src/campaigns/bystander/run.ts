import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { type Caller, signedCaller } from "../../conformance/callers.ts";
import type { Replicas } from "../replicas.ts";
import { type Attacker, createAttackers } from "./attackers.ts";
import { type Body, invalidBodies, largestLegalBody, overfilledBodies, type Resolve, type Schema } from "./bodies.ts";
import { type AttackedOperation, readOperations } from "./operations.ts";
import { type SlowClients, startSlowReaders, startSlowWriters } from "./slow-clients.ts";
import type { Waits, WatchInput } from "./watch.ts";

/** Longest acceptable response time for the bystander, a client that is not part of the attack. */
const WAIT_MAX_MS = 500;
const CONCURRENCY = 6;
const QUERY_CHARACTERS = 12_000;
const SLOW_CLIENTS = 20;
const CONCURRENT_PULLS = 40;
/** All environment variables together are slightly smaller than the maximum size of an environment. */
const VARIABLES = 60;
const VARIABLE_CHARACTERS = 16_000;

/**
 * The rate limits of production. The server reads the client's IP address from `X-Forwarded-For`, so each attacker can
 * have a different IP address.
 */
export const PRODUCTION_LIMITS = {
  PURSER_EXEMPT_LOOPBACK: "no",
  PURSER_TRUSTED_PROXIES: "127.0.0.0/8",
  PURSER_KEY_BURST: "1000",
  PURSER_KEY_REQUESTS_PER_SECOND: "100",
  PURSER_LOG_LEVEL: "info",
};

export interface BystanderCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  /** How many times each body is sent. Six requests run concurrently. */
  readonly requestsEach: number;
  /** How long slow readers and slow writers stay connected. */
  readonly slowMs: number;
  /** Selects the operations to attack. All by default. */
  readonly isAttacked?: (operation: AttackedOperation) => boolean;
  readonly onProgress: (message: string) => void;
}

/** One attack, and the bystander's response times during it. */
export interface Trial {
  readonly operation: string;
  readonly attack: string;
  readonly bytes: number;
  /** Number of responses with each status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly healthMs: number;
  readonly signedGetMs: number;
  readonly failures: readonly string[];
}

export interface BystanderFigures {
  readonly trials: number;
  readonly requests: number;
  /** The bystander's longest response time in all trials. */
  readonly worstMs: number;
  readonly worst: readonly Trial[];
  /** Trials in which the bystander waited more than 500 ms for a response. */
  readonly slow: readonly Trial[];
  /** Trials in which one of the bystander's requests failed or the attacker received a 500. */
  readonly unavailable: readonly Trial[];
  /**
   * Operations that respond 422 to the largest body allowed by their schema, for example because of an unknown country.
   */
  readonly refusedValidBody: readonly string[];
}

/**
 * Attacks every operation of the OpenAPI document with its largest valid body and with large invalid bodies, then
 * attacks with slow readers and writers. During the attacks, a bystander with a different account requests `/healthz`
 * and `GET /developers/me`.
 */
export async function runBystanderCampaign(campaign: BystanderCampaign): Promise<BystanderFigures> {
  const { replicas, isAttacked = () => true, onProgress } = campaign;
  const [url] = replicas.urls;
  const { operations, resolve } = await readOperations(url);
  const bystander = await startBystander(replicas);
  try {
    const openAttacker = await createAttackers(replicas);
    const trials: Trial[] = [];
    for (const operation of operations.filter(isAttacked)) {
      const operationTrials = await attackOperation(operation, {
        campaign,
        resolve,
        bystander,
        openAttacker,
      });
      onProgress(`${operation.method} ${operation.path}: ${describe(worstOf(operationTrials))}`);
      trials.push(...operationTrials);
    }
    trials.push(...(await attackConnections(campaign, bystander, await openAttacker())));
    onProgress(`slow clients: ${describe(worstOf(trials.slice(-3)))}`);
    return figuresOf(trials);
  } finally {
    await bystander.stop();
  }
}

interface Bystander {
  /** Returns the measurements since the previous call. */
  waits(): Promise<Waits>;
  stop(): Promise<unknown>;
}

async function startBystander({ urls: [url], seeds }: BystanderCampaign["replicas"]): Promise<Bystander> {
  const pair = await seedKeyPair(seeds, await seedDeveloper(seeds));
  const workerData: WatchInput = { url, pair };
  const worker = new Worker(new URL("./watch.ts", import.meta.url), { workerData });
  const waits = async () => {
    worker.postMessage("waits");
    const [measured] = (await once(worker, "message")) as [Waits];
    return measured;
  };
  return { waits, stop: () => worker.terminate() };
}

interface AttackContext {
  readonly campaign: BystanderCampaign;
  readonly resolve: Resolve;
  readonly bystander: Bystander;
  readonly openAttacker: () => Promise<Attacker>;
}

async function attackOperation(
  operation: AttackedOperation,
  { campaign, resolve, bystander, openAttacker }: AttackContext,
): Promise<Trial[]> {
  const attacker = await openAttacker();
  const trials: Trial[] = [];
  for (const { kind, text, query } of attacksOn(operation, resolve)) {
    await bystander.waits();
    const statuses = await sendOften(campaign.requestsEach, () => attacker.send(operation, { body: text, query }));
    const { healthMs, signedGetMs, failures } = await bystander.waits();
    trials.push({
      operation: `${operation.method} ${operation.path}`,
      attack: kind,
      bytes: Buffer.byteLength(text) + query.length,
      statuses,
      healthMs: Math.round(healthMs),
      signedGetMs: Math.round(signedGetMs),
      failures,
    });
  }
  return trials;
}

function attacksOn(
  { method, bodySchema, bodyBytesMax: bytes, queryNames }: AttackedOperation,
  resolve: Resolve,
): readonly (Body & { readonly query: string })[] {
  const refused = method === "GET" ? [] : [...invalidBodies(bytes), ...invalidBodies(2 * bytes).slice(0, 1)];
  const bodies = bodySchema === null ? refused : withLegal(bodySchema, resolve, { bytes, refused });
  const queries = [...queryNames, "unknown"].map((name) => ({
    kind: `a long ${name} in the query`,
    text: "",
    query: `${name}=${"A,".repeat(QUERY_CHARACTERS / 2)}`,
  }));
  return [...bodies.map((body) => ({ ...body, query: "" })), ...queries];
}

function withLegal(
  schema: Schema,
  resolve: Resolve,
  { bytes, refused }: { readonly bytes: number; readonly refused: readonly Body[] },
): readonly Body[] {
  const legal = largestLegalBody(schema, resolve, bytes);
  return [legal, ...refused, ...overfilledBodies(schema, resolve, { legal, bytes })];
}

async function sendOften(
  count: number,
  send: () => Promise<{ readonly status: number }>,
  concurrency = CONCURRENCY,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let remaining = count;
  const caller = async () => {
    while (remaining > 0) {
      remaining -= 1;
      // The server can reject a body before reading it. The server then closes the connection, and `fetch` can report
      // an error.
      const status = await send().then(
        (response) => String(response.status),
        () => "no response",
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return statuses;
}

/** Attacks with concurrent pulls of a large environment, then with slow readers, then with slow writers. */
async function attackConnections(
  { replicas, requestsEach, slowMs }: BystanderCampaign,
  bystander: Bystander,
  attacker: Attacker,
): Promise<Trial[]> {
  const [url] = replicas.urls;
  const path = `/projects/${attacker.projectId}/env`;
  const call = signedCaller(url, attacker.pair, { retriesMax: 0 });
  await fillEnvironment(call, attacker.projectId);
  const trialOf = async (attack: string, work: () => Promise<Trial["statuses"]>) => {
    await bystander.waits();
    const statuses = await work();
    const { healthMs, signedGetMs, failures } = await bystander.waits();
    const waits = { healthMs: Math.round(healthMs), signedGetMs: Math.round(signedGetMs) };
    return { operation: `GET ${path}`, attack, bytes: 0, statuses, ...waits, failures };
  };
  const holdOpen = async (clients: SlowClients) => {
    await wait(slowMs);
    const closed = await clients.closed();
    clients.end();
    return { closed };
  };
  const pulling = () =>
    sendOften(requestsEach * CONCURRENT_PULLS, () => call({ method: "GET", path }), CONCURRENT_PULLS);
  const readers = () => startSlowReaders(url, { pair: attacker.pair, path, count: SLOW_CLIENTS });
  const writers = () => startSlowWriters(url, { path: "/developers/login", bytes: 16 * 1024, count: SLOW_CLIENTS });
  return [
    await trialOf(`${CONCURRENT_PULLS} pulls of 1 MB at the same time`, pulling),
    await trialOf(`${SLOW_CLIENTS} readers that do not read`, () => holdOpen(readers())),
    await trialOf(`${SLOW_CLIENTS} writers of one byte every 200 ms`, () => holdOpen(writers())),
  ];
}

async function fillEnvironment(call: Caller, projectId: string): Promise<void> {
  const body = { value: "v".repeat(VARIABLE_CHARACTERS) };
  for (let number = 0; number < VARIABLES; number += 1) {
    const path = `/projects/${projectId}/variables/VALUE_${number}`;
    const { status, text } = await call({ method: "PUT", path, body });
    if (status >= 400) throw new Error(`Setting a variable failed: ${status} ${text}`);
  }
}

function figuresOf(trials: readonly Trial[]): BystanderFigures {
  const slowest = trials.toSorted((a, b) => waitOf(b) - waitOf(a));
  return {
    trials: trials.length,
    requests: trials.reduce((sum, { statuses }) => sum + sumOf(Object.values(statuses)), 0),
    worstMs: waitOf(slowest[0]),
    worst: slowest.slice(0, 10),
    slow: trials.filter((trial) => waitOf(trial) > WAIT_MAX_MS),
    unavailable: trials.filter(({ failures, statuses }) => failures.length > 0 || (statuses["500"] ?? 0) > 0),
    refusedValidBody: trials
      .filter(({ attack, statuses }) => attack === "largest legal" && "422" in statuses)
      .map(({ operation }) => operation),
  };
}

function waitOf(trial: Trial | undefined): number {
  return Math.max(trial?.healthMs ?? 0, trial?.signedGetMs ?? 0);
}

function worstOf(trials: readonly Trial[]): Trial | undefined {
  return trials.toSorted((a, b) => waitOf(b) - waitOf(a))[0];
}

function describe(trial: Trial | undefined): string {
  return `worst wait ${waitOf(trial)} ms (${trial?.attack}: ${JSON.stringify(trial?.statuses)})`;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
