import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@purser/service/foundation/errors.ts";

const PATIENCE_MS = 15_000;
const RETRY_MS = 200;

/**
 * Does work that a start cannot do without. The service gives a database less than a second to answer, since somebody waits;
 * here nobody does, and a machine that is starting everything at once may well take longer.
 */
export async function onceDatabaseAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof AppError && error.code === "service_unavailable";
      if (!mayPass || performance.now() > endsAtMs) throw error;
      await delay(RETRY_MS);
    }
  }
}
