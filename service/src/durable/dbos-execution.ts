import { AsyncLocalStorage } from "node:async_hooks";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { assertStillOwnsWorkflow, registerDataSource, runTransaction } from "@dbos-inc/dbos-sdk/datasource";
import { dbRetryConfig } from "@dbos-inc/dbos-sdk/internal/utils";
import type { Logger } from "pino";
import { type Db, openPlainPool, type Tx } from "../db/database.ts";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { invariant } from "../foundation/invariant.ts";
import { redactedMessage } from "../foundation/redact.ts";
import type { DurableContext, DurableExecution, DurableWorkflow, WorkflowInput } from "./durable-execution.ts";
import {
  deleteCompletionsOf,
  deleteLease,
  deleteOldLeases,
  listLivingExecutors,
  listOperationsOfOtherProviders,
  takeLease,
} from "./queries.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";
import { TRANSACTION_STEPS, transactionSteps } from "./transaction-steps.ts";

const APPLICATION = "purser";
/** All builds have the same version, so that each continues the workflows of the others. */
const APPLICATION_VERSION = "1";
/** The name of the lease that lets only one process at a time take over abandoned workflows. */
const REAPER = "reaper";
/**
 * The longest time between two renewals of a lease. A process that died may have worked for this long after its last
 * renewal.
 */
const LEASE_RENEWED_EVERY_MAX_MS = 1_000;
const START_WAIT_MS = 10_000;
/** The longest pause between attempts to reach the database. With DBOS's own, a workflow could stand still for a minute more. */
const DATABASE_PAUSE_MAX_SECONDS = 2;
const SHUTDOWN_WAIT_MS = 5_000;
const WAIT_POLL_MS = 50;
const LIST_MAX = 1_000;

export interface DbosOptions {
  readonly db: Db;
  readonly log: Logger;
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /**
   * A process that restarts with the same id resumes its own workflows immediately, without waiting for its lease to
   * expire.
   */
  readonly instanceId: string;
  readonly leaseMs: number;
  readonly queuePollMs: number;
  /** Returns the providers that this process can call. It takes over no workflow of another one. */
  readonly providers: () => readonly string[];
}

type StartableWorkflow = (input: WorkflowInput) => Promise<void>;

/**
 * Executes workflows with DBOS in Purser's own database (`docs/decisions/0004-durable-workflows.md`). DBOS has one
 * instance per process, so call `launch` only once in each process.
 */
export function createDbosExecution(options: DbosOptions): DurableExecution {
  const { db, log, instanceId, leaseMs } = options;
  const registered = new Map<string, StartableWorkflow>();
  const waiting: WaitingCallers = new Map();
  /**
   * The id of the workflow that is being started. Set only in the execution that `run` starts, not in a resumed
   * execution.
   */
  const starting = new AsyncLocalStorage<string>();
  const lease = createLease(options);
  const leaseRenewedEveryMs = Math.min(LEASE_RENEWED_EVERY_MAX_MS, leaseMs / 5);
  const turns: ReaperTurns = { yieldsUntilMs: 0 };
  let pool: Pool | undefined;

  return {
    launch: async (workflows) => {
      pool = openPlainPool({
        url: options.databaseUrl,
        connectionsMax: options.connectionsMax,
        // If a process pauses during a transaction, the database ends the transaction after this time. Until then, the
        // process that takes over the workflow waits for the transaction's locks.
        idleTransactionTimeoutMs: leaseMs,
        onError: ({ message }) =>
          log.warn({ message }, "idle connection to the workflow database closed with an error"),
      });
      configure(options, pool);
      registerDataSource(transactionSteps(db));
      for (const [name, workflow] of Object.entries(workflows)) {
        const abandonedForMs = (id: string) => {
          if (starting.getStore() === id) return null;
          // Shortly after a restart, `isSteady` returns false. The workflow may then be one that this process ran just
          // before the restart. Later, only workflows of processes whose lease has expired are resumed. Such a process
          // renewed its lease at least `leaseMs` ago, and may have worked for `leaseRenewedEveryMs` after that.
          return lease.isSteady() ? leaseMs - leaseRenewedEveryMs : 0;
        };
        registered.set(name, register(name, workflow, { waiting, abandonedForMs }));
      }
      // Retries for several seconds: no caller is waiting yet, and the database may be busy during startup.
      await retryWhileUnavailable(lease.renew, START_WAIT_MS);
      await DBOS.launch();
      await DBOS.registerQueue(queueOf(options), { minPollingIntervalMs: options.queuePollMs });
    },
    run: async (name, input, waitMs) => {
      const workflow = registered.get(name);
      invariant(workflow !== undefined, `the workflow ${name} is registered`);
      const workflowID = input.operationId;
      await waitUntilReleased(waiting, workflowID, waitMs, async () => {
        const start = () => DBOS.startWorkflow(workflow, { workflowID })(input);
        const handle = await starting.run(workflowID, start);
        if (waitMs === 0) return;
        // A handle has `workflowPromise` only if the workflow runs in this process. For any other handle, `getResult`
        // would poll the database until the workflow ends. `waitFor` polls only for `waitMs`.
        if ("workflowPromise" in handle) await handle.getResult();
        else await waitFor(workflowID, waitMs);
      });
    },
    wait: waitFor,
    renewLease: lease.renew,
    leaseRenewedEveryMs,
    takeOverAbandonedWorkflows: async () =>
      lease.isSteady() ? takeOverAbandonedWorkflows(options, registered, turns) : 0,
    deleteWorkflows: (operationIds) => deleteWorkflows(db, operationIds),
    deleteEndedWorkflows: async (before) => {
      const filter: WorkflowFilter = {
        status: ["SUCCESS", "ERROR"],
        completedBefore: before.toISOString(),
      };
      let deleted = 0;
      for (;;) {
        const ended = await listWorkflows(filter);
        await deleteWorkflows(
          db,
          ended.map(({ workflowID }) => workflowID),
        );
        deleted += ended.length;
        if (ended.length < LIST_MAX) return deleted;
      }
    },
    close: async () => {
      // DBOS has one instance per process, so only the object whose `launch` was called shuts it down.
      if (pool === undefined) return;
      await shutDown();
      await deleteLease(db, instanceId).catch(() => {});
      await pool.end();
    },
  };
}

type Pool = ReturnType<typeof openPlainPool>;

function configure({ databaseUrl, instanceId, log }: DbosOptions, pool: Pool): void {
  const write = (level: "debug" | "info" | "warn" | "error") => (entry: unknown) =>
    log[level]({ message: redactedMessage(entry) }, "dbos");
  dbRetryConfig.maxBackoffSec = DATABASE_PAUSE_MAX_SECONDS;
  DBOS.setConfig({
    name: APPLICATION,
    applicationVersion: APPLICATION_VERSION,
    executorID: instanceId,
    systemDatabaseUrl: databaseUrl,
    // Purser's own pool, because DBOS's pool sends its setup query and the first query concurrently, which pg
    // deprecates.
    systemDatabasePool: pool,
    // `migrate` has already created DBOS's tables. The server's role is not allowed to create them.
    runMigrations: false,
    useListenNotify: false,
    logger: {
      debug: write("debug"),
      info: write("debug"),
      warn: write("warn"),
      error: write("error"),
    },
  });
}

async function waitFor(workflowId: string, waitMs: number): Promise<void> {
  if (waitMs === 0) return;
  const options = { timeoutSeconds: waitMs / 1000, pollingIntervalMs: WAIT_POLL_MS };
  // The workflow's outcome is stored in its operation, so a failed workflow is not an error here.
  await DBOS.getResult(workflowId, options).catch(() => {});
}

async function shutDown(): Promise<void> {
  if (!DBOS.isInitialized()) return;
  await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: SHUTDOWN_WAIT_MS });
}

interface Execution {
  readonly waiting: WaitingCallers;
  abandonedForMs(operationId: string): number | null;
}

function register(name: string, workflow: DurableWorkflow, execution: Execution): StartableWorkflow {
  // A workflow uses its tenant's share of the connections, even if a background job resumes it.
  const run = (input: WorkflowInput) =>
    withConnectionShare({ pool: "requests", owner: input.tenantId }, () =>
      workflow(contextOf(input, execution), input),
    );
  return DBOS.registerWorkflow(run, { name });
}

function contextOf({ tenantId, operationId }: WorkflowInput, { waiting, abandonedForMs }: Execution): DurableContext {
  return {
    abandonedForMs: abandonedForMs(operationId),
    transaction: (step, work) => {
      // DBOS declares the function without arguments, but the handler in transaction-steps.ts passes the transaction.
      const callback = work as unknown as (tx?: Tx) => ReturnType<typeof work>;
      return runTransaction(callback, step, { dsName: TRANSACTION_STEPS, config: { tenantId } });
    },
    call: (name, call) => {
      const callOnce = () => call(() => assertStillOwnsWorkflow(operationId));
      // As in `transaction`, the step waits while the database is unavailable. Otherwise the saga would fail.
      return DBOS.runStep(() => retryWhileUnavailable(callOnce), { name });
    },
    sleep: (_step, durationMs) => DBOS.sleep(durationMs),
    releaseCallers: () => {
      for (const release of waiting.get(operationId) ?? []) release();
    },
  };
}

/** The functions that release the callers waiting for a workflow, by workflow id. */
type WaitingCallers = Map<string, Set<() => void>>;

/** Resolves when the workflow ends, when it calls `releaseCallers`, or after `waitMs`. */
async function waitUntilReleased(
  waiting: WaitingCallers,
  workflowId: string,
  waitMs: number,
  workflow: () => Promise<void>,
): Promise<void> {
  const resolvers = waiting.get(workflowId) ?? new Set();
  waiting.set(workflowId, resolvers);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    resolvers.add(resolve);
    // An error of this call usually means that the workflow could not be started, so the caller receives the error.
    workflow()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        resolvers.delete(resolve);
        if (resolvers.size === 0) waiting.delete(workflowId);
      });
  });
}

/**
 * Creates the lease of this process. `isSteady` returns true if the lease has been valid for the last `leaseMs`. Only
 * then does this process take over workflows. After a database outage, the leases of all processes have expired. The
 * processes that still run can renew their leases within this time, so their workflows are not taken over.
 */
function createLease({ db, instanceId, leaseMs }: DbosOptions) {
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let steadySinceMs = Number.POSITIVE_INFINITY;
  const hasExpired = () => performance.now() - renewedAtMs > leaseMs;
  return {
    renew: async () => {
      const hadExpired = hasExpired();
      await takeLease(db, { executorId: instanceId, leaseMs, isOwn: true });
      renewedAtMs = performance.now();
      if (hadExpired) steadySinceMs = renewedAtMs;
    },
    isSteady: () => !hasExpired() && performance.now() - steadySinceMs >= leaseMs,
  };
}

async function deleteWorkflows(db: Db, workflowIds: readonly string[]): Promise<void> {
  await DBOS.deleteWorkflows([...workflowIds]);
  await deleteCompletionsOf(db, workflowIds);
}

/** Until when this process lets another one take over, because it has left workflows that it cannot run. */
interface ReaperTurns {
  yieldsUntilMs: number;
}

async function takeOverAbandonedWorkflows(
  options: DbosOptions,
  registered: ReadonlyMap<string, StartableWorkflow>,
  turns: ReaperTurns,
): Promise<number> {
  const { db, log, leaseMs } = options;
  if (performance.now() < turns.yieldsUntilMs) return 0;
  if (!(await takeLease(db, { executorId: REAPER, leaseMs, isOwn: false }))) return 0;
  await deleteOldLeases(db);
  const unended = await listAllWorkflows({ status: ["PENDING", "ENQUEUED"] });
  const candidates = unended.filter(({ status, queueName }) => status === "PENDING" || queueName !== queueOf(options));
  // The processes are listed after the workflows. Otherwise the list could lack a process that has just started, and
  // the workflows of this process would be taken over.
  const living = new Set(await listLivingExecutors(db));
  const left = candidates.filter(
    (workflow) => registered.has(workflow.workflowName) && isAbandoned(workflow, living, options),
  );
  if (left.length === 0) return 0;
  const foreign = await listOperationsOfOtherProviders(db, {
    operationIds: left.map(({ workflowID }) => workflowID),
    providers: options.providers(),
  });
  // The reaper's lease ends after half of this time. Without the pause, the same process could win it each time.
  if (foreign.size > 0) turns.yieldsUntilMs = performance.now() + 2 * leaseMs;
  const abandoned = left.filter(({ workflowID }) => !foreign.has(workflowID));
  if (abandoned.length === 0) return 0;
  const ids = abandoned.map(({ workflowID }) => workflowID);
  log.warn({ operations: ids.slice(0, 20), count: ids.length }, "taking over abandoned workflows");
  await DBOS.resumeWorkflows(ids, { queueName: queueOf(options) });
  return ids.length;
}

/** Each list of providers has its own queue, because DBOS lets any process take what is in a queue. */
function queueOf({ providers }: DbosOptions): string {
  return `purser ${providers().toSorted().join(" ")}`;
}

type WorkflowFilter = Parameters<typeof DBOS.listWorkflows>[0];
type WorkflowStatus = Awaited<ReturnType<typeof DBOS.listWorkflows>>[number];

/** Returns the oldest workflows that match the filter, without their inputs and outputs. */
function listWorkflows(filter: WorkflowFilter): Promise<WorkflowStatus[]> {
  return DBOS.listWorkflows({ ...filter, loadInput: false, loadOutput: false, limit: LIST_MAX });
}

async function listAllWorkflows(filter: WorkflowFilter): Promise<WorkflowStatus[]> {
  const all: WorkflowStatus[] = [];
  for (;;) {
    const page = await listWorkflows({ ...filter, offset: all.length });
    all.push(...page);
    if (page.length < LIST_MAX) return all;
  }
}

function isAbandoned(
  { status, executorId = "", updatedAt = 0 }: WorkflowStatus,
  living: ReadonlySet<string>,
  { leaseMs }: DbosOptions,
): boolean {
  // An enqueued workflow is abandoned if no process with its list of providers dequeues it within `leaseMs`.
  return status === "PENDING" ? !living.has(executorId) : Date.now() - updatedAt > leaseMs;
}
