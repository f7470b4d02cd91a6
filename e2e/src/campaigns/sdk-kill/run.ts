import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { PYTHON_ENVIRONMENT, pythonOfSdk } from "../../../../scripts/python-sdk.ts";
import { seedKeyPair } from "../../../../service/test/seeds.ts";
import { until } from "../../until.ts";
import { requireNoDifferences, wrongSums } from "../kills/differences.ts";
import { killInTurn, VICTIMS, type Victim, withKilledDeployment } from "../kills/killed-deployment.ts";
import { findPaymentDifferences } from "../money-kill/check-payments.ts";
import { seedTenant } from "../money-kill/clients.ts";
import type { PaymentAcknowledgement } from "../money-kill/pay.ts";
import { random } from "../random.ts";
import { runTogether } from "../run-together.ts";
import { type Disturbance, startHostileProxy } from "./hostile-proxy.ts";

const KILL_DELAY_MAX_MS = 500;
const KILL_DUE_MAX_MS = 120_000;
const AGENTS = 6;
const CLOCK_OFFSET_SECONDS = 120;
/** A call must survive a restart of PostgreSQL, in which every attempt fails. */
const RETRIES_MAX = 50;

/** What a client is told to do, as JSON in its first argument. */
export interface PayerOrder {
  readonly base_url: string;
  readonly api_key: string;
  readonly api_secret: string;
  readonly agents: readonly { readonly agent_id: string; readonly wallet_id: string }[];
  readonly workers: number;
  readonly payments: number;
  readonly max_retries: number;
  /** How far the client's clock is ahead of the server's. */
  readonly clock_offset_seconds: number;
}

/** A program that sends payments with an SDK, and its arguments before the order. */
type Client = readonly [string, ...string[]];

export interface SdkKillCampaign {
  readonly client: Client;
  readonly payments: number;
  readonly workers: number;
  /** Spread evenly over the payments. */
  readonly kills: number;
  readonly onProgress: (message: string) => void;
}

/** The client that uses the TypeScript SDK. */
export const TYPESCRIPT_CLIENT: Client = [process.execPath, join(import.meta.dirname, "pay.ts")];

/** Returns the client that uses the Python SDK. */
export async function pythonClient(): Promise<Client> {
  return [await pythonOfSdk(), join(import.meta.dirname, "pay.py")];
}

export interface SdkKillFigures {
  readonly payments: number;
  /** The number of requests whose first answer was lost. */
  readonly replayed: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly disturbances: Readonly<Record<Disturbance, number>>;
  readonly seconds: number;
}

/**
 * Sends payments with an SDK whose clock is two minutes wrong, through a proxy that disturbs requests, while the service and
 * PostgreSQL are killed and restarted in turn. Throws if a call ends in an error, or if a payment is lost or doubled.
 */
export async function runSdkKillCampaign(campaign: SdkKillCampaign): Promise<SdkKillFigures> {
  return withKilledDeployment({ name: "sdk-kill" }, async (deployment) => {
    const { service, postgres, seeds, kills } = deployment;
    await service.start();
    const proxy = await startHostileProxy(service.url);
    try {
      // The first agent has little money and the second a low cap, which is for the campaign money-kill.
      const tenant = await seedTenant(seeds, service.url(), AGENTS + 2);
      const { apiKey, apiSecret } = await seedKeyPair(seeds, tenant.tenantId, { mode: "test" });
      const order: PayerOrder = {
        ...{ base_url: proxy.url, api_key: apiKey, api_secret: apiSecret },
        agents: tenant.agents.slice(2).map(({ agentId, walletId }) => ({ agent_id: agentId, wallet_id: walletId })),
        workers: campaign.workers,
        payments: campaign.payments,
        max_retries: RETRIES_MAX,
        clock_offset_seconds: CLOCK_OFFSET_SECONDS,
      };
      const startedMs = performance.now();
      const acknowledgements: PaymentAcknowledgement[] = [];
      const ending = new AbortController();
      const untilDue = async (kill: number) => {
        if (kill > campaign.kills) return false;
        const goal = (campaign.payments * kill) / (campaign.kills + 1);
        const reached = async () => ending.signal.aborted || acknowledgements.length >= goal || undefined;
        await until("the next part of the payments was made", reached, KILL_DUE_MAX_MS);
        await wait(random(KILL_DELAY_MAX_MS));
        campaign.onProgress(`${acknowledgements.length} acknowledged, ${JSON.stringify({ kills, ...proxy.counts })}`);
        return !ending.signal.aborted;
      };
      await runTogether(ending, [
        runClient(campaign.client, order, acknowledgements).finally(() => ending.abort()),
        killInTurn(deployment, VICTIMS, untilDue),
      ]);
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      const tenantIds = [tenant.tenantId];
      requireNoDifferences([
        ...(await wrongSums(seeds.db, tenantIds)),
        ...(await findPaymentDifferences({ superuserUrl: postgres.superuserUrl, tenantIds, acknowledgements })),
      ]);
      const replayed = acknowledgements.filter(({ isReplayed }) => isReplayed).length;
      const payments = acknowledgements.filter(({ status }) => status === 200).length;
      return { payments, replayed, kills, disturbances: proxy.counts, seconds };
    } finally {
      proxy.close();
    }
  });
}

/** Runs the client until it ends, and adds what it prints. Throws if it fails. */
async function runClient(
  [program, ...args]: Client,
  order: PayerOrder,
  acknowledgements: PaymentAcknowledgement[],
): Promise<void> {
  const client = spawn(program, [...args, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...PYTHON_ENVIRONMENT },
  });
  let errors = "";
  client.stderr.on("data", (chunk: Buffer) => (errors += chunk));
  const exited = new Promise<number | null>((resolve) => client.on("close", resolve));
  for await (const line of createInterface({ input: client.stdout })) acknowledgements.push(JSON.parse(line));
  const code = await exited;
  if (code !== 0) throw new Error(`The client ended with ${code}: ${errors.slice(-2_000)}`);
  if (acknowledgements.length < order.payments)
    throw new Error(`Only ${acknowledgements.length} payments were answered.`);
}
