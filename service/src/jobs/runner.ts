import type { Logger } from "pino";
import { WakeUps } from "../due-work/wake-ups.ts";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { redactedCause, redactedMessage } from "../foundation/redact.ts";

/** Work that runs periodically. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /**
   * The longest pause while there is no work. Each run that returns 0 or fails doubles the pause, and any other result
   * resets it to `everyMs`. Default: `everyMs`, so that the pause stays the same.
   */
  readonly idleEveryMs?: number;
  /** `stopping` is aborted when the process stops. */
  run(stopping?: AbortSignal): Promise<unknown>;
}

export interface Jobs {
  /** Starts no further runs. Resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

/** Runs each job in its own loop, one run at a time. A failed run is logged, and the loop continues. */
export function startJobs(jobs: readonly Job[], log: Logger, wakeUps = new WakeUps()): Jobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(job, { log, wakeUps, stopping: stopping.signal }));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

const SAME_FAILURE_PAUSE_MS = 60_000;

interface LoopContext {
  readonly log: Logger;
  readonly wakeUps: WakeUps;
  readonly stopping: AbortSignal;
}

async function loop(job: Job, { log, wakeUps, stopping }: LoopContext): Promise<void> {
  let pauseMs = job.everyMs;
  const logFailure = failureLog(job.name, log);
  while (!stopping.aborted) {
    let result: unknown = 0;
    try {
      result = await withConnectionShare({ pool: "jobs", owner: job.name }, () => job.run(stopping));
    } catch (error) {
      logFailure(error);
    }
    pauseMs = result === 0 ? Math.min(2 * pauseMs, job.idleEveryMs ?? job.everyMs) : job.everyMs;
    await pause(job.name, pauseMs, { wakeUps, stopping });
  }
}

/** During an outage, a job fails several times a second: the same failure is logged once a minute. */
function failureLog(job: string, log: Logger): (error: unknown) => void {
  let last: { readonly text: string; readonly atMs: number } | undefined;
  return (error) => {
    const [message, cause] = [redactedMessage(error), redactedCause(error)];
    const [text, atMs] = [message + cause, performance.now()];
    if (last?.text === text && atMs - last.atMs < SAME_FAILURE_PAUSE_MS) return;
    last = { text, atMs };
    log.error({ job, message, ...(cause !== message && { cause }) }, "job failed");
  };
}

async function pause(job: string, durationMs: number, { wakeUps, stopping }: Omit<LoopContext, "log">): Promise<void> {
  // If `stop` was called while the job ran, the signal is already aborted. A listener that is added now would never be
  // called.
  if (stopping.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finish, durationMs);
    stopping.addEventListener("abort", finish, { once: true });
    const stopListening = wakeUps.listen(job, () => setImmediate(finish));
    function finish() {
      clearTimeout(timer);
      stopListening();
      stopping.removeEventListener("abort", finish);
      resolve();
    }
  });
}
