import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callStore, withDeadline } from "./deadline.ts";
import { AppError } from "./errors.ts";

const never = () => new Promise<never>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("withDeadline", () => {
  it("the work's result, and no timer is left: the work succeeds in time", async () => {
    await expect(withDeadline(Promise.resolve("done"), 100, "store")).resolves.toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("the work's error, and no timer is left: the work fails in time", async () => {
    await expect(withDeadline(Promise.reject(new Error("no")), 100, "store")).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("service_unavailable: the work takes longer than the timeout", async () => {
    const refused = expect(withDeadline(never(), 100, "store is slow")).rejects.toMatchObject({
      code: "service_unavailable",
      internal: "store is slow",
    });

    await vi.advanceTimersByTimeAsync(100);
    await refused;
  });

  it("the work's result: the work takes slightly less than the timeout", async () => {
    const work = new Promise((resolve) => setTimeout(resolve, 99, "done"));
    const answer = expect(withDeadline(work, 100, "store")).resolves.toBe("done");

    await vi.advanceTimersByTimeAsync(100);
    await answer;
  });
});

describe("callStore", () => {
  it("the store's response: the store responds in time", async () => {
    await expect(callStore(Promise.resolve(7), 100, "store")).resolves.toBe(7);
  });

  it("service_unavailable with the cause: the store fails", async () => {
    const cause = new Error("connection refused");

    await expect(callStore(Promise.reject(cause), 100, "store failed")).rejects.toMatchObject({
      code: "service_unavailable",
      internal: "store failed",
      cause,
    });
  });

  it("the same error: the store throws an AppError", async () => {
    const refusal = new AppError("conflict");

    await expect(callStore(Promise.reject(refusal), 100, "store")).rejects.toBe(refusal);
  });

  it("service_unavailable: the store takes longer than the timeout", async () => {
    const refused = expect(callStore(never(), 100, "store is slow")).rejects.toMatchObject({
      code: "service_unavailable",
      internal: "store is slow",
    });

    await vi.advanceTimersByTimeAsync(100);
    await refused;
  });
});
