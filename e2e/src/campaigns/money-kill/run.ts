import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../until.ts";
import { AcknowledgementFile } from "../kills/acknowledgement-file.ts";
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
import { findPaymentDifferences } from "./check-payments.ts";
import { type Client, seedClients } from "./clients.ts";
import { type PaymentAcknowledgement, payOnce } from "./pay.ts";

/** The time from a start to the next kill: random, and at least until some requests were answered. */
const KILL_DELAY_MAX_MS = 600;
const ACKNOWLEDGEMENTS_PER_KILL = 16;
const KILL_DUE_MAX_MS = 120_000;
const PROGRESS_PAUSE_MS = 5_000;
/** Nothing may be stuck for longer. */
const STUCK_MAX_MS = 60_000;

export interface MoneyKillCampaign {
  readonly clients: number;
  readonly kills: number;
  readonly onProgress: (message: string) => void;
}

export interface MoneyKillFigures {
  /** The number of acknowledged requests of each action, by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly payments: number;
  /** The number of requests whose first answer was lost. */
  readonly replayed: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** The longest time from a request to its final answer, retries included. */
  readonly slowestMs: number;
  readonly auditEntries: number;
  readonly seconds: number;
}

/**
 * Sends payments of many clients with the SDK, and captures, voids, cancels and refunds them, while the service and
 * PostgreSQL (fsync on) are killed and restarted in turn. The SDK retries each request with its Idempotency-Key until there
 * is a final answer, which its sender writes to a file. Throws if the database then differs from the file, if the audit
 * chain is not valid, or if anything was stuck for more than 60 seconds.
 */
export async function runMoneyKillCampaign(campaign: MoneyKillCampaign): Promise<MoneyKillFigures> {
  return withKilledDeployment({ name: "money-kill" }, async (deployment) => {
    const { folder, service, postgres, seeds, kills } = deployment;
    const path = join(folder, "acknowledgements.jsonl");
    const acknowledged = await AcknowledgementFile.create<PaymentAcknowledgement>(path);
    try {
      await service.start();
      const clients = await seedClients(seeds, { url: service.url(), count: campaign.clients });
      const startedMs = performance.now();
      const slowestMs = await runClients(campaign, { deployment, clients, acknowledged });
      const seconds = Math.round((performance.now() - startedMs) / 1_000);

      const acknowledgements = await acknowledged.read();
      const tenantIds = [...new Set(clients.map(({ tenant }) => tenant.tenantId))];
      const { superuserUrl } = postgres;
      requireNoDifferences([
        ...(await wrongSums(seeds.db, tenantIds)),
        ...(await findPaymentDifferences({ superuserUrl, tenantIds, acknowledgements })),
      ]);
      const tenants = new Set(clients.map(({ tenant }) => tenant));
      const auditEntries = await verifyAudit([...tenants]);
      return { ...figuresOf(acknowledgements), kills, slowestMs, auditEntries, seconds };
    } finally {
      await acknowledged.close();
    }
  });
}

interface Run {
  readonly deployment: KilledDeployment;
  readonly clients: readonly Client[];
  readonly acknowledged: AcknowledgementFile<PaymentAcknowledgement>;
}

/** Runs the clients until the last kill. Returns the longest time from a request to its final answer. */
async function runClients(
  { kills: killsMax, onProgress }: MoneyKillCampaign,
  { deployment, clients, acknowledged }: Run,
): Promise<number> {
  const ending = new AbortController();
  const { signal } = ending;
  let slowestMs = 0;
  const sending = clients.map(async (client) => {
    let sentMs = performance.now();
    const acknowledge = async (acknowledgement: PaymentAcknowledgement) => {
      const elapsedMs = performance.now() - sentMs;
      slowestMs = Math.max(slowestMs, Math.round(elapsedMs));
      if (elapsedMs > STUCK_MAX_MS) {
        throw new Error(`No final answer for ${Math.round(elapsedMs)} ms.`);
      }
      await acknowledged.append(acknowledgement);
      sentMs = performance.now();
    };
    while (!signal.aborted) await payOnce(client, acknowledge);
  });
  const untilDue = async (kill: number) => {
    if (kill > killsMax) return false;
    const goal = acknowledged.count + ACKNOWLEDGEMENTS_PER_KILL;
    const reached = async () => signal.aborted || acknowledged.count >= goal || undefined;
    await until("some requests were answered", reached, KILL_DUE_MAX_MS);
    await wait(random(KILL_DELAY_MAX_MS));
    return !signal.aborted;
  };
  const showProgress = async () => {
    while (!signal.aborted) {
      const { kills } = deployment;
      onProgress(`${acknowledged.count} acknowledged, ${JSON.stringify({ kills, slowestMs })}`);
      await wait(PROGRESS_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  await runTogether(ending, [
    killInTurn(deployment, VICTIMS, untilDue).finally(() => ending.abort()),
    ...sending,
    showProgress(),
  ]);
  return slowestMs;
}

function figuresOf(acknowledgements: readonly PaymentAcknowledgement[]) {
  const answers: Record<string, number> = {};
  for (const { action, code } of acknowledgements) {
    const name = `${action} ${code ?? "done"}`;
    answers[name] = (answers[name] ?? 0) + 1;
  }
  const made = acknowledgements.filter(
    ({ action, status }) => status === 200 && (action === "send" || action === "authorize"),
  );
  const replayed = acknowledgements.filter(({ isReplayed }) => isReplayed);
  return { answers, payments: made.length, replayed: replayed.length };
}
