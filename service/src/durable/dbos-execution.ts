import { AsyncLocalStorage } from "node:async_hooks";
import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  assertStillOwnsWorkflow,
  registerDataSource,
  runTransaction,
} from "@dbos-inc/dbos-sdk/datasource";
import type { Logger } from "pino";
import { type Db, openPlainPool, type Tx } from "../db/database.ts";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { invariant } from "../foundation/invariant.ts";
import { redactedMessage } from "../foundation/redact.ts";
import type {
  DurableContext,
  DurableExecution,
  DurableWorkflow,
  WorkflowInput,
} from "./durable-execution.ts";
import {
  deleteCompletionsOf,
  deleteLease,
  deleteOldLeases,
  listLivingExecutors,
  takeLease,
} from "./queries.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";
import { TRANSACTION_STEPS, transactionSteps } from "./transaction-steps.ts";

const APPLICATION = "purser";
/**
 * The version of the checkpoints, not of the build. Raise it when the sequence of checkpoints of a workflow changes. Running
 * workflows of older versions are then restarted without their checkpoints.
 */
const APPLICATION_VERSION = 2;
const OLDER_VERSIONS = Array.from({ length: APPLICATION_VERSION - 1 }, (_, i) => String(i + 1));
const QUEUE = "purser";
/** The role of whoever looks for abandoned workflows: one process at a time. */
const REAPER = "reaper";
/** How often a lease is renewed, unless it is short. A process may have worked for this long after the last renewal. */
const LEASE_RENEWED_EVERY_MAX_MS = 1_000;
const START_WAIT_MS = 10_000;
const SHUTDOWN_WAIT_MS = 5_000;
const WAIT_POLL_MS = 50;
const TAKE_OVER_MAX = 1_000;
const FORGET_AT_ONCE_MAX = 1_000;

export interface DbosOptions {
  readonly db: Db;
  readonly log: Logger;
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** A process that starts again under the same name takes its own workflows up at once, and not after the lease. */
  readonly instanceId: string;
  readonly leaseMs: number;
  readonly queuePollMs: number;
}

type Registered = (input: WorkflowInput) => Promise<void>;

/**
 * Durable execution by DBOS on our own Postgres (`docs/decisions/` says why). DBOS is one to a process, so this is made once
 * and launched once.
 */
export function createDbosExecution(options: DbosOptions): DurableExecution {
  const { db, log, instanceId, leaseMs } = options;
  const registered = new Map<string, Registered>();
  const waiting: Waiting = new Map();
  /** Which workflow is being started, seen by the one execution of it that comes of the start, and by no later one. */
  const starting = new AsyncLocalStorage<string>();
  const lease = createLease(options);
  const leaseRenewedEveryMs = Math.min(LEASE_RENEWED_EVERY_MAX_MS, leaseMs / 5);
  let pool: Pool | undefined;

  return {
    launch: async (workflows) => {
      pool = openPlainPool({
        url: options.databaseUrl,
        connectionsMax: options.connectionsMax,
        // Whoever takes a workflow over waits for the locks of the one who lost it.
        idleTransactionTimeoutMs: leaseMs,
        onError: ({ message }) => log.warn({ message }, "an idle workflow connection broke"),
      });
      configure(options, pool);
      registerDataSource(transactionSteps(db));
      for (const [name, workflow] of Object.entries(workflows)) {
        const abandonedForMs = (id: string) => {
          if (starting.getStore() === id) return null;
          // Others' work is taken up when their lease has run out, one's own at the start.
          return lease.isSteady() ? leaseMs - leaseRenewedEveryMs : 0;
        };
        registered.set(name, register(name, workflow, { waiting, abandonedForMs }));
      }
      // Nobody waits for an answer yet, and a machine that starts everything at once keeps its database busy.
      await retryWhileUnavailable(lease.renew, START_WAIT_MS);
      await DBOS.launch();
      await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: options.queuePollMs });
    },
    run: async (name, input, waitMs) => {
      const workflow = registered.get(name);
      invariant(workflow !== undefined, `the workflow ${name} is registered`);
      const workflowID = input.operationId;
      await untilAnswered(waiting, workflowID, waitMs, async () => {
        const start = () => DBOS.startWorkflow(workflow, { workflowID })(input);
        const handle = await starting.run(workflowID, start);
        if (waitMs === 0) return;
        // Only the handle of a workflow that runs here has this promise. Any other handle polls the database until the
        // workflow ends, even after its caller has stopped waiting.
        if ("workflowPromise" in handle) await handle.getResult();
        else await waitFor(workflowID, waitMs);
      });
    },
    renewLease: lease.renew,
    leaseRenewedEveryMs,
    takeOver: async () => (lease.isSteady() ? takeOver(options, registered) : 0),
    forget: (operationIds) => forget(db, operationIds),
    forgetEnded: async (before) => {
      const ended = await DBOS.listWorkflows({
        status: ["SUCCESS", "ERROR"],
        completedBefore: before.toISOString(),
        loadInput: false,
        loadOutput: false,
        limit: FORGET_AT_ONCE_MAX,
      });
      const workflowIds = ended.map(({ workflowID }) => workflowID);
      await forget(db, workflowIds);
      return ended.length;
    },
    close: async () => {
      // DBOS is the process's: what runs now may be another's launch.
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
  DBOS.setConfig({
    name: APPLICATION,
    applicationVersion: String(APPLICATION_VERSION),
    executorID: instanceId,
    systemDatabaseUrl: databaseUrl,
    // Ours, since its own sets each new connection up beside the first query, which pg says it will refuse.
    systemDatabasePool: pool,
    // The service's role may not change the schema; `migrate` has made it.
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
  const options = { timeoutSeconds: waitMs / 1000, pollingIntervalMs: WAIT_POLL_MS };
  // How it ended stands in the operation.
  await DBOS.getResult(workflowId, options).catch(() => {});
}

async function shutDown(): Promise<void> {
  if (!DBOS.isInitialized()) return;
  await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: SHUTDOWN_WAIT_MS });
}

interface Execution {
  readonly waiting: Waiting;
  abandonedForMs(operationId: string): number | null;
}

function register(name: string, workflow: DurableWorkflow, execution: Execution): Registered {
  // A workflow is its tenant's work, even when a job takes it up.
  const run = (input: WorkflowInput) =>
    withConnectionShare({ pool: "requests", owner: input.tenantId }, () =>
      workflow(contextOf(input, execution), input),
    );
  return DBOS.registerWorkflow(run, { name });
}

function contextOf(
  { tenantId, operationId }: WorkflowInput,
  { waiting, abandonedForMs }: Execution,
): DurableContext {
  return {
    abandonedForMs: abandonedForMs(operationId),
    transaction: (step, work) => {
      // Called by our own handler, which gives it the transaction.
      const callback = work as unknown as (tx?: Tx) => ReturnType<typeof work>;
      return runTransaction(callback, step, { dsName: TRANSACTION_STEPS, config: { tenantId } });
    },
    call: (name, call) =>
      DBOS.runStep(() => call(() => assertStillOwnsWorkflow(operationId)), { name }),
    sleep: (_step, durationMs) => DBOS.sleep(durationMs),
    answerNow: () => {
      for (const letGo of waiting.get(operationId) ?? []) letGo();
    },
  };
}

/** Who waits for which workflow. */
type Waiting = Map<string, Set<() => void>>;

/** Waits for the workflow, but no longer than until it lets go, or than `waitMs`. */
async function untilAnswered(
  waiting: Waiting,
  workflowId: string,
  waitMs: number,
  workflow: () => Promise<void>,
): Promise<void> {
  const resolvers = waiting.get(workflowId) ?? new Set();
  waiting.set(workflowId, resolvers);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    resolvers.add(resolve);
    // How it ended stands in the operation. What fails here is the starting of it, or a fault of ours.
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
 * This process's lease, and whether it has held it long enough to judge the others: after a time in which the database was
 * out of reach everybody's lease has run out, the living ones' too, and they are given a lease's time to renew it.
 */
function createLease({ db, instanceId, leaseMs }: DbosOptions) {
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let steadySinceMs = Number.POSITIVE_INFINITY;
  const hasLapsed = () => performance.now() - renewedAtMs > leaseMs;
  return {
    renew: async () => {
      const lapsed = hasLapsed();
      await takeLease(db, { executorId: instanceId, leaseMs, mine: true });
      renewedAtMs = performance.now();
      if (lapsed) steadySinceMs = renewedAtMs;
    },
    isSteady: () => !hasLapsed() && performance.now() - steadySinceMs >= leaseMs,
  };
}

async function forget(db: Db, workflowIds: readonly string[]): Promise<void> {
  await DBOS.deleteWorkflows([...workflowIds]);
  await deleteCompletionsOf(db, workflowIds);
}

async function takeOver(
  options: DbosOptions,
  registered: ReadonlyMap<string, Registered>,
): Promise<number> {
  const { db, log, leaseMs } = options;
  if (!(await takeLease(db, { executorId: REAPER, leaseMs, mine: false }))) return 0;
  await deleteOldLeases(db);
  const list = { loadInput: false, loadOutput: false, limit: TAKE_OVER_MAX };
  const begun = [
    ...(await DBOS.listWorkflows({ ...list, status: "PENDING" })),
    ...(await DBOS.listWorkflows({
      ...list,
      status: ["ENQUEUED", "CANCELLED"],
      applicationVersion: OLDER_VERSIONS,
    })),
  ];
  // Asked for after what has begun: a process that has begun something since is among them.
  const living = new Set(await listLivingExecutors(db));
  const abandoned = begun.filter(
    (workflow) => registered.has(workflow.workflowName) && isAbandoned(workflow, living, options),
  );
  if (abandoned.length === 0) return 0;
  const ids = abandoned.map(({ workflowID }) => workflowID);
  log.warn({ operations: ids.slice(0, 20), count: ids.length }, "taking over abandoned workflows");
  await DBOS.resumeWorkflows(
    abandoned.filter((workflow) => !isOutdated(workflow)).map(({ workflowID }) => workflowID),
    { queueName: QUEUE },
  );
  for (const { workflowID } of abandoned.filter(isOutdated)) {
    await restartWorkflow(workflowID).catch((error: unknown) => {
      const message = redactedMessage(error);
      log.error({ operation: workflowID, message }, "could not take over an abandoned workflow");
    });
  }
  return ids.length;
}

type WorkflowStatus = Awaited<ReturnType<typeof DBOS.listWorkflows>>[number];

function isAbandoned(
  workflow: WorkflowStatus,
  living: ReadonlySet<string>,
  { instanceId, leaseMs }: DbosOptions,
): boolean {
  const { status, executorId = "", updatedAt = 0 } = workflow;
  if (status === "PENDING") {
    return !living.has(executorId) || (executorId === instanceId && isOutdated(workflow));
  }
  // A living process of that version would have dequeued it long before.
  return Date.now() - updatedAt > leaseMs;
}

/** Returns whether the checkpoints are of an older version. Workflows of newer versions are left to those. */
function isOutdated({ applicationVersion = "" }: WorkflowStatus): boolean {
  return OLDER_VERSIONS.includes(applicationVersion);
}

/**
 * Deletes the checkpoints of a workflow and enqueues it with the current version. Its row stays, so that no job takes it for
 * one that was never started. If the process dies in between, the next pass finds the cancelled workflow.
 */
async function restartWorkflow(workflowId: string): Promise<void> {
  await DBOS.cancelWorkflow(workflowId);
  const applicationVersion = String(APPLICATION_VERSION);
  await DBOS.rewindWorkflow(workflowId, { applicationVersion, queueName: QUEUE });
}
