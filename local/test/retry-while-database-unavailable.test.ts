import { AppError } from "@purser/service/foundation/errors.ts";
import { expect, it } from "vitest";
import { retryWhileDatabaseUnavailable } from "../src/retry-while-database-unavailable.ts";

/** Each call of `work` throws the next failure. If none is left, it succeeds. */
function failingWork(...failures: readonly Error[]) {
  const remaining = [...failures];
  const work = async () => {
    const failure = remaining.shift();
    if (failure !== undefined) throw failure;
    return "done";
  };
  return { work, remaining };
}

it("retries while the database is unavailable", async () => {
  const busy = new AppError("service_unavailable");

  expect(await retryWhileDatabaseUnavailable(failingWork(busy, busy).work)).toBe("done");
});

it.each([new AppError("conflict"), new Error("a bug")])("does not retry: %s", async (failure) => {
  const { work, remaining } = failingWork(failure, failure);

  await expect(retryWhileDatabaseUnavailable(work)).rejects.toBe(failure);
  expect(remaining).toHaveLength(1);
});
