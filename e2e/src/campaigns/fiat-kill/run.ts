import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../until.ts";
import { countsOf } from "../counts-of.ts";
import { requireNoDifferences, wrongSums } from "../kills/differences.ts";
import {
  type KilledDeployment,
  killInTurn,
  VICTIMS,
  type Victim,
  withKilledDeployment,
} from "../kills/killed-deployment.ts";
import { verifyAudit } from "../kills/verify-audit.ts";
import { random } from "../random.ts";
import { runTogether } from "../run-together.ts";
import { type Bridge, startBridge } from "./bridge.ts";
import { type ConversionFacts, findConversionDifferences } from "./check-conversions.ts";
import { type Client, seedClients } from "./clients.ts";
import { type ConversionAcknowledgement, convertOnce } from "./convert.ts";

/** Something is killed after a random number of calls to Bridge, and a random time later. */
const CALLS_PER_KILL_MAX = 12;
const CALLS_WITHIN_MS = 5_000;
const KILL_DELAY_MAX_MS = 600;
const PAUSE_MAX_MS = 300;
const PROGRESS_PAUSE_MS = 10_000;
/** Nothing may be stuck for longer after the last kill. */
const SETTLED_WITHIN_MS = 60_000;
const LOG_CHARACTERS_SHOWN = 4_000;

export interface FiatKillCampaign {
  readonly clients: number;
  readonly kills: number;
  readonly onProgress: (message: string) => void;
}

export interface FiatKillFigures {
  readonly kills: Readonly<Record<Victim, number>>;
  /** The number of final answers, by action and error code. */
  readonly answers: Readonly<Record<string, number>>;
  /** The number of Bridge's transfers, by state. */
  readonly transfers: Readonly<Record<string, number>>;
  /** The number of calls to Bridge about transfers, and of those with each outcome other than `ok`. */
  readonly calls: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly webhooks: Bridge["webhooks"];
  /** From the last kill until everything agreed. */
  readonly settledSeconds: number;
  readonly auditEntries: number;
  readonly seconds: number;
}

/**
 * Clients convert money with the SDK, execute quotes and cancel, while the service and PostgreSQL are killed in turn, calls to
 * Bridge are disturbed, and webhooks are lost. The SDK retries each request with its Idempotency-Key. Then nothing is disturbed
 * any more. Throws if conversions, the ledger, budgets, Bridge and the answers do not agree within 60 seconds, or if the audit
 * chain is not valid.
 */
export async function runFiatKillCampaign(campaign: FiatKillCampaign): Promise<FiatKillFigures> {
  return withKilledDeployment({ name: "fiat-kill" }, async (deployment) => {
    const { service } = deployment;
    const bridge = await startBridge(service.url);
    try {
      return await runWith({ campaign, deployment, bridge });
    } catch (error) {
      campaign.onProgress(service.log().slice(-LOG_CHARACTERS_SHOWN));
      throw error;
    } finally {
      await service.kill();
      await bridge.close();
    }
  });
}

interface Run {
  readonly campaign: FiatKillCampaign;
  readonly deployment: KilledDeployment;
  readonly bridge: Bridge;
}

async function runWith(run: Run): Promise<FiatKillFigures> {
  const { campaign, deployment, bridge } = run;
  const { service, seeds, postgres, kills } = deployment;
  const { sandbox, outcomes, webhooks } = bridge;
  await service.start(bridge.environment);
  const clients = await seedClients(seeds, campaign.clients, { url: service.url(), sandbox });
  const acknowledgements: ConversionAcknowledgement[] = [];
  const startedMs = performance.now();
  await disturb(run, clients, acknowledgements);
  bridge.calm();
  const tenantIds = [...new Set(clients.map(({ tenantId }) => tenantId))];
  const { superuserUrl } = postgres;
  const settled = await untilSettled({ superuserUrl, sandbox, tenantIds, acknowledgements });
  const seconds = secondsSince(startedMs);
  const differences = [...settled.differences, ...(await wrongSums(seeds.db, tenantIds))];
  for (const difference of differences) campaign.onProgress(difference);
  requireNoDifferences(differences);
  const invalid = await bridge.countInvalidRequests();
  if (invalid > 0) throw new Error(`${invalid} invalid requests to vendors`);
  const transfers = (await sandbox.objects("bridge")).filter(({ type }) => type === "transfer");
  return {
    kills,
    answers: countsOf(acknowledgements.map(({ action, code }) => `${action} ${code ?? "done"}`)),
    transfers: countsOf(transfers.map(({ state }) => state)),
    ...{ calls: bridge.calls(), outcomes, webhooks, settledSeconds: settled.seconds, seconds },
    auditEntries: await verifyAudit([...new Set(clients)]),
  };
}

/** Runs the clients until the last kill. */
async function disturb(
  { campaign, deployment, bridge }: Run,
  clients: readonly Client[],
  acknowledgements: ConversionAcknowledgement[],
): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const converting = clients.map(async (client) => {
    while (!signal.aborted) {
      await convertOnce(client, (acknowledgement) => acknowledgements.push(acknowledgement), signal);
      await wait(random(PAUSE_MAX_MS));
    }
  });
  const untilDue = async (kill: number) => {
    if (kill > campaign.kills) return false;
    const goal = bridge.calls() + random(CALLS_PER_KILL_MAX);
    const isReached = async () => signal.aborted || bridge.calls() >= goal || undefined;
    await until("Bridge was called", isReached, CALLS_WITHIN_MS).catch(() => {});
    await wait(random(KILL_DELAY_MAX_MS));
    return !signal.aborted;
  };
  const showProgress = async () => {
    while (!signal.aborted) {
      const { kills } = deployment;
      campaign.onProgress(`${acknowledgements.length} acknowledged, ${JSON.stringify({ kills, ...bridge.webhooks })}`);
      await wait(PROGRESS_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  await runTogether(ending, [
    killInTurn(deployment, VICTIMS, untilDue, bridge.environment).finally(() => ending.abort()),
    ...converting,
    showProgress(),
  ]);
}

/** Waits until there are no differences. Returns those that are left after a minute. */
async function untilSettled(facts: ConversionFacts) {
  const startedMs = performance.now();
  let differences: string[];
  do {
    differences = await findConversionDifferences(facts);
    if (differences.length > 0) await wait(500);
  } while (differences.length > 0 && performance.now() - startedMs < SETTLED_WITHIN_MS);
  return { differences, seconds: secondsSince(startedMs) };
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 1_000);
}
