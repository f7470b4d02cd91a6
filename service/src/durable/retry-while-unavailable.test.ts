import { describe, expect, it } from "vitest";
import { AppError } from "../foundation/errors.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";

const away = () => new AppError("service_unavailable");

/** Work that fails so often before it succeeds. */
function failing(times: number, makeError: () => Error) {
  const work = async () => {
    work.attempts += 1;
    if (work.attempts <= times) throw makeError();
    return "done";
  };
  work.attempts = 0;
  return work;
}

describe("work that waits for the database", () => {
  it("is done again until the database is there", async () => {
    const work = failing(2, away);

    expect(await retryWhileUnavailable(work)).toBe("done");
    expect(work.attempts).toBe(3);
  });

  it("is given up when its time is over, and tells why", async () => {
    const work = failing(100, away);

    await expect(retryWhileUnavailable(work, 250)).rejects.toMatchObject({
      code: "service_unavailable",
    });
    expect(work.attempts).toBe(2);
  });

  it("is not done again after any other failure", async () => {
    const work = failing(1, () => new AppError("conflict"));

    await expect(retryWhileUnavailable(work)).rejects.toMatchObject({ code: "conflict" });
    expect(work.attempts).toBe(1);
  });
});
