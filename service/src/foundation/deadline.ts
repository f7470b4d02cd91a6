import { AppError } from "./errors.ts";

/** Returns the work's result, or throws `service_unavailable` after `timeoutMs`. The work itself is not cancelled. */
export function withDeadline<Result>(work: Promise<Result>, timeoutMs: number, internal: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new AppError("service_unavailable", { internal }));
    const timer = setTimeout(giveUp, timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Waits for a call to another system, such as Redis. Throws `service_unavailable` if the call fails or takes longer
 * than `timeoutMs`. If the call throws an AppError, throws that error instead.
 */
export function callStore<Result>(work: Promise<Result>, timeoutMs: number, internal: string): Promise<Result> {
  const result = work.catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("service_unavailable", { internal, cause });
  });
  return withDeadline(result, timeoutMs, internal);
}
