import { AppError } from "./errors.ts";

/**
 * The work's outcome, or `service_unavailable` once `timeoutMs` have gone by. The work itself is not stopped; it only has
 * nobody waiting for it any more.
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  internal: string,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError("service_unavailable", { internal })), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks a store that fails closed: whatever goes wrong, and whatever takes longer than `timeoutMs`, is `service_unavailable`.
 */
export async function askStore<Result>(
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
