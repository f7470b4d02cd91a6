import { AppError } from "@purser/service/foundation/errors.ts";
import { expect, it } from "vitest";
import { onceDatabaseAnswers } from "../src/once-database-answers.ts";

/** Work that fails with these, one after another, before it succeeds. */
function workFailing(...failures: readonly Error[]) {
  const left = [...failures];
  const work = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "done";
  };
  return { work, left };
}

it("tries again while a store cannot answer", async () => {
  const busy = new AppError("service_unavailable");

  expect(await onceDatabaseAnswers(workFailing(busy, busy).work)).toBe("done");
});

it.each([new AppError("conflict"), new Error("a bug")])("passes %s on at once", async (failure) => {
  const { work, left } = workFailing(failure, failure);

  await expect(onceDatabaseAnswers(work)).rejects.toBe(failure);
  expect(left).toHaveLength(1);
});
