import { AppError } from "./errors.ts";

/**
 * The work's outcome, or `service_unavailable` once `timeoutMs` have gone by. The work itself is not stopped; it only has
 * nobody waiting for it any more.
 */
export function withDeadline<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  internal: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new AppError("service_unavailable", { internal }));
    const timer = setTimeout(giveUp, timeoutMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/**
 * Asks a store that fails closed: whatever goes wrong, and whatever takes longer than `timeoutMs`, is `service_unavailable`.
 */
export function callStore<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  internal: string,
): Promise<Result> {
  const answer = work.catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("service_unavailable", { internal, cause });
  });
  return withDeadline(answer, timeoutMs, internal);
}
