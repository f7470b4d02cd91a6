import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../until.ts";
import { countsOf } from "../counts-of.ts";
import { AcknowledgementFile } from "../kills/acknowledgement-file.ts";
import { requireNoDifferences, wrongSums } from "../kills/differences.ts";
import { verifyAudit } from "../kills/verify-audit.ts";
import { findPaymentDifferences } from "../money-kill/check-payments.ts";
import { type Client, seedClients } from "../money-kill/clients.ts";
import { type PaymentAcknowledgement, payOnce } from "../money-kill/pay.ts";
import { pick, random } from "../random.ts";
import { runTogether } from "../run-together.ts";
import { Answers, actOnce } from "../saga-kill/act.ts";
import { CredentialChecks, findUnknownSecrets } from "../saga-kill/check-credentials.ts";
import { findServiceDifferences } from "../saga-kill/check-services.ts";
import { type Customer, createProject, seedCustomer } from "../saga-kill/customers.ts";
import { finishAll, OperationReader } from "../saga-kill/operations.ts";
import { type Deployment, withDeployment } from "./deployment.ts";
import { loseProcesses, loseStores, Timeline, type Victim } from "./losses.ts";
import { requirePrograms } from "./programs.ts";
import { Replays } from "./replays.ts";

/** Of twelve clients, four: those of an agent whose project has a low cap, and of one that can always pay. */
const [CLIENTS, PAYERS] = [12, 4];
const CUSTOMERS = 2;
const PAUSE_MAX_MS = 500;
const PROGRESS_PAUSE_MS = 10_000;
const OUTAGE_MAX_MS = 30_000;
const BILLED_WITHIN_MS = 5_000;
const STARTS_UNTIL_BILLED_MAX = 10;
const LOG_CHARACTERS_SHOWN = 4_000;

export interface FailoverCampaign {
  readonly minutes: number;
  readonly onProgress: (message: string) => void;
}

/**
 * Agents pay, and customers change services and use the credentials of their env bundles, while the PostgreSQL primary, its
 * machine, the Redis master, API processes and workers are killed. Nothing is repaired by hand. Captured requests are sent
 * again all the time. Throws if an acknowledged answer is lost, if the ledger, budgets, vendors and the audit chains do not
 * agree afterwards, if a replay succeeds, or if no payment was possible for more than 30 seconds. Otherwise returns figures.
 */
export async function runFailoverCampaign(campaign: FailoverCampaign): Promise<object> {
  requirePrograms();
  return withDeployment(async (deployment) => {
    const path = join(deployment.folder, "acknowledgements.jsonl");
    const acknowledged = await AcknowledgementFile.create<PaymentAcknowledgement>(path);
    try {
      return await runWith({ campaign, deployment, acknowledged });
    } catch (error) {
      campaign.onProgress(logOf(deployment).slice(-LOG_CHARACTERS_SHOWN));
      throw error;
    } finally {
      await acknowledged.close();
    }
  });
}

interface Run {
  readonly campaign: FailoverCampaign;
  readonly deployment: Deployment;
  readonly acknowledged: AcknowledgementFile<PaymentAcknowledgement>;
}

interface Work {
  readonly payers: readonly Client[];
  readonly customers: readonly Customer[];
  readonly timeline: Timeline;
  readonly replays: Replays;
  readonly answers: Answers;
  readonly credentials: CredentialChecks;
}

async function runWith(run: Run): Promise<object> {
  const { seeds, url } = run.deployment;
  const [timeline, replays, answers, credentials] = [
    new Timeline(),
    new Replays(),
    new Answers(),
    new CredentialChecks(),
  ];
  const { fetch } = replays;
  const payers = (await seedClients(seeds, { url, count: CLIENTS, fetch })).slice(-PAYERS);
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => seedCustomer(seeds, url, fetch)));
  const work = { payers, customers, timeline, replays, answers, credentials };
  await disturb(run, work);
  const { services, auditEntries } = await checkAll(run, work);
  const acknowledgements = await run.acknowledged.read();
  return {
    kills: countsOf(timeline.kills.map(({ victim }) => victim)),
    longestOutagesMs: timeline.longestOutagesMs,
    payments: countsOf(acknowledgements.map(({ action, code }) => `${action} ${code ?? "done"}`)),
    ...{ answers: answers.counts, services, connections: credentials.connections },
    ...{ captured: replays.captured, replays: replays.counts, auditEntries },
  };
}

/** Runs everything at the same time for the minutes of the campaign. */
async function disturb({ campaign, deployment, acknowledged }: Run, work: Work): Promise<void> {
  const { payers, customers, timeline, replays, answers, credentials } = work;
  const ending = new AbortController();
  const { signal } = ending;
  const pay = async (payer: Client) => {
    const acknowledge = async (acknowledgement: PaymentAcknowledgement) => {
      if (acknowledgement.status === 200) timeline.notePayment();
      await acknowledged.append(acknowledgement);
    };
    while (!signal.aborted) await payOnce(payer, acknowledge);
  };
  const changeServices = async (customer: Customer) => {
    let project = await createProject(customer);
    const checking = credentials.run(() => project, signal);
    while (!signal.aborted) {
      if (!(await actOnce(project, answers))) project = await createProject(customer);
      await wait(random(PAUSE_MAX_MS));
    }
    await checking;
  };
  const showProgress = async () => {
    while (!signal.aborted) {
      const kills = countsOf(timeline.kills.map(({ victim }) => victim));
      campaign.onProgress(JSON.stringify({ acknowledged: acknowledged.count, kills, ...timeline.longestOutagesMs }));
      await wait(PROGRESS_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  const noteKill = (victim: Victim) => {
    timeline.kills.push({ victim, atMs: performance.now() });
    if (victim === "redis") replays.noteLoss();
  };
  const losses = { deployment, timeline, noteKill, signal };
  const untilEnd = wait(campaign.minutes * 60_000, undefined, { signal }).catch(() => {});
  await runTogether(ending, [
    untilEnd.then(() => ending.abort()),
    ...payers.map(pay),
    ...customers.map(changeServices),
    loseStores(losses),
    loseProcesses(losses, "api"),
    loseProcesses(losses, "worker"),
    replays.run(signal),
    showProgress(),
  ]);
}

/** Waits until everything has ended. Throws if anything differs. */
async function checkAll({ deployment, acknowledged }: Run, work: Work) {
  const { seeds, superuserUrl, vendors } = deployment;
  const { payers, customers, timeline, replays, answers, credentials } = work;
  const reader = await OperationReader.open(superuserUrl);
  try {
    await finishAll(reader, customers, answers);
    const projects = customers.flatMap((customer) => [...customer.projects.values()]);
    for (const project of projects) await credentials.check(project);
    await billDeletedProjects(deployment, reader);
    const tenants = [...new Set([...payers.map(({ tenant }) => tenant), ...customers])];
    const tenantIds = tenants.map(({ tenantId }) => tenantId);
    const outages = Object.entries(timeline.longestOutagesMs).filter(([, lengthMs]) => lengthMs > OUTAGE_MAX_MS);
    requireNoDifferences([
      ...replays.failures,
      ...credentials.failures,
      ...outages.map(([victims, lengthMs]) => `no payment for ${lengthMs} ms after the loss of ${victims}`),
      ...(await findPaymentDifferences({ superuserUrl, tenantIds, acknowledgements: await acknowledged.read() })),
      ...(await findUnknownSecrets(projects, vendors.sandbox)),
      ...(await findServiceDifferences(superuserUrl, vendors.sandbox)),
      ...(await wrongSums(seeds.db, tenantIds)),
      ...logOf(deployment)
        .split("\n")
        .filter((line) => /internal error|workflow ended/.test(line)),
    ]);
    return { services: await reader.endings(), auditEntries: await verifyAudit(tenants) };
  } finally {
    await reader.close();
  }
}

/** Waits until deleted projects owe nothing. A start of a worker runs the jobs that settle, bill and pay at once. */
async function billDeletedProjects({ processes }: Deployment, reader: OperationReader): Promise<void> {
  const worker = pick(processes.worker, 0);
  const isBilled = async () => (await reader.unbilled()).length === 0 || undefined;
  for (let starts = 0; (await isBilled()) === undefined; starts += 1) {
    if (starts === STARTS_UNTIL_BILLED_MAX) throw new Error(`Not billed: ${(await reader.unbilled()).join(", ")}`);
    await worker.kill();
    await worker.start();
    await until("deleted projects are billed", isBilled, BILLED_WITHIN_MS).catch(() => {});
  }
}

function logOf({ processes }: Deployment): string {
  return [...processes.api, ...processes.worker].map(({ log }) => log()).join("\n");
}
