import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { type Caller, signing } from "../../conformance/callers.ts";
import type { Replicas } from "../replicas.ts";
import { type Attacker, createAttackers } from "./attackers.ts";
import {
  type Body,
  largestLegalBody,
  overfilledBodies,
  type Resolve,
  refusedBodies,
  type Schema,
} from "./bodies.ts";
import { type AttackedOperation, readOperations } from "./operations.ts";
import { type SlowClients, startSlowReaders, startSlowWriters } from "./slow-clients.ts";
import type { Waits, Watched } from "./watch.ts";

/** What a bystander waits for at most (acceptance of the campaign). */
const WAIT_MAX_MS = 500;
const AT_ONCE = 6;
const QUERY_CHARACTERS = 12_000;
const SLOW_CLIENTS = 20;
const PULLS_AT_ONCE = 40;
/** Together just under the largest environment that may be set. */
const VARIABLES = 60;
const VARIABLE_CHARACTERS = 16_000;

/** The deployment that is attacked: limits as in production, and the client address as a proxy tells it. */
export const PRODUCTION_LIMITS = {
  PURSER_EXEMPT_LOOPBACK: "no",
  PURSER_TRUSTED_PROXIES: "127.0.0.0/8",
  PURSER_KEY_BURST: "1000",
  PURSER_KEY_REQUESTS_PER_SECOND: "100",
  PURSER_LOG_LEVEL: "info",
};

export interface BystanderCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  /** How often each body is sent, six at a time. */
  readonly requestsEach: number;
  /** How long slow readers and slow writers hold on. */
  readonly slowMs: number;
  /** Which operations are attacked: all of them unless told otherwise. */
  readonly isAttacked?: (operation: AttackedOperation) => boolean;
  readonly onProgress: (message: string) => void;
}

/** One attack, and what the bystander saw meanwhile. */
export interface Trial {
  readonly operation: string;
  readonly attack: string;
  readonly bytes: number;
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly healthMs: number;
  readonly signedGetMs: number;
  readonly failures: readonly string[];
}

export interface BystanderFigures {
  readonly trials: number;
  readonly requests: number;
  /** The slowest answer that the bystander got in any trial. */
  readonly worstMs: number;
  readonly worst: readonly Trial[];
  /** Trials in which the bystander waited for more than 500 ms. */
  readonly slow: readonly Trial[];
  /** Trials in which the bystander was refused, or the attacker was answered with 500. */
  readonly unavailable: readonly Trial[];
  /** Operations whose largest legal body fits the schema and is refused for what it means, such as an unknown country. */
  readonly refusedByMeaning: readonly string[];
}

/**
 * Sends to every operation of the OpenAPI document the largest body it takes and the largest ones it refuses, then reads
 * and writes slowly, while a bystander with an account of its own asks for `/healthz` and `GET /developers/me`.
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
      const own = await attackOperation(operation, { campaign, resolve, bystander, openAttacker });
      onProgress(`${operation.method} ${operation.path}: ${describe(worstOf(own))}`);
      trials.push(...own);
    }
    trials.push(...(await attackConnections(campaign, bystander, await openAttacker())));
    onProgress(`slow clients: ${describe(worstOf(trials.slice(-3)))}`);
    return figuresOf(trials);
  } finally {
    await bystander.stop();
  }
}

interface Bystander {
  /** What it saw since it was last asked. */
  waits(): Promise<Waits>;
  stop(): Promise<unknown>;
}

async function startBystander({
  urls: [url],
  seeds,
}: BystanderCampaign["replicas"]): Promise<Bystander> {
  const pair = await seedKeyPair(seeds, await seedDeveloper(seeds));
  const workerData: Watched = { url, pair };
  const worker = new Worker(new URL("./watch.ts", import.meta.url), { workerData });
  const waits = async () => {
    worker.postMessage("waits");
    const [seen] = (await once(worker, "message")) as [Waits];
    return seen;
  };
  return { waits, stop: () => worker.terminate() };
}

interface Means {
  readonly campaign: BystanderCampaign;
  readonly resolve: Resolve;
  readonly bystander: Bystander;
  readonly openAttacker: () => Promise<Attacker>;
}

async function attackOperation(
  operation: AttackedOperation,
  { campaign, resolve, bystander, openAttacker }: Means,
): Promise<Trial[]> {
  const attacker = await openAttacker();
  const trials: Trial[] = [];
  for (const { kind, text, query } of attacksOn(operation, resolve)) {
    await bystander.waits();
    const statuses = await sendOften(campaign.requestsEach, () =>
      attacker.send(operation, { body: text, query }),
    );
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
  const refused =
    method === "GET" ? [] : [...refusedBodies(bytes), ...refusedBodies(2 * bytes).slice(0, 1)];
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
  atOnce = AT_ONCE,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      // A body that is refused before it was read ends the connection, which `fetch` may see before the answer.
      const status = await send().then(
        (answer) => String(answer.status),
        () => "no answer",
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return statuses;
}

/** Many pulls of a large environment at once, then readers that do not read, then writers that hardly write. */
async function attackConnections(
  { replicas, requestsEach, slowMs }: BystanderCampaign,
  bystander: Bystander,
  attacker: Attacker,
): Promise<Trial[]> {
  const [url] = replicas.urls;
  const path = `/projects/${attacker.projectId}/env`;
  const call = signing(url, attacker.pair, { retriesMax: 0 });
  await fillEnvironment(call, attacker.projectId);
  const trialOf = async (attack: string, work: () => Promise<Trial["statuses"]>) => {
    await bystander.waits();
    const statuses = await work();
    const { healthMs, signedGetMs, failures } = await bystander.waits();
    const waits = { healthMs: Math.round(healthMs), signedGetMs: Math.round(signedGetMs) };
    return { operation: `GET ${path}`, attack, bytes: 0, statuses, ...waits, failures };
  };
  const hold = async (clients: SlowClients) => {
    await wait(slowMs);
    const closed = await clients.closed();
    clients.end();
    return { closed };
  };
  const pulling = () =>
    sendOften(requestsEach * PULLS_AT_ONCE, () => call({ method: "GET", path }), PULLS_AT_ONCE);
  const readers = () => startSlowReaders(url, { pair: attacker.pair, path, count: SLOW_CLIENTS });
  const writers = () =>
    startSlowWriters(url, { path: "/developers/login", bytes: 16 * 1024, count: SLOW_CLIENTS });
  return [
    await trialOf(`${PULLS_AT_ONCE} pulls of 1 MB at once`, pulling),
    await trialOf(`${SLOW_CLIENTS} readers that do not read`, () => hold(readers())),
    await trialOf(`${SLOW_CLIENTS} writers of a byte each 200 ms`, () => hold(writers())),
  ];
}

async function fillEnvironment(call: Caller, projectId: string): Promise<void> {
  const body = { value: "v".repeat(VARIABLE_CHARACTERS) };
  for (let number = 0; number < VARIABLES; number += 1) {
    const path = `/projects/${projectId}/variables/VALUE_${number}`;
    const { status, text } = await call({ method: "PUT", path, body });
    if (status >= 400) throw new Error(`The environment could not be filled: ${status} ${text}`);
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
    unavailable: trials.filter(
      ({ failures, statuses }) => failures.length > 0 || (statuses["500"] ?? 0) > 0,
    ),
    refusedByMeaning: trials
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
