import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../until.ts";
import { countsOf } from "../counts-of.ts";
import { requireNoDifferences, wrongSums } from "../kills/differences.ts";
import { type KilledDeployment, withKilledDeployment } from "../kills/killed-deployment.ts";
import { verifyAudit } from "../kills/verify-audit.ts";
import { random } from "../random.ts";
import { runTogether } from "../run-together.ts";
import { findChainDifferences, StoredState } from "./check-chain.ts";
import { type History, seedWallets, useWallets, type Wallet } from "./clients.ts";
import { type LiveChain, startLiveChain } from "./live-chain.ts";

const FUNDING_MICROS = 1_000_000_000n;
const FUNDED_WITHIN_MS = 60_000;
const DISTURB_PAUSE_MAX_MS = 3_000;
/** The first of this number of disturbances is a pause, the others are kills. */
const PAUSED_EVERY = 4;
const PAUSED_MS = { min: 500, more: 5_000 };
const DEPTH_MAX = 6;
const CONFIRMATIONS = 7;
const PROGRESS_PAUSE_MS = 10_000;
/** Nothing may be stuck for longer after the last disturbance. */
const SETTLED_WITHIN_MS = 120_000;
/** An operation is valid for ten minutes. */
const EXPIRED_AFTER_SECONDS = 601;
const LOG_CHARACTERS_SHOWN = 4_000;

interface ChainCampaign {
  readonly wallets: number;
  readonly onProgress: (message: string) => void;
}

interface ChainFigures {
  /** What was done to the service, the chain and the bundler, and how often. */
  readonly disturbances: Readonly<Record<string, number>>;
  /** The number of payments of each status, and of refusals by error code. */
  readonly payments: Readonly<Record<string, number>>;
  readonly deposits: number;
  readonly freezes: number;
  /** From the last disturbance until nothing was under way but what was to expire. */
  readonly settledSeconds: number;
  readonly auditEntries: number;
  readonly seconds: number;
}

interface Run {
  readonly campaign: ChainCampaign;
  readonly deployment: KilledDeployment;
  readonly chain: LiveChain;
  readonly stored: StoredState;
  /** Starts the service, with this chain and bundler. */
  readonly start: () => Promise<void>;
  readonly disturbances: string[];
}

/** Disturbs the run, and adds a word for each disturbance to its list. */
type Disturb = (run: Run, signal: AbortSignal) => Promise<void>;

/**
 * Pays from live wallets with the SDK, creates USDC for them, and freezes and unfreezes them on their chain, while the service is
 * killed, and in one of four cases the chain or its bundler is paused instead. Throws if anything is under way 120 seconds later, or
 * if the ledger, the chain and the answers then differ.
 */
export function runChainKillCampaign(campaign: ChainCampaign & { readonly kills: number }): Promise<ChainFigures> {
  return runOnChain("chain-kill", campaign, {}, async (run, signal) => {
    for (let number = 1; number <= campaign.kills && !signal.aborted; number += 1) {
      await wait(random(DISTURB_PAUSE_MAX_MS));
      const isPause = number % PAUSED_EVERY === 1;
      run.disturbances.push(isPause ? await pause(run) : await kill(run, number === campaign.kills));
    }
  });
}

async function pause({ chain }: Run): Promise<string> {
  const victim = random(2) === 0 ? "anvil" : "bundler";
  await chain.pause(victim, PAUSED_MS.min + random(PAUSED_MS.more));
  return `${victim} paused`;
}

async function kill({ deployment, stored, start }: Run, isLast: boolean): Promise<string> {
  await deployment.service.kill();
  // Otherwise, most work would wait for the lease of a killed process. After the last kill, it does.
  if (!isLast) await stored.endLeases();
  await start();
  return "service killed";
}

/**
 * The same while the newest one to six blocks are replaced with empty ones, and seven confirmations make a block final. Each depth
 * has the same share.
 */
export function runReorgCampaign(campaign: ChainCampaign & { readonly count: number }): Promise<ChainFigures> {
  const environment = { PURSER_CONFIRMATIONS: String(CONFIRMATIONS) };
  return runOnChain("reorg", campaign, environment, async ({ chain, disturbances }, signal) => {
    const depths = Array.from({ length: campaign.count }, (_, number) => 1 + (number % DEPTH_MAX));
    while (depths.length > 0 && !signal.aborted) {
      await wait(random(DISTURB_PAUSE_MAX_MS));
      const [depth = 1] = depths.splice(random(depths.length), 1);
      await chain.reorganize(depth);
      disturbances.push(`depth ${depth}`);
    }
    // An unfreezing in another block begins another epoch. What was signed for the first one is not executed, and ends when it expires.
    await chain.passSeconds(EXPIRED_AFTER_SECONDS);
  });
}

async function runOnChain(
  name: string,
  campaign: ChainCampaign,
  environment: Readonly<Record<string, string>>,
  disturb: Disturb,
): Promise<ChainFigures> {
  return withKilledDeployment({ name }, async (deployment) => {
    const { service, postgres } = deployment;
    const chain = await startLiveChain();
    const stored = await StoredState.open(postgres.superuserUrl);
    const start = () => service.start({ ...chain.environment, ...environment });
    try {
      await start();
      return await runWith({ campaign, deployment, chain, stored, start, disturbances: [] }, disturb);
    } catch (error) {
      campaign.onProgress(service.log().slice(-LOG_CHARACTERS_SHOWN));
      throw error;
    } finally {
      await service.kill();
      await stored.close();
      await chain.close();
    }
  });
}

async function runWith(run: Run, disturb: Disturb): Promise<ChainFigures> {
  const { campaign, deployment, chain, stored, disturbances } = run;
  const { service, seeds } = deployment;
  const wallets = await seedWallets(seeds, service.url(), campaign.wallets);
  // A read of the chain brings the network into use.
  for (const { purser, walletId } of wallets) await purser.wallets.balance(walletId, { refresh: true });
  // One account creates them, one after another.
  for (const { address } of wallets) await chain.mint(address, FUNDING_MICROS);
  for (const wallet of wallets) await untilCredited(wallet);
  const history: History = { payments: [], deposits: wallets.length, freezes: 0 };
  const startedMs = performance.now();
  await disturbClients(run, { wallets, history, disturb });
  const settledSeconds = await untilSettled(run);
  const seconds = secondsSince(startedMs);

  const tenants = [...new Map(wallets.map((wallet) => [wallet.tenantId, wallet])).values()];
  const differences = [
    ...(await findChainDifferences(stored, chain, { wallets, ...history })),
    ...(await wrongSums(
      seeds.db,
      tenants.map(({ tenantId }) => tenantId),
    )),
  ];
  for (const difference of differences) campaign.onProgress(difference);
  requireNoDifferences(differences);
  const statuses = (await stored.payments()).map(({ status }) => status);
  const refusals = history.payments.flatMap(({ code }) => code ?? []);
  return {
    disturbances: countsOf(disturbances),
    payments: countsOf([...statuses, ...refusals]),
    ...{ deposits: history.deposits, freezes: history.freezes, settledSeconds },
    auditEntries: await verifyAudit(tenants),
    seconds,
  };
}

async function untilCredited({ purser, walletId }: Wallet): Promise<void> {
  const isCredited = async () => (await purser.wallets.get(walletId)).balances[0]?.available !== "0.00" || undefined;
  await until("the deposit is credited", isCredited, FUNDED_WITHIN_MS);
}

/** Uses the wallets until the last disturbance. */
async function disturbClients(
  run: Run,
  {
    wallets,
    history,
    disturb,
  }: { readonly wallets: readonly Wallet[]; readonly history: History; readonly disturb: Disturb },
): Promise<void> {
  const { campaign, chain, disturbances } = run;
  const ending = new AbortController();
  const { signal } = ending;
  const showProgress = async () => {
    while (!signal.aborted) {
      const { payments, deposits, freezes } = history;
      const counts = { disturbances: disturbances.length, payments: payments.length, deposits, freezes };
      campaign.onProgress(JSON.stringify(counts));
      await wait(PROGRESS_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  await runTogether(ending, [
    disturb(run, signal).finally(() => ending.abort()),
    ...useWallets(wallets, chain, history, signal),
    showProgress(),
  ]);
}

/**
 * Waits until nothing is under way. Returns the seconds until nothing was but operations that are not sent any more since their wallet
 * was frozen. The chain's clock is then moved to when they have expired.
 */
async function untilSettled({ campaign, chain, stored }: Run): Promise<number> {
  const block = 1n + (await chain.blockNumber());
  let underWay: readonly string[] = [];
  const settle = async (withExpiring: boolean) => {
    const isSettled = async () => {
      underWay = await stored.underWay(block, { withExpiring });
      return underWay.length === 0 || undefined;
    };
    const { elapsedMs } = await until("nothing is under way", isSettled, SETTLED_WITHIN_MS).catch((error: unknown) => {
      for (const each of underWay) campaign.onProgress(each);
      throw error;
    });
    return Math.round(elapsedMs / 1_000);
  };
  const settledSeconds = await settle(false);
  await chain.passSeconds(EXPIRED_AFTER_SECONDS);
  await settle(true);
  return settledSeconds;
}

function secondsSince(startMs: number): number {
  return Math.round((performance.now() - startMs) / 1_000);
}
