import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { updateAccounts } from "@purser/service/ledger/queries.ts";
import { type SeedApp, seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { createSpendTable, setWalletBalance } from "../../../../service/test/test-spend.ts";
import { type ApiResponse, createSignedClient, type KeyPair } from "../../signed-client.ts";
import { until } from "../../until.ts";
import { AcknowledgementFile } from "../kills/acknowledgement-file.ts";
import { requireNoDifferences } from "../kills/differences.ts";
import { type KilledDeployment, killInTurn, type Victim, withKilledDeployment } from "../kills/killed-deployment.ts";
import { pick, random } from "../random.ts";
import { runTogether } from "../run-together.ts";
import { type Acknowledgement, findDifferences } from "./check-acknowledgements.ts";

const SERVER = fileURLToPath(new URL("./spend-server.ts", import.meta.url));
const MODE = "live";
const TENANTS = 2;
const WALLETS = 50;
const PROJECTS = 8;
const MANY_BASE_UNITS = 10n ** 15n;
/** One wallet has little money, five are frozen, and one project has a low cap, so that some requests are refused. */
const FEW_BASE_UNITS = 1_000_000n;
const LOW_CAP = "2.00";
const HIGH_CAP = "1000000.00";
const RETRY_PAUSE_MS = 50;
const PROGRESS_PAUSE_MS = 5_000;
const CAMPAIGN_MAX_MS = 3_600_000;
/** What is killed, in turn. */
const VICTIMS = ["service", "postgres", "service", "service"] as const;
const FINAL = new Set([200, 402, 403]);
const REPEATABLE = new Set([409, 503]);

export interface LedgerKillCampaign {
  readonly writers: number;
  readonly requestsEach: number;
  /** A process is killed each time this number of further requests has been acknowledged. */
  readonly acknowledgementsPerKill: number;
  readonly onProgress: (message: string) => void;
}

export interface LedgerKillFigures {
  readonly requests: number;
  readonly done: number;
  /** The number of refusals with each error code. */
  readonly refused: Readonly<Record<string, number>>;
  /** The number of requests that were sent again because there was no final answer. */
  readonly retries: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly seconds: number;
}

interface Tenant {
  readonly tenantId: TenantId;
  readonly projectIds: readonly string[];
}

/** A writer's key, and what it spends from. */
interface Writer extends Tenant {
  readonly pair: KeyPair;
}

/**
 * Sends money requests to a server process, while the process and PostgreSQL are killed and restarted in turn. Each
 * writer repeats a request with its Idempotency-Key until it has a final answer, and writes the answer to a file. Throws
 * if the database then differs from the file.
 */
export async function runLedgerKillCampaign(campaign: LedgerKillCampaign): Promise<LedgerKillFigures> {
  return withKilledDeployment({ name: "ledger-kill", file: SERVER }, async (deployment) => {
    const { folder, service, postgres, seeds, kills } = deployment;
    const path = join(folder, "acknowledgements.jsonl");
    const acknowledged = await AcknowledgementFile.create<Acknowledgement>(path);
    try {
      await createSpendTable({ ownerUrl: postgres.ownerUrl });
      await service.start();
      const writers = await seedWriters(seeds, service.url(), campaign.writers);
      const startedMs = performance.now();
      const counts = { retries: 0 };
      await runWriters(campaign, { deployment, writers, acknowledged, counts });
      const seconds = Math.round((performance.now() - startedMs) / 1_000);

      const acknowledgements = await acknowledged.read();
      const differences = await findDifferences(seeds.db, {
        superuserUrl: postgres.superuserUrl,
        tenantIds: [...new Set(writers.map(({ tenantId }) => tenantId))],
        acknowledgements,
      });
      requireNoDifferences(differences);
      return { ...figuresOf(acknowledgements), ...counts, kills, seconds };
    } finally {
      await acknowledged.close();
    }
  });
}

function figuresOf(acknowledgements: readonly Acknowledgement[]) {
  const refused: Record<string, number> = {};
  for (const { code } of acknowledgements) {
    if (code !== null) refused[code] = (refused[code] ?? 0) + 1;
  }
  const requests = acknowledgements.length;
  return { requests, done: requests - acknowledgements.filter(({ code }) => code).length, refused };
}

async function seedWriters(seeds: SeedApp, url: string, count: number): Promise<Writer[]> {
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => seedTenant(seeds, url)));
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const tenant = pick(tenants, number % TENANTS);
      return { ...tenant, pair: await seedKeyPair(seeds, tenant.tenantId, { mode: MODE }) };
    }),
  );
}

async function seedTenant(seeds: SeedApp, url: string): Promise<Tenant> {
  const tenantId = await seedDeveloper(seeds);
  for (let number = 0; number < WALLETS; number += 1) {
    const baseUnits = number === 0 ? FEW_BASE_UNITS : MANY_BASE_UNITS;
    await setWalletBalance(seeds.db, { tenantId, mode: MODE, walletId: walletOf(number) }, baseUnits);
  }
  const frozen = {
    tenantId,
    mode: MODE,
    subjectType: "wallet",
    subjectIds: [1, 2, 3, 4, 5].map(walletOf),
  } as const;
  await withTransaction(seeds.db, tenantId, (tx) => updateAccounts(tx, frozen, { frozen: "outgoing_only" }));
  const client = createSignedClient(url, await seedKeyPair(seeds, tenantId, { mode: MODE }));
  const projectIds: string[] = [];
  for (let number = 0; number < PROJECTS; number += 1) {
    const monthly_cap = number === 0 ? LOW_CAP : HIGH_CAP;
    const { body } = await client.post("/projects", { name: `project-${number}`, monthly_cap });
    projectIds.push((body as { project_id: string }).project_id);
  }
  return { tenantId, projectIds };
}

const walletOf = (number: number) => `wallet-${number}`;

interface Run {
  readonly deployment: KilledDeployment;
  readonly writers: readonly Writer[];
  readonly acknowledged: AcknowledgementFile<Acknowledgement>;
  readonly counts: { retries: number };
}

async function runWriters(campaign: LedgerKillCampaign, run: Run): Promise<void> {
  const { deployment, writers, acknowledged, counts } = run;
  const ending = new AbortController();
  const { signal } = ending;
  const sending = writers.map(async (writer) => {
    for (let number = 0; number < campaign.requestsEach; number += 1) {
      await acknowledged.append(await sendOne(run, writer, signal));
    }
  });
  const showProgress = async () => {
    while (!signal.aborted) {
      const figures = JSON.stringify({ ...counts, kills: deployment.kills });
      campaign.onProgress(`${acknowledged.count} acknowledged, ${figures}`);
      await wait(PROGRESS_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  const untilDue = async (kill: number) => {
    const reached = async () =>
      signal.aborted || acknowledged.count >= kill * campaign.acknowledgementsPerKill || undefined;
    await until("the next kill is due", reached, CAMPAIGN_MAX_MS);
    return !signal.aborted;
  };
  await runTogether(ending, [
    killInTurn(deployment, VICTIMS, untilDue),
    Promise.all(sending).finally(() => ending.abort()),
    showProgress(),
  ]);
}

/** Sends a random request until there is a final answer. */
async function sendOne(
  { deployment: { service }, counts }: Run,
  { pair, projectIds }: Writer,
  ended: AbortSignal,
): Promise<Acknowledgement> {
  const idempotencyKey = randomUUID();
  const walletId = walletOf(random(WALLETS));
  const projectId = projectIds[random(2 * PROJECTS)];
  const amount = `0.${String(1 + random(99)).padStart(2, "0")}`;
  const body = { amount, wallet_id: walletId, project_id: projectId, reference: idempotencyKey };
  while (!ended.aborted) {
    const client = createSignedClient(service.url(), pair, { retriesMax: 0 });
    const response = await client.post("/test/spend", body, { idempotencyKey }).catch(() => undefined);
    if (response !== undefined && FINAL.has(response.status)) {
      return { idempotencyKey, walletId, projectId, amount, ...answerOf(response) };
    }
    if (response !== undefined && !REPEATABLE.has(response.status)) {
      throw new Error(`Unexpected answer ${response.status}: ${response.text}`);
    }
    counts.retries += 1;
    await wait(RETRY_PAUSE_MS);
  }
  throw new Error("Another task has failed.");
}

function answerOf({ status, body }: ApiResponse) {
  const { code = null, spend_id: spendId = null } = body as { code?: string; spend_id?: string };
  return { status, code, spendId };
}
