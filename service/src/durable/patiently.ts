import { AppError } from "../foundation/errors.ts";

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;

/** Does work again, after longer and longer pauses, while the database is away; for no longer than `forMs`, where given. */
export async function patiently<Result>(
  work: () => Promise<Result>,
  forMs = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const endsAtMs = performance.now() + forMs;
  for (let pauseMs = RETRY_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, RETRY_MS_MAX)) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof AppError && error.code === "service_unavailable";
      if (!mayPass || performance.now() + pauseMs > endsAtMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
