import { describe, expect, it } from "vitest";
import { AppError } from "../foundation/errors.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";

const unavailable = () => new AppError("service_unavailable");

/** Returns a function that fails in its first `times` calls and then succeeds. */
function failing(times: number, makeError: () => Error) {
  const work = async () => {
    work.attempts += 1;
    if (work.attempts <= times) throw makeError();
    return "done";
  };
  work.attempts = 0;
  return work;
}

describe("retryWhileUnavailable", () => {
  it("repeats the work until the database is available", async () => {
    const work = failing(2, unavailable);

    expect(await retryWhileUnavailable(work)).toBe("done");
    expect(work.attempts).toBe(3);
  });

  it("throws the last error after the time limit", async () => {
    const work = failing(100, unavailable);

    await expect(retryWhileUnavailable(work, 250)).rejects.toMatchObject({
      code: "service_unavailable",
    });
    expect(work.attempts).toBe(2);
  });

  it("does not repeat the work after any other error", async () => {
    const work = failing(1, () => new AppError("conflict"));

    await expect(retryWhileUnavailable(work)).rejects.toMatchObject({ code: "conflict" });
    expect(work.attempts).toBe(1);
  });
});
