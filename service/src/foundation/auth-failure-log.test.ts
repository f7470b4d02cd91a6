import { describe, expect, it } from "vitest";
import { AuthFailureLog, type RecordedFailure } from "./auth-failure-log.ts";

const AT = new Date("2026-11-21T10:00:00.000Z");

function failure(keyHash: string) {
  const reason = "signature_mismatch" as const;
  return { keyHash, reason, skewSeconds: null, network: "192.0.2.1", requestId: "req_1" };
}

async function drain(log: AuthFailureLog): Promise<readonly RecordedFailure[]> {
  let taken: readonly RecordedFailure[] = [];
  await log.flush(async (failures) => {
    taken = failures;
    return [];
  });
  return taken;
}

describe("AuthFailureLog", () => {
  it("holds at most 10,000 entries, and drops the oldest", async () => {
    const log = new AuthFailureLog();
    for (let number = 0; number <= 10_000; number += 1) log.note(failure(`key ${number}`), AT);

    const taken = await drain(log);

    expect(taken).toHaveLength(10_000);
    expect(taken[0]?.keyHash).toBe("key 1");
  });

  it("puts unwritten entries back and merges them with new ones", async () => {
    const log = new AuthFailureLog();
    log.note(failure("a"), AT);
    log.note(failure("b"), AT);
    await log.flush(async (failures) => {
      log.note({ ...failure("a"), requestId: "req_2" }, new Date(AT.getTime() + 1));
      return failures.filter(({ keyHash }) => keyHash === "a");
    });

    expect(await drain(log)).toEqual([
      {
        ...failure("a"),
        requestId: "req_2",
        count: 2,
        firstAt: AT,
        lastAt: new Date(AT.getTime() + 1),
      },
    ]);
  });

  it("puts all entries back if the write throws, and rethrows the error", async () => {
    const log = new AuthFailureLog();
    log.note(failure("a"), AT);

    const failed = log.flush(async () => Promise.reject(new Error("No database.")));

    await expect(failed).rejects.toThrow("No database.");
    expect(await drain(log)).toMatchObject([{ keyHash: "a", count: 1 }]);
  });

  it("flush waits for earlier flushes", async () => {
    const log = new AuthFailureLog();
    log.note(failure("a"), AT);
    const order: string[] = [];
    let write = () => {};
    const written = new Promise<void>((resolve) => {
      write = resolve;
    });
    const first = log.flush(async () => {
      await written;
      order.push("written");
      return [];
    });
    const second = log.flush(async (failures) => {
      order.push(`then ${failures.length}`);
      return [];
    });

    write();
    await Promise.all([first, second]);

    expect(order).toEqual(["written", "then 0"]);
  });

  it("merges equal failures into one entry with the first and last time and the last request", async () => {
    const log = new AuthFailureLog();
    const later = new Date(AT.getTime() + 5);
    log.note({ ...failure("a"), requestId: "req_1" }, AT);
    log.note({ ...failure("a"), requestId: "req_2" }, later);
    log.note({ ...failure("a"), requestId: "req_3" }, later);

    expect(log.size).toBe(1);
    expect(await drain(log)).toEqual([{ ...failure("a"), requestId: "req_3", count: 3, firstAt: AT, lastAt: later }]);
    expect(log.size).toBe(0);
  });

  it("uses the latest request's id even if failures arrive out of order", async () => {
    const log = new AuthFailureLog();
    const later = new Date(AT.getTime() + 5);
    log.note({ ...failure("a"), requestId: "req_2" }, later);
    log.note({ ...failure("a"), requestId: "req_1" }, AT);

    expect(await drain(log)).toEqual([{ ...failure("a"), requestId: "req_2", count: 2, firstAt: AT, lastAt: later }]);
  });

  it("keeps separate entries for failures with a different key, reason, network or minute", async () => {
    const log = new AuthFailureLog();
    log.note(failure("a"), AT);
    log.note(failure("b"), AT);
    log.note({ ...failure("a"), reason: "key_revoked" }, AT);
    log.note({ ...failure("a"), network: "192.0.2.2" }, AT);
    log.note(failure("a"), new Date(AT.getTime() + 60_000));

    expect((await drain(log)).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
  });
});
