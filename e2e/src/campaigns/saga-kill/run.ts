import { setTimeout as wait } from "node:timers/promises";
import { allSagas } from "@purser/service/workflows/sagas.ts";
import { until } from "../../until.ts";
import { countsOf } from "../counts-of.ts";
import { requireNoDifferences, wrongSums } from "../kills/differences.ts";
import { type KilledDeployment, withKilledDeployment } from "../kills/killed-deployment.ts";
import { verifyAudit } from "../kills/verify-audit.ts";
import { pick, random } from "../random.ts";
import { runTogether } from "../run-together.ts";
import { Answers, actOnce } from "./act.ts";
import { CredentialChecks, findUnknownSecrets } from "./check-credentials.ts";
import { findServiceDifferences } from "./check-services.ts";
import { type Customer, createProject, type Project, seedCustomer } from "./customers.ts";
import { finishAll, OperationReader } from "./operations.ts";
import { startVendors, type Vendors } from "./vendors.ts";

const CUSTOMERS = 2;
const PAUSE_MAX_MS = 300;
/** The service is killed after a random number of vendor calls, and a random time later. An operation is then running. */
const CALLS_PER_KILL_MAX = 40;
/** How long to wait for an operation of the chosen type. */
const CHOSEN_WITHIN_MS = 3_000;
const KILL_DELAY_MAX_MS = 50;
/** A saga can wait for long before its next call, for example after several calls without an answer. */
const CALLS_WITHIN_MS = 10_000;
const KILL_DUE_MAX_MS = 60_000;
/** How long the jobs of one start get to bill deleted projects. Settling and billing need two starts. */
const BILLED_WITHIN_MS = 5_000;
const STARTS_UNTIL_BILLED_MAX = 10;
const PROGRESS_PAUSE_MS = 10_000;
/** How much of the log is shown when the campaign fails. */
const LOG_CHARACTERS_SHOWN = 4_000;
/** A process with the ID of the killed one resumes its operations at once, another one after its lease. */
const SAME_INSTANCE = { PURSER_INSTANCE_ID: "the-one" };

export interface SagaKillCampaign {
  readonly clients: number;
  readonly kills: number;
  /** The campaign goes on until there were so many kills and outcomes together. */
  readonly disturbances: number;
  readonly onProgress: (message: string) => void;
}

export interface SagaKillFigures {
  readonly kills: number;
  /** For each type, the number of kills while an operation of this type was running. */
  readonly killsDuring: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  /** The number of outcomes by vendor. */
  readonly outcomesAt: Readonly<Record<string, number>>;
  /** The number of outcomes while operations of each type, or of several, were running in the project. */
  readonly outcomesDuring: Readonly<Record<string, number>>;
  /** The number of final answers, by action and error code. */
  readonly answers: Readonly<Record<string, number>>;
  /** The number of services that were added, by service. */
  readonly services: Readonly<Record<string, number>>;
  readonly paidInvoices: number;
  /** The number of operations, by type and status. */
  readonly operations: Readonly<Record<string, number>>;
  /** The number of connections with current credentials. */
  readonly connections: number;
  /** The number of connections with former credentials during their grace period. */
  readonly formerConnections: number;
  /** The number of former credentials that were tried at the end, and refused. */
  readonly retired: number;
  /** The longest time from a request to its final answer, retries and kills included. */
  readonly slowestAnswerMs: number;
  /** The duration of the longest operation of each type, kills included. */
  readonly longestSeconds: Readonly<Record<string, number>>;
  readonly auditEntries: number;
  readonly seconds: number;
}

/**
 * Customers add services, change and remove them and delete projects with the SDK, while the service is killed at random
 * moments and vendors' answers are late, lost, wrong or refusals. Meanwhile, the credentials in the env bundles are used.
 * Then nothing is disturbed any more. Throws if an operation is running 60 seconds later, or if a resource, a payment
 * customer, a charge, an invoice, a reservation or a secret is missing or left over, if a current credential was refused at any
 * moment, or if the audit chain is not valid.
 */
export async function runSagaKillCampaign(campaign: SagaKillCampaign): Promise<SagaKillFigures> {
  return withKilledDeployment({ name: "saga-kill" }, async (deployment) => {
    const vendors = await startVendors(deployment.postgres);
    const reader = await OperationReader.open(deployment.postgres.superuserUrl);
    try {
      return await runWith({ campaign, deployment, vendors, reader });
    } catch (error) {
      campaign.onProgress(deployment.service.log().slice(-LOG_CHARACTERS_SHOWN));
      throw error;
    } finally {
      await reader.close();
      await deployment.service.kill();
      await vendors.close();
    }
  });
}

/** A program of a customer, which changes one project until it has deleted it. */
interface Client {
  readonly customer: Customer;
  project: Project;
}

interface Run {
  readonly campaign: SagaKillCampaign;
  readonly deployment: KilledDeployment;
  readonly vendors: Vendors;
  readonly reader: OperationReader;
}

async function runWith(run: Run): Promise<SagaKillFigures> {
  const { deployment, vendors, reader } = run;
  const { service, seeds, postgres } = deployment;
  await startService(run);
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => seedCustomer(seeds, service.url())));
  const clients = await Promise.all(
    Array.from({ length: run.campaign.clients }, async (_, number) => {
      const customer = pick(customers, number % CUSTOMERS);
      return { customer, project: await createProject(customer) };
    }),
  );
  const [answers, credentials] = [new Answers(), new CredentialChecks()];
  const startedMs = performance.now();
  const killed = await disturb(run, { clients, answers, credentials });
  vendors.calm();
  await finishAll(reader, customers, answers);
  for (const project of projectsOf(customers)) {
    await credentials.check(project);
    await credentials.checkRetired(project);
  }
  await billDeletedProjects(run);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);

  requireNoDifferences([
    ...credentials.failures,
    ...(await findUnknownSecrets(projectsOf(customers), vendors.sandbox)),
    ...internalErrors(service.log()),
    ...(await findServiceDifferences(postgres.superuserUrl, vendors.sandbox)),
    ...(await wrongSums(
      seeds.db,
      customers.map(({ tenantId }) => tenantId),
    )),
    ...differencesOfRequests(await vendors.countInvalidRequests()),
  ]);
  return {
    kills: deployment.kills.service,
    killsDuring: countsOf(killed),
    outcomes: countsOf(vendors.taken.map(({ outcome }) => outcome)),
    outcomesAt: countsOf(vendors.taken.map(({ vendor }) => vendor)),
    outcomesDuring: await reader.countOutcomes(vendors, customers),
    answers: answers.counts,
    services: await reader.added(),
    paidInvoices: await reader.paidInvoices(),
    operations: await reader.endings(),
    connections: credentials.connections,
    formerConnections: credentials.formerConnections,
    retired: credentials.retired,
    slowestAnswerMs: answers.slowestMs,
    longestSeconds: await reader.longestSeconds(),
    auditEntries: await verifyAudit(customers),
    seconds,
  };
}

function startService({ deployment, vendors }: Run): Promise<void> {
  const instance = random(2) === 0 ? SAME_INSTANCE : {};
  return deployment.service.start({ ...vendors.environment, ...instance });
}

/**
 * Runs the customers' clients and the checks of credentials until the last kill. Returns the types of the operations that
 * were running at each kill.
 */
async function disturb(
  run: Run,
  {
    clients,
    answers,
    credentials,
  }: {
    readonly clients: readonly Client[];
    readonly answers: Answers;
    readonly credentials: CredentialChecks;
  },
): Promise<string[]> {
  const { campaign, deployment, vendors } = run;
  const ending = new AbortController();
  const { signal } = ending;
  const killed: string[] = [];
  const actUntilEnd = async (client: Client) => {
    while (!signal.aborted) {
      const hasProject = await actOnce(client.project, answers);
      if (!hasProject) client.project = await createProject(client.customer);
      await wait(random(PAUSE_MAX_MS));
    }
  };
  const killUntilEnd = async () => {
    const isDone = () =>
      deployment.kills.service >= campaign.kills &&
      deployment.kills.service + vendors.taken.length >= campaign.disturbances;
    while (!signal.aborted && !isDone()) killed.push(...(await killOnce(run)));
  };
  const showProgress = async () => {
    while (!signal.aborted) {
      const { kills } = deployment;
      const during = countsOf(killed);
      const outcomes = vendors.taken.length;
      campaign.onProgress(JSON.stringify({ kills: kills.service, during, outcomes }));
      await wait(PROGRESS_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  await runTogether(ending, [
    killUntilEnd().finally(() => ending.abort()),
    ...clients.map(actUntilEnd),
    ...clients.map((client) => credentials.run(() => client.project, signal)),
    showProgress(),
  ]);
  return killed;
}

/**
 * Kills the service while an operation is running, of a type chosen at random if there is one, and starts it again. Returns
 * the types of the running operations.
 */
async function killOnce(run: Run): Promise<readonly string[]> {
  const { deployment, reader, vendors } = run;
  const goal = vendors.calls() + random(CALLS_PER_KILL_MAX);
  const hasCalled = async () => vendors.calls() >= goal || undefined;
  await until("vendors were called", hasCalled, CALLS_WITHIN_MS).catch(() => {});
  const { type } = pick(allSagas, random(allSagas.length));
  const isRunning = async () => (await reader.running()).includes(type) || undefined;
  await until(`${type} is running`, isRunning, CHOSEN_WITHIN_MS).catch(() => {});
  await wait(random(KILL_DELAY_MAX_MS));
  const isBusy = async () => (await reader.running()).length > 0 || undefined;
  await until("an operation is running", isBusy, KILL_DUE_MAX_MS);
  await deployment.service.kill();
  deployment.kills.service += 1;
  const types = new Set(await reader.running());
  await reader.endLeases();
  await startService(run);
  return types.size === 0 ? ["none"] : [...types];
}

/** Waits until deleted projects owe nothing. A start of the service runs the jobs that settle, bill and pay at once. */
async function billDeletedProjects(run: Run): Promise<void> {
  const isBilled = async () => (await run.reader.unbilled()).length === 0 || undefined;
  for (let starts = 0; (await isBilled()) === undefined; starts += 1) {
    if (starts === STARTS_UNTIL_BILLED_MAX) {
      throw new Error(`Not billed: ${(await run.reader.unbilled()).join(", ")}`);
    }
    await run.deployment.service.kill();
    await startService(run);
    await until("deleted projects are billed", isBilled, BILLED_WITHIN_MS).catch(() => {});
  }
}

function projectsOf(customers: readonly Customer[]): readonly Project[] {
  return [...new Set(customers)].flatMap(({ projects }) => [...projects.values()]);
}

/** Returns the lines of the log about errors that no vendor and no kill explains. */
function internalErrors(log: string): string[] {
  return log.split("\n").filter((line) => /internal error|workflow ended/.test(line));
}

function differencesOfRequests(invalid: number): string[] {
  return invalid === 0 ? [] : [`${invalid} invalid requests to vendors`];
}
