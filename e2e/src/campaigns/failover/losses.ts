import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../until.ts";
import { pick, random } from "../random.ts";
import type { Deployment } from "./deployment.ts";

/** What is lost: the machine of the primary, only its PostgreSQL server, the Redis master, or a process. */
export type Victim = "machine" | "postgres" | "redis" | "api" | "worker";

const STORES: readonly Victim[] = ["machine", "redis", "postgres", "redis"];
const PAUSE_MAX_MS = 4_000;
/** Sentinel makes a former master a replica about ten seconds after its start. */
const REPLICATED_WITHIN_MS = 60_000;
/** The Redis master confirms entries without its replicas for so long before it is killed. */
const CUT_OFF_MAX_MS = 1_000;
const PAID_WITHIN_MS = 120_000;
/** A loss can be noticed so much later. */
const NOTICED_WITHIN_MS = 2_000;

/** Remembers when something was killed and when payments were made. */
export class Timeline {
  readonly kills: { readonly victim: Victim; readonly atMs: number }[] = [];
  payments = 0;
  /** The longest times without a payment, by what was killed immediately before and meanwhile. */
  readonly longestOutagesMs: Record<string, number> = {};
  #paidAtMs = performance.now();

  notePayment(): void {
    const nowMs = performance.now();
    const recent = this.kills.filter(({ atMs }) => atMs > this.#paidAtMs - NOTICED_WITHIN_MS);
    const victims = [...new Set(recent.map(({ victim }) => victim))].toSorted().join(" and ") || "none";
    const lengthMs = Math.round(nowMs - this.#paidAtMs);
    this.longestOutagesMs[victims] = Math.max(this.longestOutagesMs[victims] ?? 0, lengthMs);
    this.payments += 1;
    this.#paidAtMs = nowMs;
  }
}

interface Losses {
  readonly deployment: Deployment;
  readonly timeline: Timeline;
  /** Called immediately before each kill. */
  readonly noteKill: (victim: Victim) => void;
  readonly signal: AbortSignal;
}

/** Kills the stores' servers, one at a time: the next one when all of the former are back. */
export async function loseStores(losses: Losses): Promise<void> {
  const { deployment, timeline, noteKill, signal } = losses;
  const { cluster, redis } = deployment;
  for (let count = 0; ; count += 1) {
    const victim = pick(STORES, count % STORES.length);
    await cluster.untilHealthy();
    await until("Redis has two replicas", () => redis.untilReplicated(2).then(() => true), REPLICATED_WITHIN_MS);
    await wait(random(PAUSE_MAX_MS));
    if (signal.aborted) return;
    const { payments } = timeline;
    if (victim === "machine" || victim === "postgres") {
      noteKill(victim);
      await cluster.losePrimary(victim);
    } else await loseRedis(losses);
    await until(
      "a payment was made",
      async () => timeline.payments > payments || signal.aborted || undefined,
      PAID_WITHIN_MS,
    );
  }
}

/** The replicas miss the last entries. */
async function loseRedis({ deployment: { redis }, noteKill }: Losses): Promise<void> {
  await redis.stopReplication();
  await wait(random(CUT_OFF_MAX_MS));
  noteKill("redis");
  const port = await redis.signalMaster("SIGKILL");
  await until("there is another master", async () => (await redis.master()) !== port || undefined);
  await redis.restart(port);
}

/** Kills processes of the role, one at a time, and starts each again. */
export async function loseProcesses({ deployment, noteKill, signal }: Losses, role: "api" | "worker"): Promise<void> {
  for (;;) {
    const process = pick(deployment.processes[role], random(2));
    await wait(random(2 * PAUSE_MAX_MS));
    if (signal.aborted) return;
    noteKill(role);
    await process.kill();
    await process.start();
  }
}
