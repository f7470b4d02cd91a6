import type { Logger } from "pino";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { redactedMessage } from "../foundation/redact.ts";

/** Work that is done again and again without anybody asking. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /**
   * How long the pause may grow while there is nothing to do: each run that answers 0, or fails, doubles it, and any other
   * answer brings it back to `everyMs`. Undefined: it stays as it is.
   */
  readonly idleEveryMs?: number;
  run(): Promise<unknown>;
}

export interface Jobs {
  /** Starts no further run, and resolves when those under way have ended. */
  stop(): Promise<void>;
}

/** Runs each job in a loop of its own, one run at a time. A run that fails is logged, and the next one comes all the same. */
export function startJobs(jobs: readonly Job[], log: Logger): Jobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(job, log, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function loop(job: Job, log: Logger, stopping: AbortSignal): Promise<void> {
  let pauseMs = job.everyMs;
  while (!stopping.aborted) {
    let done: unknown = 0;
    try {
      done = await withConnectionShare({ pool: "jobs", owner: job.name }, () => job.run());
    } catch (error) {
      log.error({ job: job.name, message: redactedMessage(error) }, "a job failed");
    }
    pauseMs = done === 0 ? Math.min(2 * pauseMs, job.idleEveryMs ?? job.everyMs) : job.everyMs;
    await pause(pauseMs, stopping);
  }
}

async function pause(durationMs: number, stopping: AbortSignal): Promise<void> {
  // Stopped while the job ran: the event has been, and would be waited for in vain.
  if (stopping.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, durationMs);
    stopping.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      stopping.removeEventListener("abort", done);
      resolve();
    }
  });
}
